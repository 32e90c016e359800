import type { RequestId, TppId } from "../identifiers";

/** What the bank has to be able to show later (RTS art. 29); never an amount, a name or an IBAN. */
export type AuditEvent = {
  readonly kind: "idempotency-mismatch";
  readonly at: Date;
  readonly tppId: TppId;
  readonly requestId: RequestId;
};

/** Append-only: the database refuses to change or remove an event. */
export type AuditLog = { readonly record: (event: AuditEvent) => Promise<void> };
