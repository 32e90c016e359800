import type { Currency, Money } from "../money";

/** Who pays the banks' charges; ISO 20022 ChargeBearerType1Code. */
export type ChargeBearer = "DEBT" | "CRED" | "SHAR" | "SLEV";

/** What the bank offers under the name of one payment product. */
export type ProductTerms = {
  readonly currencies: readonly [string, ...string[]];
  /** The most in one payment, whoever sends it; other currencies count at the indicative rate. */
  readonly limit: Money;
  /** Charged besides the amount unless the creditor bears the charges. */
  readonly fee: Money;
  /** From the debit to the settlement. */
  readonly settlesAfterSeconds: number;
  /** The creditor's bank tells that the money has arrived: the payment ends with ACCC. */
  readonly reportsCredit: boolean;
  /** Needs the creditor's bank and country, and lets the charges be shared out. */
  readonly crossBorder: boolean;
  /** The first is meant when the TPP names none; with one alone, naming any is refused. */
  readonly chargeBearers: readonly [ChargeBearer, ...ChargeBearer[]];
};

export function money(currency: string, minorUnits: bigint): Money {
  return { currency: currency as Currency, minorUnits };
}
