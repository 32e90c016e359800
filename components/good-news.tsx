import { Notice } from "./notice";

export function GoodNews({ text }: { readonly text: string }) {
  return (
    <Notice kind="good" role="status">
      <p>{text}</p>
    </Notice>
  );
}
