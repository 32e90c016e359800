import type { HTMLAttributes } from "react";
import { Unseen } from "./unseen";

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
    <FaultText id={id}>
      <Unseen>{fault.prefix} </Unseen>
      {fault.text}
    </FaultText>
  );
}

/** Says what is wrong where it is. */
export function FaultText(props: Omit<HTMLAttributes<HTMLParagraphElement>, "className">) {
  return <p {...props} className="mb-1.5 font-strong text-error" />;
}
