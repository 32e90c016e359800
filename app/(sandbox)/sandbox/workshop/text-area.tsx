import { FieldError, type FieldFault } from "@/components/field-error";

type Props = {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly rows: number;
  readonly fault: FieldFault | undefined;
  readonly text: string;
};

/** A field for what is copied from elsewhere: as wide as the page, every character of the same width. */
export function TextArea({ id, name, label, hint, rows, fault, text }: Props) {
  const describedBy = fault === undefined ? `${id}-hint` : `${id}-hint ${id}-error`;
  return (
    <div className={fault === undefined ? "field wide" : "field wide with-error"}>
      <label htmlFor={id}>{label}</label>
      <p className="hint" id={`${id}-hint`}>
        {hint}
      </p>
      <FieldError id={`${id}-error`} fault={fault} />
      <textarea
        id={id}
        name={name}
        rows={rows}
        defaultValue={text}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={fault !== undefined}
        aria-describedby={describedBy}
      />
    </div>
  );
}
