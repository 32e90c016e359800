/** What the bank's own systems are told of, in the transaction in which it happens. */
export const webhookTypes = [
  "permission.given",
  "permission.first_used",
  "permission.ended",
  "payment.initiated",
  "tpp.blocked",
] as const;
export type WebhookType = (typeof webhookTypes)[number];

export const webhookLimits = {
  everySeconds: 1,
  atOnce: 10,
  answerSeconds: 10,
  /** After the first failure of a message; it doubles with each, up to the most. */
  retrySeconds: 5,
  retrySecondsMax: 3_600,
  /** Beyond that the oldest are dropped, so many at once: what happened is in the events. */
  waitingMax: 100_000,
  droppedAtOnce: 200,
} as const;

export type Webhook = {
  /** The same for each attempt. */
  readonly messageId: string;
  readonly type: WebhookType;
  readonly at: Date;
  readonly data: Readonly<Record<string, string>>;
};
