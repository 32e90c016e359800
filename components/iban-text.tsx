import { Fragment } from "react";
import type { Iban } from "@/lib/domain/iban";

/**
 * In groups of four for the eye only: read out, found and copied it is one word without blanks.
 */
export function IbanText({ iban }: { readonly iban: Iban }) {
  const groups = iban.match(/.{1,4}/g) ?? [];
  return (
    <span className="tabular-nums">
      {groups.map((group, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups repeat, and never change their order
        <Fragment key={at}>
          {at > 0 && <wbr />}
          <span className="me-[0.28em] whitespace-nowrap">{group}</span>
        </Fragment>
      ))}
    </span>
  );
}
