import type { PaymentProgress } from "../core-bank";
import type { AuthorisationId, PaymentId, RequestId, TppId } from "../identifiers";
import type { Authorisation } from "../sca/authorisation";
import type { Payment } from "./payment";

/** `X-Request-ID` counts for one TPP only: another TPP's same id is another request. */
export type RequestKey = { readonly tppId: TppId; readonly requestId: RequestId };

/** An answer as it left the house, to leave it again byte for byte. */
export type StoredAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type FirstAnswer = {
  readonly answer: StoredAnswer;
  /** Of the bytes that were answered, base64url of their SHA-256. */
  readonly bodyDigest: string;
};

export type Initiation = FirstAnswer & {
  readonly key: RequestKey;
  readonly at: Date;
  /** Absent when a rule of the bank has refused it: the refusal is the answer for good. */
  readonly started?: {
    readonly payment: Payment;
    readonly authorisation: Authorisation;
    /** How many authorisations a TPP may have open. */
    readonly openMax: number;
  };
};

export type PaymentStore = {
  readonly firstAnswer: (key: RequestKey) => Promise<FirstAnswer | undefined>;
  /**
   * Answer, payment and authorisation, all or nothing, unless the key has been answered: then nothing
   * is kept and the first answer comes back. A call while the first one runs waits for it. `full`, and
   * nothing is kept, when the TPP has too many authorisations open and the key has no answer yet.
   */
  readonly initiate: (
    initiation: Initiation,
  ) => Promise<(FirstAnswer & { readonly first: boolean }) | "full">;
  /** A payment of another TPP is not found: unknown and foreign cannot be told apart. */
  readonly findOfTpp: (id: PaymentId, tppId: TppId) => Promise<Payment | undefined>;
  readonly findByAuthorisation: (id: AuthorisationId) => Promise<Payment | undefined>;
  /**
   * Authorised payments whose submission or next question to the core bank is due. Each is claimed for one
   * server; when that one does not `record` an answer, it is due again, each time after a longer pause.
   */
  readonly claimSubmissions: (now: Date, limits: SubmissionLimits) => Promise<readonly Payment[]>;
  /**
   * Writes how far a payment has come at the core bank, and when it is asked again; never, without `dueAt`.
   * An answer that is older than what is known changes no status.
   */
  readonly record: (
    payment: Payment,
    progress: PaymentProgress,
    dueAt: Date | undefined,
  ) => Promise<void>;
};

export type SubmissionLimits = {
  readonly rowsAtOnce: number;
  /** The first pause; it doubles each time. */
  readonly retrySeconds: number;
  readonly retrySecondsMax: number;
};
