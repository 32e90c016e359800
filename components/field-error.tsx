export type FieldFault = {
  /** Read out, not seen: `Error:`. */
  readonly prefix: string;
  readonly text: string;
};

type Props = { readonly id: string; readonly fault: FieldFault | undefined };

/** The text of the error summary, once more at the field. */
export function FieldError({ id, fault }: Props) {
  if (fault === undefined) return null;
  return (
    <p className="field-error" id={id}>
      <span className="visually-hidden">{fault.prefix} </span>
      {fault.text}
    </p>
  );
}
