import type { CoreBank, PaymentChanges, PaymentProgress } from "./core-bank";
import { isUnavailable, Rejection } from "./errors";
import type { Payment, TransactionStatus } from "./payment-order";
import { hasHad, type PaymentStore } from "./payments";
import type { ChangePosition, PaymentId } from "./values";

/** What Drawbridge and the core bank say otherwise of one payment. */
export type Difference = {
  readonly paymentId: PaymentId;
  /**
   * `behind-here` is mended by writing what the core bank says, also of a payment that is not authorised here: the core
   * bank was given it once, so a restored backup is older than its authorisation. The others need a person: of a
   * `conflict` the core bank has executed another order under the payment's id.
   */
  readonly kind: "unknown-here" | "unknown-there" | "behind-here" | "contradictory" | "conflict";
  /** Drawbridge's status. */
  readonly here?: TransactionStatus | undefined;
  /** The core bank's. */
  readonly there?: TransactionStatus | undefined;
  /** Why it could not be mended. */
  readonly err?: unknown;
};

export type ReconciliationStore = {
  /** Those that are known here, of any TPP, authorised or not. */
  readonly find: (ids: readonly PaymentId[]) => Promise<readonly Payment[]>;
  /** Those authorised or changed since then, in the order of their ids. */
  readonly authorisedSince: (
    since: Date,
    page: { readonly after?: PaymentId | undefined; readonly limit: number },
  ) => Promise<readonly Payment[]>;
  /** How far the core bank's feed of changes has been read; undefined before the first page. */
  readonly feedPosition: () => Promise<ChangePosition | undefined>;
  /** Changes nothing where another server has moved it on meanwhile. */
  readonly moveFeedPosition: (
    from: ChangePosition | undefined,
    to: ChangePosition | undefined,
  ) => Promise<void>;
};

type Ports = {
  readonly coreBank: CoreBank;
  readonly payments: PaymentStore;
  readonly reconciliation: ReconciliationStore;
};

/**
 * Reads one page of the core bank's feed of changes and writes what it tells of payments that are behind here, whatever
 * became of the answer to their submission. Yields the differences that this does not mend. True when there may be more.
 */
export async function followChanges(
  ports: Ports,
): Promise<{ readonly more: boolean; readonly differences: readonly Difference[] }> {
  const { coreBank, payments, reconciliation } = ports;
  const position = await reconciliation.feedPosition();
  const page = await coreBank.paymentChanges(position).catch(async (error: unknown) => {
    if (!(error instanceof Rejection)) throw error;
    // The core bank no longer knows the position, as after a restored backup: all of the feed is read again.
    await reconciliation.moveFeedPosition(position, undefined);
    return undefined;
  });
  if (page === undefined) return { more: position !== undefined, differences: [] };
  const ids = page.changes.map(({ paymentId }) => paymentId);
  const found = ids.length === 0 ? [] : await reconciliation.find(ids);
  const known = new Map(found.map((payment) => [payment.id, payment]));
  const differences: Difference[] = [];
  for (const { paymentId, ...progress } of page.changes) {
    const payment = known.get(paymentId);
    const difference = differenceOf(paymentId, payment, progress);
    if (difference === undefined) continue;
    if (payment !== undefined && difference.kind === "contradictory") {
      // Or the page is older than what another turn has recorded meanwhile; an answer from now on is not.
      const now = differenceOf(paymentId, payment, await coreBank.payment(paymentId));
      if (now !== undefined && now.kind !== "behind-here") differences.push(now);
    } else if (payment === undefined || difference.kind !== "behind-here") {
      differences.push(difference);
    } else {
      await payments.record(payment, progress, progress.nextAt).catch((err: unknown) => {
        if (isUnavailable(err)) throw err;
        // What cannot be written of one payment does not keep the others from being read.
        differences.push({ ...difference, err });
      });
    }
  }
  await reconciliation.moveFeedPosition(position, page.next);
  return { more: isMore(page), differences };
}

const PAYMENTS_AT_ONCE = 200;

/** Compares every payment since then on both sides, tells each difference once, and changes nothing. */
export async function* differencesSince(
  { coreBank, reconciliation }: Omit<Ports, "payments">,
  since: Date,
): AsyncGenerator<Difference> {
  let last: PaymentId | undefined;
  for (;;) {
    const page = await reconciliation.authorisedSince(since, {
      after: last,
      limit: PAYMENTS_AT_ONCE,
    });
    for (const payment of page) {
      const difference = differenceOf(payment.id, payment, await coreBank.payment(payment.id));
      if (difference !== undefined) yield difference;
    }
    last = page.at(-1)?.id;
    if (page.length < PAYMENTS_AT_ONCE) break;
  }
  let position: ChangePosition | undefined;
  // The feed has a payment once for each change of its status, on as many pages.
  const told = new Set<PaymentId>();
  for (;;) {
    const page = await coreBank.paymentChanges(position);
    if (!isMore(page)) return;
    const { changes, next } = page;
    const recent = changes.filter(({ history }) => history.some(({ at }) => at >= since));
    const ids = recent.map(({ paymentId }) => paymentId);
    const found = ids.length === 0 ? [] : await reconciliation.find(ids);
    const known = new Map(found.map((payment) => [payment.id, payment]));
    for (const { paymentId, ...progress } of recent) {
      const payment = known.get(paymentId);
      if (told.has(paymentId) || (payment !== undefined && isRecent(payment, since))) continue;
      const difference = differenceOf(paymentId, payment, progress);
      if (difference === undefined) continue;
      told.add(paymentId);
      yield difference;
    }
    position = next;
  }
}

/** A page without any change is the last. */
function isMore({ changes, unusable = 0 }: PaymentChanges): boolean {
  return changes.length + unusable > 0;
}

/** Whether `authorisedSince` yields it. */
function isRecent({ authorisedAt, statusAt }: Payment, since: Date): boolean {
  return authorisedAt !== undefined && (authorisedAt >= since || statusAt >= since);
}

function differenceOf(
  paymentId: PaymentId,
  payment: Payment | undefined,
  progress: PaymentProgress | undefined,
): Difference | undefined {
  const [here, there] = [payment?.status, progress?.status];
  if (payment?.conflict && there !== undefined) return { paymentId, kind: "conflict", here, there };
  if (here === there) return undefined;
  if (here === undefined) return { paymentId, kind: "unknown-here", there };
  if (progress === undefined) {
    // Authorised, and not submitted yet.
    return here === "ACTC" ? undefined : { paymentId, kind: "unknown-there", here };
  }
  const isBehind = here === "RCVD" || here === "ACTC" || hasHad(progress, here);
  return { paymentId, kind: isBehind ? "behind-here" : "contradictory", here, there };
}
