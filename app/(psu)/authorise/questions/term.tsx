import type { ReactNode } from "react";

type Props = { readonly label: string; readonly children: ReactNode };

/** One of the terms that the PSU agrees to. */
export function Term({ label, children }: Props) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}
