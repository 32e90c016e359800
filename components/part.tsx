import type { ReactNode } from "react";

type Props = {
  /** The heading's, which names the part. */
  readonly id: string;
  readonly heading: ReactNode;
  readonly children: ReactNode;
};

/** A part of a page that has a heading of its own. */
export function Part({ id, heading, children }: Props) {
  return (
    <section aria-labelledby={id} className="mt-9">
      <h2 id={id}>{heading}</h2>
      {children}
    </section>
  );
}
