import type { ReactNode } from "react";

/** The part of a page in which something is answered; nothing of it is to be printed. */
export function Panel({ children }: { readonly children: ReactNode }) {
  return <div className="mt-6 rounded-card bg-sunk p-5 print:hidden">{children}</div>;
}
