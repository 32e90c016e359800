import type { ButtonHTMLAttributes, ReactNode } from "react";

/** Confirm and Cancel have the same size and contrast, side by side. */
type ButtonKind = "main" | "counter";

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

/** Sends a form, and is not what the page is about. */
export function TextButton({ children, ...button }: Omit<Props, "kind">) {
  return (
    <button
      {...button}
      type="submit"
      className="min-h-7 cursor-pointer text-start text-link underline decoration-1 underline-offset-[0.2em] hover:decoration-2 print:hidden"
    >
      {children}
    </button>
  );
}

type ActionsProps = {
  /** Each as wide as the other. */
  readonly equal?: boolean;
  readonly children: ReactNode;
};

/** The buttons at the end of a question; below each other on a narrow screen. */
export function Actions({ equal = false, children }: ActionsProps) {
  const widths = equal ? "*:flex-[1_1_9rem]" : "wide:*:grow-0";
  return (
    <div className={`mt-7 flex flex-wrap gap-3 *:grow max-wide:*:basis-full ${widths}`}>
      {children}
    </div>
  );
}
