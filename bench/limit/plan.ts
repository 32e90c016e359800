/**
 * What the limit does for one request: data alone, because the limit is to share no code with the
 * product, and runs in a process of its own.
 */
export type Plan = {
  /** What is made anew for each request. */
  readonly slots: readonly Slot[];
  /** One wave after the other; what is in one wave is sent without waiting for the rest of it. */
  readonly waves: readonly (readonly Step[])[];
  readonly answer: {
    readonly status: number;
    readonly headers: readonly (readonly [name: string, value: Template])[];
    readonly body: Template;
  };
};

export type Slot =
  | { readonly kind: "request-id" }
  | { readonly kind: "uuid" }
  /** So many milliseconds from now. */
  | { readonly kind: "instant"; readonly offset: number }
  /** As many characters of base64url, or of hexadecimal. */
  | { readonly kind: "random"; readonly length: number; readonly encoding: "base64url" | "hex" };

/** Text, or text with slots between its literal parts. */
export type Template =
  | string
  | { readonly literals: readonly string[]; readonly slots: readonly number[] };

export type Statement = {
  readonly kind: "statement";
  readonly text: string;
  readonly protocol: "simple" | "unnamed" | "named";
  readonly types: readonly number[];
  readonly parameters: readonly (Template | null)[];
  /** What PostgreSQL says when it did what it should, e.g. `INSERT 0 1`. */
  readonly tag: string;
};

export type Transaction = {
  readonly kind: "transaction";
  /** After the word BEGIN. */
  readonly options: string;
  readonly waves: readonly (readonly Statement[])[];
};

export type Step = Statement | Transaction;

/** By method and path, then by the Consent-ID, which decides whose rows are read. */
export type Plans = Readonly<Record<string, Readonly<Record<string, Plan>>>>;

export const NO_CONSENT = "-";
