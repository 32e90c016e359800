import type { ReactNode } from "react";
import { BankMark } from "./bank-mark";

export type BankFrame = {
  readonly title: string;
  readonly bankName: string;
  /** Which part of the bank this is. */
  readonly place: string;
  /** The form that switches the language, where there is more than one. */
  readonly languages?: ReactNode;
};

type Props = BankFrame & { readonly footer?: ReactNode; readonly children: ReactNode };

const column = "mx-auto w-full max-w-page px-5";

/** The bank's look around whatever a page says. */
export function BankPage({ title, bankName, place, languages, footer, children }: Props) {
  return (
    <>
      <title>{title}</title>
      <header className="border-b border-line bg-card">
        <div
          className={`bank-inner flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-3.5 ${column}`}
        >
          <span className="flex items-center gap-x-3">
            <BankMark />
            <span className="font-serif text-part leading-tight font-strong">{bankName}</span>
          </span>
          <span className="flex grow flex-wrap items-center justify-between gap-x-3 text-small wide:justify-end">
            <span className="text-muted">{place}</span>
            {languages}
          </span>
        </div>
      </header>
      <main className={`pt-5 pb-6 wide:pt-8 ${column}`}>{children}</main>
      {footer !== undefined && (
        <footer className={`grid gap-1.5 pb-10 text-small text-muted ${column}`}>{footer}</footer>
      )}
    </>
  );
}
