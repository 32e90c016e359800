import type { ResourceKind } from "@/lib/domain/authorisation";
import type { OutcomeName, OwnOutcomeName } from "../outcome";
import type { EndPage } from "../pages";
import type { QuotedName } from "./formats";

export type Notice = { readonly heading: string; readonly lead: string };

/** What ended, as far as its page says. */
export type Ended = {
  readonly kind: ResourceKind;
  readonly tpp: QuotedName;
  readonly bankName: string;
  /** How long a user ID stays blocked. */
  readonly blockMinutes: number;
};
export type EndTexts = Readonly<
  Record<EndPage, { readonly heading: string; readonly lead: (ended: Ended) => string }>
>;

/** `left`: tries, or seconds to wait. */
export type OutcomeTexts = Readonly<Record<OutcomeName, (left?: number) => string>>;
export type OwnOutcomeTexts = Readonly<
  Record<
    OwnOutcomeName,
    (left: number | undefined, bank: Pick<Ended, "bankName" | "blockMinutes">) => string
  >
>;
