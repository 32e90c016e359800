export function GoodNews({ text }: { readonly text: string }) {
  return (
    <div className="good-news" role="status">
      <p>{text}</p>
    </div>
  );
}
