/** How far payments have been brought, and whether more is due at once. */
export type Executed = { readonly steps: number };

/**
 * Execution in the bank's books. Each payment that is due is claimed so that no other server waits for
 * it or does the same, and its step is one transaction: the change of status and the entries that go
 * with it, both or neither. Who is killed in between has done nothing.
 */
export type PaymentExecution = {
  readonly advance: (now: Date, rowsAtOnce: number) => Promise<Executed>;
};
