import type { ReactNode } from "react";

type Props = {
  /** For a yes and a no: each as wide as the other. */
  readonly equal?: boolean;
  readonly children: ReactNode;
};

/** The buttons at the end of a question; below each other where there is no room beside. */
export function Actions({ equal = false, children }: Props) {
  const widths = equal ? "*:flex-[1_1_9rem]" : "wide:*:grow-0";
  return (
    <div className={`mt-7 flex flex-wrap gap-3 *:grow max-wide:*:basis-full ${widths}`}>
      {children}
    </div>
  );
}
