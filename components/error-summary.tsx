import { useId } from "react";
import { Notice } from "./notice";

type Props = {
  readonly title: string;
  readonly text: string;
  /** The field it is about; without one it is about the whole page. */
  readonly field?: string | undefined;
};

/**
 * Said first on the page, with a link to the field. It takes the focus: few screen readers announce an
 * alert that is there when the page opens.
 */
export function ErrorSummary({ title, text, field }: Props) {
  const titleId = useId();
  return (
    <Notice kind="error" role="alert" tabIndex={-1} autoFocus aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      <p>
        {field === undefined ? (
          text
        ) : (
          <a href={`#${field}`} className="font-strong text-error">
            {text}
          </a>
        )}
      </p>
    </Notice>
  );
}
