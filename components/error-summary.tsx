type Props = {
  readonly title: string;
  readonly text: string;
  /** The field it is about; without one it is about the whole page. */
  readonly field?: string | undefined;
};

/** Said first on the page, with a link to the field. */
export function ErrorSummary({ title, text, field }: Props) {
  return (
    <div className="error-summary" role="alert" tabIndex={-1} aria-labelledby="error-summary-title">
      <h2 id="error-summary-title">{title}</h2>
      <p>{field === undefined ? text : <a href={`#${field}`}>{text}</a>}</p>
    </div>
  );
}
