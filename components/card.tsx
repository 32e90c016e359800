import type { ReactNode } from "react";

/** What a page is about. */
export function Card({ children }: { readonly children: ReactNode }) {
  return (
    <div className="rounded-card border border-line bg-card p-card print:border-0 print:bg-transparent print:p-0">
      {children}
    </div>
  );
}
