import { type HTMLAttributes, useId } from "react";

const kinds = { error: "bg-error-tint text-error", good: "bg-good-tint font-strong text-good" };

type Props = Omit<HTMLAttributes<HTMLDivElement>, "className"> & {
  readonly kind: keyof typeof kinds;
};

/** What came of the last answer, above everything else, or what speaks against the next one. */
function Notice({ kind, children, ...rest }: Props) {
  return (
    <div
      {...rest}
      className={`mb-5 rounded-box border border-s-6 border-current px-5 py-4 wrap-anywhere ${kinds[kind]}`}
    >
      {children}
    </div>
  );
}

type ErrorSummaryProps = {
  readonly title: string;
  readonly text: string;
  /** The field it is about; without one it is about the whole page. */
  readonly field?: string | undefined;
};

/**
 * First on the page, with a link to the field. It takes the focus: few screen readers announce an alert
 * that is there when the page opens.
 */
export function ErrorSummary({ title, text, field }: ErrorSummaryProps) {
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

/** Before a question that may still be answered. */
export function Warning({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <Notice kind="error">
      <h2>{title}</h2>
      <p>{text}</p>
    </Notice>
  );
}

export function GoodNews({ text }: { readonly text: string }) {
  return (
    <Notice kind="good" role="status">
      <p>{text}</p>
    </Notice>
  );
}
