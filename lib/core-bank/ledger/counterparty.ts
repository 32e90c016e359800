import type { Counterparty } from "@/lib/domain/account-access/bank-account";
import type { Iban } from "@/lib/domain/iban";
import { withoutNulls } from "./without-nulls";

type CounterpartyColumns = {
  readonly counterpartyName: string | null;
  readonly counterpartyIban: Iban | null;
  readonly counterpartyBic: string | null;
};

export function counterpartyOf(row: CounterpartyColumns): Counterparty {
  return withoutNulls({
    name: row.counterpartyName,
    iban: row.counterpartyIban,
    bic: row.counterpartyBic,
  });
}
