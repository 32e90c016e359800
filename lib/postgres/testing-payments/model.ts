import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { after } from "@/lib/domain/clock";
import type { AuthorisationId, PaymentId, RequestId } from "@/lib/domain/identifiers";
import { dayIn, type IsoDate } from "@/lib/domain/iso-date";
import type { PaymentOrder } from "@/lib/domain/payment/payment";
import type { StoredAnswer } from "@/lib/domain/payment/payment-store";
import type { TransactionStatus } from "@/lib/domain/payment/transaction-status";
import type { ScaStatus } from "@/lib/domain/sca/sca-status";

/** Small enough to be reached in a few commands: in cents of a euro. */
export const DAY_LIMIT = 100_000n;

export type Payee = "inside" | "closed" | "outside";

/** What should be true of one payment, in the words of the specification and without a database. */
export type Life = {
  readonly id: PaymentId;
  readonly authorisationId: AuthorisationId;
  readonly requestId: RequestId;
  readonly answer: StoredAnswer;
  readonly order: PaymentOrder;
  readonly payee: Payee;
  /** What leaves the account, fee included, and what of it counts against the limits. */
  readonly debit: bigint;
  readonly limited: bigint;
  readonly createdAt: Date;
  status: TransactionStatus;
  history: readonly TransactionStatus[];
  scaStatus: ScaStatus;
  failedAttempts: number;
  codesSent: number;
  code?: { readonly text: string; readonly expiresAt: Date };
  authorisedAt?: Date;
  /** When the bank looks at it again; absent while nothing is due. */
  dueAt?: Date;
};

export type Model = {
  now: Date;
  readonly lives: Life[];
  /** On the debtor's account before any payment, and what has come in since. */
  credited: bigint;
  readonly overdraft: bigint;
  /** The most in one payment that the PSU has set; null: as much as the bank allows. */
  readonly ownLimit: bigint | null;
};

const { sca } = aspspProfile;

export const isOpen = ({ scaStatus }: Life) => scaStatus !== "finalised" && scaStatus !== "failed";
export const mayTry = (life: Life) => isOpen(life) && life.failedAttempts < sca.failedAttemptsMax;
export const codeRuns = ({ code }: Life, now: Date) => code !== undefined && now < code.expiresAt;
export const dayOf = (instant: Date): IsoDate => dayIn(aspspProfile.timeZone, instant);

const RESERVED: ReadonlySet<TransactionStatus> = new Set(["ACSP", "ACSC", "ACCC"]);

export const isDebited = ({ status }: Pick<Life, "status">) => RESERVED.has(status);

/** Everything there is on the debtor's account. */
export function balanceOf({ credited, lives }: Model): bigint {
  return lives.filter(isDebited).reduce((left, { debit }) => left - debit, credited);
}

/** What the PSU's payments of a day take of its limit; a rejected one gives back what it took. */
export function usedOn({ lives }: Pick<Model, "lives">, day: IsoDate): bigint {
  return lives
    .filter((life) => life.authorisedAt !== undefined && dayOf(life.authorisedAt) === day)
    .filter(({ status }) => status !== "RJCT")
    .reduce((sum, { limited }) => sum + limited, 0n);
}

export function become(life: Life, ...statuses: readonly TransactionStatus[]): void {
  life.history = [...life.history, ...statuses];
  life.status = statuses.at(-1) ?? life.status;
}

/** The PSU's no, the last wrong code, or the end of the window. */
export function fail(life: Life): void {
  if (!isOpen(life)) return;
  life.scaStatus = "failed";
  become(life, "RJCT");
}

/** The PSU's yes, which the bank refuses all the same when a limit would be passed. */
export function authorise(model: Model, life: Life): "finalised" | "rejected" {
  const { ownLimit, now } = model;
  const used = usedOn(model, dayOf(now));
  life.scaStatus = "finalised";
  if ((ownLimit !== null && life.limited > ownLimit) || used + life.limited > DAY_LIMIT) {
    become(life, "ACTC", "RJCT");
    return "rejected";
  }
  life.authorisedAt = now;
  life.dueAt = now;
  become(life, "ACTC", "ACCP");
  return "finalised";
}

export function passTime(model: Model, seconds: number): void {
  model.now = after(model.now, seconds, "second");
  for (const life of model.lives) {
    if (model.now >= after(life.createdAt, sca.windowMinutes, "minute")) fail(life);
  }
}
