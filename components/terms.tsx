import type { ReactNode } from "react";

/**
 * What is agreed to, each with its name before it; above it where there is no room beside. Two lists
 * after each other look like one.
 */
export function Terms({ children }: { readonly children: ReactNode }) {
  return <dl className="my-5 border-b border-line [dl+&]:-mt-[calc(1.25rem+1px)]">{children}</dl>;
}

type Props = { readonly label: string; readonly children: ReactNode };

/** One of the terms. */
export function Term({ label, children }: Props) {
  return (
    <div className="break-inside-avoid gap-x-4 border-t border-line py-3 wide:grid wide:grid-cols-[minmax(7rem,9rem)_minmax(0,1fr)]">
      <dt className="text-muted">{label}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}
