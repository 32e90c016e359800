import type { ReactNode } from "react";

type Props = { readonly strong?: boolean; readonly children: ReactNode };

/** What the page below is part of. */
export function Caption({ strong = false, children }: Props) {
  const weight = strong ? "mb-2.5 font-strong" : "mb-1.5 text-small";
  return <p className={`text-muted wrap-anywhere ${weight}`}>{children}</p>;
}
