/** A string that has been checked to be what its name says. */
export type Branded<Name extends string> = string & { readonly __brand: Name };

/** organizationIdentifier of the TPP's certificates, e.g. `PSDRO-NBR-1234567`; also its OAuth `client_id`. */
export type TppId = Branded<"TppId">;
export type ConsentId = Branded<"ConsentId">;
export type PaymentId = Branded<"PaymentId">;
/** `X-Request-ID` of a TPP's request, lower case. */
export type RequestId = Branded<"RequestId">;
export type AuthorisationId = Branded<"AuthorisationId">;
/** The bank's own key of a PSU; never shown to a TPP. */
export type PsuId = Branded<"PsuId">;
/** The bank's own key of an account or sub-account; never shown to a TPP. */
export type AccountId = Branded<"AccountId">;
/** What a TPP sees in place of an account: random for each consent and account, so it links nothing. */
export type ResourceId = Branded<"ResourceId">;
/** Stays the same from pending to booked and over the years. */
export type TransactionId = Branded<"TransactionId">;
/** A state of an account's books, by which the core bank finds it again; nobody else can read it. */
export type BooksState = Branded<"BooksState">;
/** Of one page of a report that one consent opens: another question, or another consent's, has another one. */
export type PageName = Branded<"PageName">;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Ids that travel in paths and scopes are UUID v4: unguessable, without blank or colon. */
export const newConsentId = () => crypto.randomUUID() as string as ConsentId;
export const newPaymentId = () => crypto.randomUUID() as string as PaymentId;
export const newAuthorisationId = () => crypto.randomUUID() as string as AuthorisationId;
export const newResourceId = () => crypto.randomUUID() as string as ResourceId;
