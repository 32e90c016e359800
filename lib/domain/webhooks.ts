/** What the bank's own systems are told of, in the transaction in which it happens. */
export const webhookTypes = [
  "permission.given",
  "permission.first_used",
  "permission.ended",
  "payment.initiated",
  "tpp.blocked",
] as const;
/** What TPPs are told, of a consent or payment of theirs. */
export const notificationType = "resource.status";
export type WebhookType = (typeof webhookTypes)[number] | typeof notificationType;

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
  /** Of one receiver, so that the others go on when it does not answer. */
  atOncePerReceiver: 10,
  /** The bank's own systems are told in the end. */
  attemptsMax: Number.POSITIVE_INFINITY,
} as const;

/** Of the notifications of TPPs; a TPP is a receiver. */
export const notificationLimits = {
  ...webhookLimits,
  atOnce: 40,
  answerSeconds: 2,
  waitingMax: 10_000,
  /** About 30 hours; after that the TPP reads the status. */
  attemptsMax: 40,
} as const;

export type DeliveryLimits = {
  readonly [Name in keyof typeof webhookLimits]: number;
};

/** The standard's words for what a TPP wants to be told: changes of scaStatus, of the resource's status, its last status. */
export const notificationContents = ["SCA", "PROCESS", "LAST"] as const;
export type NotificationContent = (typeof notificationContents)[number];

/** Where a TPP is told of one resource, and of what. */
export type Notification = {
  readonly uri: string;
  readonly content: readonly NotificationContent[];
};

export type Webhook = {
  /** The same for each attempt. */
  readonly messageId: string;
  readonly type: WebhookType;
  readonly at: Date;
  readonly data: Readonly<Record<string, string>>;
  /** Of a TPP; the bank's own receiver is a setting. */
  readonly url?: string | null;
};
