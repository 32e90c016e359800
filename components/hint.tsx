import type { ReactNode } from "react";

type Props = { readonly id?: string | undefined; readonly children: ReactNode };

/** Read out with the field that it stands at. */
export function Hint({ id, children }: Props) {
  return (
    <p id={id} className="mb-1.5 text-muted">
      {children}
    </p>
  );
}
