import type { ReactNode } from "react";

/** Where else one can go, in a row as long as there is room. */
export function Links({ children }: { readonly children: ReactNode }) {
  return (
    <p className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-1.5 *:py-0.5 print:hidden">
      {children}
    </p>
  );
}
