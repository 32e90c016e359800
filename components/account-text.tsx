import type { ReactNode } from "react";
import type { Iban } from "@/lib/domain/iban";
import { IbanText } from "./iban-text";

type Props = {
  readonly name?: string | undefined;
  readonly iban: Iban;
  readonly currency?: string | undefined;
};

/** Name, IBAN and currency, which together name one (sub-)account. */
export function AccountText({ name, iban, currency }: Props) {
  return (
    <>
      {name !== undefined && (
        <>
          <span className="block font-strong">{name}</span>{" "}
        </>
      )}
      <IbanText iban={iban} />
      {currency !== undefined && (
        <>
          {" "}
          <span className="font-strong">{currency}</span>
        </>
      )}
    </>
  );
}

/** Accounts below each other. */
export function AccountList({ children }: { readonly children: ReactNode }) {
  return <ul className="mb-1.5 grid gap-2.5">{children}</ul>;
}
