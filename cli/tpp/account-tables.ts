import type { Account, Balance, Transaction, TransactionReport } from "@/clients/typescript/src";
import { table } from "./table";

export function accountsTable(accounts: readonly Account[]): string {
  const columns = [
    { heading: "Account" },
    { heading: "IBAN" },
    { heading: "Currency" },
    { heading: "Booked", align: "right" },
    { heading: "Expected", align: "right" },
    { heading: "Available", align: "right" },
  ] as const;
  const rows = accounts.map((account) => [
    account.name ?? NOTHING,
    account.iban,
    account.currency,
    ...["closingBooked", "expected", "forwardAvailable"].map((type) =>
      balance(account.balances, type),
    ),
  ]);
  return table(columns, rows);
}

export function transactionsTable({ transactions }: TransactionReport, latest: number): string {
  const columns = [
    { heading: "Day" },
    { heading: "Amount", align: "right" },
    { heading: "Other side" },
    { heading: "Remittance" },
  ] as const;
  const pending = (transactions.pending ?? []).map((entry) => row(entry, "pending"));
  const booked = (transactions.booked ?? []).map((entry) => row(entry, entry.bookingDate));
  return table(columns, [...pending, ...booked].slice(0, latest));
}

const NOTHING = "-";

function row(entry: Transaction, day: string | undefined): readonly string[] {
  const { amount, currency } = entry.transactionAmount;
  return [
    day ?? NOTHING,
    `${amount} ${currency}`,
    entry.creditorName ?? entry.debtorName ?? NOTHING,
    entry.remittanceInformationUnstructured ?? NOTHING,
  ];
}

function balance(balances: readonly Balance[] | undefined, type: string): string {
  const found = balances?.find(({ balanceType }) => balanceType === type);
  return found?.balanceAmount.amount ?? NOTHING;
}
