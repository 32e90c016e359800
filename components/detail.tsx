import type { ReactNode } from "react";

type Props = { readonly id?: string; readonly children: ReactNode };

/** What belongs to the line above it, and is less. */
export function Detail({ id, children }: Props) {
  return (
    <small id={id} className="block text-small text-muted">
      {children}
    </small>
  );
}
