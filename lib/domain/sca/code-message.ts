import type { Iban } from "../iban";
import type { IsoDate } from "../iso-date";
import type { Money } from "../money";
import type { Creditor } from "../payment/payment";

/** What a code will do, as values. Its words are in the PSU's language, and stand with the pages' texts. */
export type CodePurpose =
  | {
      readonly kind: "AIS";
      readonly accounts: number;
      /** Undefined when the access is for one time. */
      readonly until: IsoDate | undefined;
    }
  | { readonly kind: "PIIS"; readonly iban: Iban; readonly until: IsoDate | undefined }
  | {
      readonly kind: "PIS";
      readonly amount: Money;
      readonly creditor: Pick<Creditor, "name" | "iban">;
    };

export type CodeMessage = {
  readonly code: string;
  readonly tppName: string;
  readonly purpose: CodePurpose;
};

/**
 * What the PSU reads on the phone: not only the code, but what it will do. In every language a payment's
 * names amount and payee (RTS art. 5(1)).
 */
export type CodeWording = (message: CodeMessage) => string;
