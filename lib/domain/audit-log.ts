import type { PasskeyId } from "./passkeys";
import type { ConsentId, PsuId, RequestId, TppId } from "./values";

/** What the bank has to be able to show later (RTS art. 29); never an amount, a name or an IBAN. */
export type AuditEvent = { readonly at: Date } & (
  | {
      readonly kind: "idempotency-mismatch";
      readonly tppId: TppId;
      readonly requestId: RequestId;
    }
  | {
      /** The first funds check of 24 hours that was refused because it would help to find the balance. */
      readonly kind: "funds-search";
      readonly tppId: TppId;
      readonly requestId: RequestId;
      readonly consentId: ConsentId;
    }
  | {
      readonly kind: "passkey-added" | "passkey-removed";
      readonly psuId: PsuId;
      readonly passkeyId: PasskeyId;
    }
);

/** Append-only: the database refuses to change or remove an event. */
export type AuditLog = { readonly record: (event: AuditEvent) => Promise<void> };
