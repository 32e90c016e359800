import type { ReactNode } from "react";

type Props = {
  /** The heading's, which names the group. */
  readonly id: string;
  readonly heading: ReactNode;
  readonly children: ReactNode;
};

/** What belongs together in a part of a page. */
export function Group({ id, heading, children }: Props) {
  return (
    <section
      aria-labelledby={id}
      className="mt-4 rounded-box border border-line p-4 wide:p-5 print:border-0 print:p-0"
    >
      <h3 id={id}>{heading}</h3>
      {children}
    </section>
  );
}

type ItemProps = Omit<Props, "heading"> & { readonly heading: string };

/** One of several in a group. */
export function GroupItem({ id, heading, children }: ItemProps) {
  return (
    <article aria-labelledby={id} className="mt-5">
      <h4 id={id}>{heading}</h4>
      {children}
    </article>
  );
}
