import type { ReactNode } from "react";

/** Read out, not seen. */
export function Unseen({ children }: { readonly children: ReactNode }) {
  return <span className="sr-only">{children}</span>;
}
