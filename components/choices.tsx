import type { ReactNode } from "react";
import { ChooseAll } from "./choice";
import { FieldError, type FieldFault } from "./field-error";

type Props = {
  readonly id: string;
  readonly legend: string;
  readonly all: { readonly label: string; readonly hint: string };
  readonly fault: FieldFault | undefined;
  readonly children: ReactNode;
};

/** Any number of many, one of them or all at once. */
export function Choices({ id, legend, all, fault, children }: Props) {
  const faultId = fault === undefined ? undefined : `${id}-error`;
  const edge = fault === undefined ? "" : "border-s-4 border-error ps-4";
  return (
    <fieldset className={`group/choices mt-6 min-w-0 ${edge}`} aria-describedby={faultId}>
      <legend className="mb-2 font-strong">{legend}</legend>
      <FieldError id={`${id}-error`} fault={fault} />
      <ChooseAll {...all} />
      <ul className="grid gap-2.5">{children}</ul>
    </fieldset>
  );
}
