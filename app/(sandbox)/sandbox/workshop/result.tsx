import type { ReactNode } from "react";
import { FieldError, type FieldFault } from "@/components/form";
import { ErrorSummary } from "@/components/notice";

type Props = { readonly id: string; readonly title: string; readonly children: ReactNode };

/** An answer. Its heading gets the focus, so that it is read out. */
export function Result({ id, title, children }: Props) {
  return (
    <section className="result" aria-labelledby={id}>
      {/* biome-ignore lint/a11y/noAutofocus: it is the answer to what the person has just sent */}
      <h3 id={id} tabIndex={-1} autoFocus>
        {title}
      </h3>
      {children}
    </section>
  );
}

type RefusedFormProps = { readonly title: string; readonly text: string; readonly field: string };

/** What is wrong with a form. It gets the focus as an answer does. */
export function RefusedForm({ title, text, field }: RefusedFormProps) {
  return (
    // biome-ignore lint/a11y/noAutofocus: it is the answer to what the person has just sent
    <div className="result" tabIndex={-1} autoFocus>
      <ErrorSummary title={title} text={text} field={field} />
    </div>
  );
}

type FieldProps = {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly fault: FieldFault | undefined;
  /** With what names the hint and the fault to assistive technology. */
  readonly children: (described: Described) => ReactNode;
};

type Described = { readonly "aria-invalid": boolean; readonly "aria-describedby": string };

/** A field as wide as the page, with label, hint and what is wrong with it. */
export function WideField({ id, label, hint, fault, children }: FieldProps) {
  const describedBy = fault === undefined ? `${id}-hint` : `${id}-hint ${id}-error`;
  return (
    <div className={fault === undefined ? "field wide" : "field wide with-error"}>
      <label htmlFor={id}>{label}</label>
      <p className="hint" id={`${id}-hint`}>
        {hint}
      </p>
      <FieldError id={`${id}-error`} fault={fault} />
      {children({ "aria-invalid": fault !== undefined, "aria-describedby": describedBy })}
    </div>
  );
}
