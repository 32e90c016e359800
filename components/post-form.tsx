import type { ReactNode } from "react";

type Props = {
  readonly action: string;
  readonly token: string;
  /** Buttons elsewhere on the page name the form by it. */
  readonly id?: string;
  readonly children?: ReactNode;
};

/** A form of ours, with its token. What is wrong is said by the page, not by the browser. */
export function PostForm({ action, token, id, children }: Props) {
  return (
    <form id={id} method="post" action={action} noValidate>
      <input type="hidden" name="token" value={token} />
      {children}
    </form>
  );
}
