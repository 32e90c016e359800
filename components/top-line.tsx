import type { ReactNode } from "react";

/** What can be done on every page, above what this one is about. */
export function TopLine({ children }: { readonly children: ReactNode }) {
  return <div className="mb-2 flex justify-end print:hidden">{children}</div>;
}
