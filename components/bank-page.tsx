import type { ReactNode } from "react";
import { BankMark } from "./bank-mark";

export type BankFrame = {
  readonly title: string;
  readonly bankName: string;
  /** Which part of the bank this is. */
  readonly place: string;
};

type Props = BankFrame & { readonly footer?: ReactNode; readonly children: ReactNode };

/** The bank's look around whatever a page says. */
export function BankPage({ title, bankName, place, footer, children }: Props) {
  return (
    <>
      <title>{title}</title>
      <header className="bank">
        <div className="bank-inner">
          <BankMark />
          <span className="bank-name">{bankName}</span>
          <span className="bank-place">{place}</span>
        </div>
      </header>
      <main>{children}</main>
      {footer !== undefined && <footer>{footer}</footer>}
    </>
  );
}
