import type { HTMLAttributes } from "react";

const kinds = { error: "bg-error-tint text-error", good: "bg-good-tint font-strong text-good" };

type Props = Omit<HTMLAttributes<HTMLDivElement>, "className"> & {
  readonly kind: keyof typeof kinds;
};

/** What came of the last answer, above everything else. */
export function Notice({ kind, children, ...rest }: Props) {
  return (
    <div
      {...rest}
      className={`mb-5 rounded-box border border-s-6 border-current px-5 py-4 wrap-anywhere ${kinds[kind]}`}
    >
      {children}
    </div>
  );
}
