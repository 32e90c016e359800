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
  /** The last of its history, the ledger's included. */
  status: TransactionStatus;
  history: readonly TransactionStatus[];
  scaStatus: ScaStatus;
  failedAttempts: number;
  codesSent: number;
  code?: { readonly text: string; readonly expiresAt: Date };
  authorisedAt?: Date;
  /** When the ledger looks at it again; absent while nothing is due. */
  dueAt?: Date;
  /** As many of its statuses as Drawbridge has been seen to know. */
  known: number;
  /** Until then Drawbridge may know less than the ledger: a server was killed, or several ran at once. */
  behindUntil?: Date;
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
    .filter((life) => wasAccepted(life) && dayOf(life.authorisedAt) === day)
    .filter(({ status }) => status !== "RJCT")
    .reduce((sum, { limited }) => sum + limited, 0n);
}

export function wasAccepted(life: Life): life is Life & { readonly authorisedAt: Date } {
  return life.history.includes("ACCP");
}

/** Its next step is the core bank's. */
export function isWithTheBank({ status, order: { product } }: Life): boolean {
  if (status === "ACSC") return aspspProfile.payments.products[product].reportsCredit;
  return status !== "RCVD" && status !== "RJCT" && status !== "ACCC";
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

/** The PSU's yes. */
export function authorise({ now }: Model, life: Life): void {
  life.scaStatus = "finalised";
  life.authorisedAt = now;
  become(life, "ACTC");
}

/** The core bank refuses it all the same when a limit would be passed. */
export function isAccepted(model: Model, { limited, authorisedAt = model.now }: Life): boolean {
  const { ownLimit } = model;
  const used = usedOn(model, dayOf(authorisedAt));
  return (ownLimit === null || limited <= ownLimit) && used + limited <= DAY_LIMIT;
}

/** The PSU's yes, submitted at once. */
export function confirmed(model: Model, life: Life): "finalised" | "rejected" {
  const accepted = isAccepted(model, { ...life, authorisedAt: model.now });
  authorise(model, life);
  become(life, accepted ? "ACCP" : "RJCT");
  if (!accepted) return "rejected";
  life.dueAt = model.now;
  return "finalised";
}

/** A server was killed, and what it had claimed is claimed again after a pause at the latest. */
export function fallBehind({ lives, now }: Model, seconds: number): void {
  for (const life of lives.filter(isWithTheBank)) {
    const until = after(now, seconds, "second");
    if (life.behindUntil === undefined || life.behindUntil < until) life.behindUntil = until;
  }
}

export function passTime(model: Model, seconds: number): void {
  model.now = after(model.now, seconds, "second");
  for (const life of model.lives) {
    if (model.now >= after(life.createdAt, sca.windowMinutes, "minute")) fail(life);
  }
}
