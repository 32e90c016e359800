import type { TransactionStatus } from "@/lib/domain/payment-order";

/**
 * What the TPPs know at the end of a run, and what the bank is held to. A payment carries its
 * X-Request-ID as remittance, so that the books can be searched for what was asked, and not only
 * for what was kept of it.
 */
export type Journal = {
  readonly asked: readonly Asked[];
  readonly answers: readonly Answer[];
  /** In the order in which they were made: each was asked for after the one before was heard. */
  readonly sightings: readonly Sighting[];
  /** Payments whose PSU was sent back to the TPP with a code. */
  readonly authorised: readonly string[];
  /** X-Request-IDs of account consents, each as often as it was sent. */
  readonly consentsAsked: readonly string[];
  /** In the order in which they came. */
  readonly consents: readonly ConsentAnswer[];
  /** The consent of each read and funds check, as often as one was sent, and as often as one was served. */
  readonly readsSent: readonly string[];
  readonly readsAnswered: readonly string[];
  /** Answers that no TPP should ever get, a sentence each. */
  readonly oddities: readonly string[];
  /** Requests without a good end in a run in which none may fail, a sentence each. */
  readonly failures: readonly string[];
  /** What was slow to come back or did not end as it should, a sentence each. */
  readonly delays: readonly string[];
};

/** Every request that was ever sent, whether or not an answer came. */
export type Asked = {
  readonly requestId: string;
  readonly currency: string;
  /** Of each body that went out under this id; the first one to arrive is the payment. */
  readonly amounts: readonly bigint[];
};

/** Of the bank to a POST; nothing, and what says that the bank has a fault, are no answer. */
export type Answer = {
  readonly requestId: string;
  readonly status: number;
  readonly body: string;
  readonly location: string | undefined;
};

/** Without an id where the bank said that the request had created a consent before. */
export type ConsentAnswer = {
  readonly requestId: string;
  readonly consentId: string | undefined;
};

export type Sighting = { readonly paymentId: string; readonly status: TransactionStatus };

/** The journal while it is being written. */
export type Notebook = { readonly [Page in keyof Journal]: Journal[Page][number][] };

export function emptyNotebook(): Notebook {
  return {
    asked: [],
    answers: [],
    sightings: [],
    authorised: [],
    consentsAsked: [],
    consents: [],
    readsSent: [],
    readsAnswered: [],
    oddities: [],
    failures: [],
    delays: [],
  };
}

/** The payment of a 201; undefined for any other answer. */
export function paymentOf({ status, body }: Pick<Answer, "status" | "body">): string | undefined {
  if (status !== 201) return undefined;
  const { paymentId } = JSON.parse(body) as { readonly paymentId?: unknown };
  return typeof paymentId === "string" ? paymentId : undefined;
}
