import type { IsoDate } from "@/lib/domain/iso-date";
import type { Money } from "@/lib/domain/money";
import type { PaymentProduct } from "@/lib/domain/payment/payment-product";
import type { ChargeBearer } from "@/lib/domain/payment/product-terms";
import type { QuotedName } from "./formats";

export type TppTexts = {
  readonly who: string;
  readonly registration: (id: string) => string;
  readonly authority: (name: string, id: string) => string;
};

export type CodeTexts = {
  readonly heading: string;
  readonly label: string;
  readonly hint: (digits: number, sentAt: Date, timeZone: string) => string;
  readonly expired: string;
  readonly noMore: string;
  readonly newCode: string;
  readonly submit: string;
  /** Before the first code, where none went with the login. */
  readonly firstHeading: string;
  readonly firstHint: string;
  readonly sendFirst: string;
};

/** What would be paid. Every amount is exact. */
export type PaymentTexts = {
  readonly heading: (amount: Money, payee: QuotedName) => string;
  readonly amount: string;
  readonly money: (amount: Money) => string;
  readonly payee: string;
  readonly bic: (bic: string) => string;
  readonly address: (lines: readonly string[], country: string) => string;
  readonly message: string;
  readonly reference: string;
  readonly from: string;
  readonly debited: string;
  readonly converted: (amount: Money) => string;
  readonly fees: string;
  readonly noFee: string;
  /** In the tariff's currency, and as it is debited when that is another. */
  readonly fee: (tariff: Money, debited: Money) => string;
  /** Where the order lets the charges be shared out; undefined where there is nothing to say. */
  readonly charges: Readonly<Record<ChargeBearer, string | undefined>>;
  readonly execution: string;
  readonly executed: Readonly<Record<PaymentProduct, string>>;
  readonly consequences: string;
};

/** What a card's issuer may ask. */
export type FundsTexts = {
  readonly heading: (tpp: QuotedName) => string;
  readonly account: string;
  readonly issuer: string;
  readonly card: string;
  readonly cardEnding: (lastDigits: string) => string;
  readonly noCard: string;
  readonly until: string;
  readonly untilDay: (date: IsoDate) => string;
  readonly untilEnded: string;
  readonly consequences: (tpp: QuotedName, bankName: string) => string;
};
