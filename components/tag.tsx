import type { ReactNode } from "react";

type Props = { readonly id?: string | undefined; readonly children: ReactNode };

/** One word on how something stands. */
export function Tag({ id, children }: Props) {
  return (
    <span id={id} className="rounded-full border border-edge px-2.5 py-px text-small text-muted">
      {children}
    </span>
  );
}
