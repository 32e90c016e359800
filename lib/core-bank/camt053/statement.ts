import type { Counterparty, Transaction } from "@/lib/domain/account-access/bank-account";
import type { Iban } from "@/lib/domain/iban";
import type { IsoDate } from "@/lib/domain/iso-date";
import type { Currency } from "@/lib/domain/money";
import type { XmlElement } from "./xml-element";

/** One `Stmt`: complete, and it adds up. Amounts are minor units, negative is a debit. */
export type Statement = {
  readonly place: XmlElement;
  readonly id: string;
  readonly account: StatementAccount;
  readonly opening: StatementBalance;
  readonly closing: StatementBalance;
  readonly entries: readonly StatementEntry[];
  /** How many `Ntry` move no money: for information only, of a day to come, or of zero. */
  readonly leftOut: number;
};

export type StatementAccount = {
  readonly iban: Iban;
  readonly currency: Currency;
  readonly bic: string;
  readonly name: string;
  readonly product: string;
  readonly kind: "current" | "savings" | "loan";
};

export type StatementBalance = {
  readonly place: XmlElement;
  readonly amountMinor: bigint;
  readonly day: IsoDate;
};

export type StatementEntry = {
  readonly place: XmlElement;
  /** What a later statement knows the entry by. */
  readonly reference: string;
  readonly status: Transaction["status"];
  readonly amountMinor: bigint;
  /** The booking date; for a pending entry the day it was entered. */
  readonly day: IsoDate;
  readonly valueOn: IsoDate | undefined;
  readonly counterparty: Counterparty;
  readonly remittance: string | undefined;
  readonly endToEndId: string | undefined;
  readonly bankTransactionCode: string;
};
