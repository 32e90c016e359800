/** What a client of the bank API may be allowed to do. Each operation needs one of them; none includes another. */
export const scopes = {
  "permissions:read":
    "See a customer's permissions, how they were used, and which TPPs the customer has refused.",
  "permissions:end": "End a customer's permissions.",
  "payments:read": "See the payments that a customer has made through TPPs.",
  "opt-outs:write": "Refuse a TPP for a customer, and take it back.",
  "events:read": "Read what was recorded.",
  "tpps:read": "See the TPPs that have called, their certificates, and which of them are blocked.",
  "tpps:block": "Block a TPP and let it in again, without a second person.",
  "tpps:request":
    "Ask for a TPP to be blocked or let in again, which one of the bank's people approves.",
  "statistics:read": "Read how many permissions, payments and refusals there are.",
} as const;

export type Scope = keyof typeof scopes;
export const everyScope = Object.keys(scopes) as readonly Scope[];

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopes, text);
}
