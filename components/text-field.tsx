import type { InputHTMLAttributes } from "react";
import { FieldError, type FieldFault } from "./field-error";

type Props = {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly fault: FieldFault | undefined;
  readonly input: InputHTMLAttributes<HTMLInputElement> & { readonly name: string };
};

/** Label, hint, what is wrong, and the field, in the order in which they are read out. */
export function TextField({ id, label, hint, fault, input }: Props) {
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  const faultId = fault === undefined ? undefined : `${id}-error`;
  const describedBy = [hintId, faultId].filter((part) => part !== undefined).join(" ");
  return (
    <div className={fault === undefined ? "field" : "field with-error"}>
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <p className="hint" id={hintId}>
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} fault={fault} />
      <input
        {...input}
        id={id}
        aria-invalid={fault !== undefined}
        aria-describedby={describedBy === "" ? undefined : describedBy}
      />
    </div>
  );
}
