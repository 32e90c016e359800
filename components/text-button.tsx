import type { ButtonHTMLAttributes } from "react";

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className" | "type">;

/** Sends a form, and is not what the page is about. */
export function TextButton({ children, ...button }: Props) {
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
