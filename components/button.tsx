import type { ButtonHTMLAttributes, ReactNode } from "react";

/** Yes and no weigh the same: same size, same contrast, side by side. */
export type ButtonKind = "main" | "counter";

const shape =
  "inline-flex min-h-12 min-w-36 cursor-pointer items-center justify-center rounded-field border border-transparent px-6 py-2 text-center leading-tight font-strong no-underline wrap-anywhere print:hidden";
const kinds: Readonly<Record<ButtonKind, string>> = {
  main: "bg-brand text-on-brand hover:bg-brand-deep",
  counter: "bg-counter text-card hover:bg-counter-deep",
};

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className" | "type"> & {
  readonly kind?: ButtonKind;
};

/** Sends a form. */
export function Button({ kind = "main", children, ...button }: Props) {
  return (
    <button {...button} type="submit" className={`${shape} ${kinds[kind]}`}>
      {children}
    </button>
  );
}

type LinkProps = {
  readonly href: string;
  readonly kind?: ButtonKind;
  readonly children: ReactNode;
};

/** Leads on, and changes nothing. */
export function ButtonLink({ href, kind = "main", children }: LinkProps) {
  return (
    <a href={href} className={`${shape} ${kinds[kind]}`}>
      {children}
    </a>
  );
}
