import { useId } from "react";

type Props = {
  readonly title: string;
  readonly text: string;
  /** The field it is about; without one it is about the whole page. */
  readonly field?: string | undefined;
};

/** Said first on the page, with a link to the field. */
export function ErrorSummary({ title, text, field }: Props) {
  const titleId = useId();
  return (
    <div className="error-summary" role="alert" tabIndex={-1} aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      <p>{field === undefined ? text : <a href={`#${field}`}>{text}</a>}</p>
    </div>
  );
}
