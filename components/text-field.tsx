import type { InputHTMLAttributes } from "react";
import { FieldError, type FieldFault } from "./field-error";
import { Hint } from "./hint";

type Props = {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly fault: FieldFault | undefined;
  /** A code is short, and its digits are told apart. */
  readonly kind?: "text" | "code";
  readonly input: Omit<InputHTMLAttributes<HTMLInputElement>, "className"> & {
    readonly name: string;
  };
};

const box =
  "min-h-12 w-full rounded-field border bg-card px-3 py-2 aria-[invalid=false]:border-edge aria-[invalid=true]:border-2 aria-[invalid=true]:border-error";
const kinds = {
  text: "text-field",
  code: "max-w-48 text-code tracking-[0.22em] tabular-nums",
};

/** Label, hint, what is wrong, and the field, in the order in which they are read out. */
export function TextField({ id, label, hint, fault, kind = "text", input }: Props) {
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  const faultId = fault === undefined ? undefined : `${id}-error`;
  const describedBy = [hintId, faultId].filter((part) => part !== undefined).join(" ");
  return (
    <div className="mt-5 max-w-field">
      <label htmlFor={id} className="mb-1 block font-strong">
        {label}
      </label>
      {hint !== undefined && <Hint id={hintId}>{hint}</Hint>}
      <FieldError id={`${id}-error`} fault={fault} />
      <input
        {...input}
        id={id}
        className={`${box} ${kinds[kind]}`}
        aria-invalid={fault !== undefined}
        aria-describedby={describedBy === "" ? undefined : describedBy}
      />
    </div>
  );
}
