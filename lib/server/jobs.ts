// biome-ignore-all lint/style/noRestrictedImports: it ends with the process, and works in the stores
// biome-ignore-all lint/style/noRestrictedImports: it ends with the process, and works in the bank's books
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { rootCertificates } from "node:tls";
import { type Config, SettingError } from "@/lib/config";
import { connectCoreBank } from "@/lib/core-bank/connect";
import { findMagic } from "@/lib/core-bank/ledger/magic-payments";
import { paymentExecution } from "@/lib/core-bank/ledger/payment-execution";
import type { EventLog } from "@/lib/domain/events";
import { lastPublishedDay } from "@/lib/domain/interface-figures";
import { settleOverdue } from "@/lib/domain/overdue";
import { submitDuePayments } from "@/lib/domain/payments";
import { attemptLimits } from "@/lib/domain/psu-attempts";
import { followChanges } from "@/lib/domain/reconciliation";
import { addTime, type SandboxClock, type TppId } from "@/lib/domain/values";
import { type DeliveryLimits, notificationLimits, webhookLimits } from "@/lib/domain/webhooks";
import { readAnchorFile } from "@/lib/eidas/trusted-list";
import { followFiles } from "@/lib/files";
import { log } from "@/lib/log";
import { guardedFetch } from "@/lib/outbound/guarded-fetch";
import { notificationSender } from "@/lib/outbound/notification-sender";
import { sealReceiver } from "@/lib/outbound/seal-receiver";
import { type SendWebhook, webhookSender } from "@/lib/outbound/webhook-sender";
import { readAuthorities } from "@/lib/pem";
import { destroyReadsBefore, keepMonthsOfReads } from "@/lib/postgres/account-access";
import { authorisationStore } from "@/lib/postgres/authorisations";
import { connect, type Database } from "@/lib/postgres/client";
import { consentStore } from "@/lib/postgres/consents";
import { eventSealer, sendSeals } from "@/lib/postgres/event-seals";
import { eventLog, keepMonths } from "@/lib/postgres/events";
import { forgetFundsSearches, fundsConsentStore } from "@/lib/postgres/funds";
import { forgetInterfaceFigures, interfaceFigures } from "@/lib/postgres/interface-figures";
import { oidcModels } from "@/lib/postgres/oidc";
import { overdue } from "@/lib/postgres/overdue";
import { paymentStore } from "@/lib/postgres/payments";
import { psuAttempts, signInThrottle } from "@/lib/postgres/psu-attempts";
import { reconciliationStore } from "@/lib/postgres/reconciliation";
import { destroyRefusedBefore } from "@/lib/postgres/refused-requests";
import { sandboxClock } from "@/lib/postgres/sandbox";
import { psuSessionStore } from "@/lib/postgres/sign-ins";
import { destroyStaffSessions } from "@/lib/postgres/staff-sessions";
import { countDays, noteJobRun } from "@/lib/postgres/statistics";
import { type LeasedWebhook, type WebhookOutbox, webhookOutbox } from "@/lib/postgres/webhooks";
import { bankProfile } from "@/lib/profile/in-force";
import { systemClock } from "@/lib/system-clock";
import { repeat, type Step } from "./processes";

/**
 * Ends and removes what has expired. Every server does so: an end takes place once, and rows that another server has
 * locked are skipped. Not in Next, whose modules load with their first request and do not learn when they end.
 */
export function startSweep({ DATABASE_URL, SANDBOX }: Config): Step {
  const { db, close } = connect(DATABASE_URL, { max: 1 });
  const movable = SANDBOX ? sandboxClock(db) : undefined;
  const { everySeconds } = bankProfile().sweep;
  const turn = async () => {
    const [{ now }, ...own] = await clocksOf(movable);
    let more = await sweep(db, now);
    for (const { now, tppId } of own) more = (await endOverdue(db, now, tppId)) || more;
    await noteJobRun(db, "sweep");
    return more;
  };
  const { stop } = repeat({ everySeconds, turn });
  return { finish: () => stop().then(close) };
}

/**
 * Seals closed hours of events, hands the seals on, removes the months of events and reads whose time is over, and counts
 * what has happened. On every server: a seal, a month or a count is the first one's. No step waits for another's success.
 */
export function startEventKeeping(config: Config): Step {
  const { db, close } = connect(config.DATABASE_URL, { max: 1 });
  const sealer = eventSealer(db);
  const receive =
    config.EVENT_SEALS_TO === undefined ? undefined : sealReceiver(config.EVENT_SEALS_TO);
  let closed = false;
  const turn = async () => {
    const { retention, timeZone } = bankProfile();
    const now = await systemClock.now();
    let more = false;
    const steps: readonly (() => Promise<unknown>)[] = [
      async () => {
        if (!closed && config.WEBHOOKS_URL === undefined) await webhookOutbox(db).close();
        closed = true;
      },
      () => keepMonths(db),
      () => keepMonthsOfReads(db, addTime(now, -retention.accessLogDays, "day")),
      async () => {
        if ((await sealer.turn()) !== undefined) more = true;
      },
      async () => {
        if (await countDays(db, timeZone)) more = true;
      },
      () => interfaceFigures(db).sumDays(lastPublishedDay(now, timeZone), timeZone),
    ];
    const errors: unknown[] = [];
    for (const step of steps) await step().catch((error: unknown) => errors.push(error));
    if (errors.length === 0) await noteJobRun(db, "event-keeping");
    // The receiver is another's: the console says by itself since when a seal waits for it.
    if (receive !== undefined)
      await sendSeals(db, receive).catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw errors[0];
    return more;
  };
  const { stop } = repeat({ everySeconds: bankProfile().sweep.everySeconds, turn });
  return { finish: () => stop().then(close) };
}

/**
 * Tells the bank's own systems, and TPPs, what has happened, on every server: a message is leased by one of them. At least once,
 * and of one resource in order. Its own clock is the machine's, as that of who checks the signatures is.
 */
export function startWebhooks(config: Config): Step {
  const { db, close } = connect(config.DATABASE_URL, { max: 1 });
  const { everySeconds } = webhookLimits;
  const turns = [webhooks(config, db), notifications(config, db)].filter(
    (turn) => turn !== undefined,
  );
  const stops = turns.map((turn) => {
    const underWay: UnderWay = new Map();
    const { stop } = repeat({ everySeconds, turn: () => turn(underWay) });
    return () => stop().then(() => Promise.all(underWay.keys()));
  });
  return {
    finish: async () => {
      await Promise.all(stops.map((stop) => stop()));
      await close();
    },
  };
}

/** Undefined without a receiver; then `startEventKeeping` closes the outbox. */
function webhooks(
  { WEBHOOKS_URL: url, WEBHOOKS_SECRETS: secrets, ...config }: Config,
  db: Database,
) {
  if (url === undefined || secrets === undefined) return undefined;
  const { answerSeconds, atOnce } = webhookLimits;
  const ca = config.WEBHOOKS_CA;
  const sender = followFiles({
    what: "WEBHOOKS_CA",
    files: [ca],
    read: () =>
      webhookSender({
        ...{ url, secrets, millisecondsMax: answerSeconds * 1_000, connections: atOnce },
        ca: ca === undefined ? undefined : readAuthorities(ca),
      }),
  });
  const outbox = webhookOutbox(db);
  const events = eventLog(db);
  let isOpen = false;
  return async (underWay: UnderWay) => {
    if (!isOpen) await outbox.open(await systemClock.now());
    isOpen = true;
    return deliverWebhooks({ outbox, send: sender(), events, underWay });
  };
}

/** Undefined without a seal. A TPP's receiver may show a certificate of a public authority or a QWAC. */
function notifications(config: Config, db: Database) {
  const { NOTIFICATIONS_SEAL_CERT: cert, NOTIFICATIONS_SEAL_KEY: key } = config;
  if (cert === undefined || key === undefined) return undefined;
  const { TRUST_ANCHORS, TRUSTED_LIST_SIGNERS: signers, SANDBOX: keepsTaken } = config;
  const sender = followFiles({
    what: "NOTIFICATIONS_SEAL_CERT, NOTIFICATIONS_SEAL_KEY, TRUST_ANCHORS",
    files: [cert, key, TRUST_ANCHORS, signers],
    read: () => {
      const { anchors } = readAnchorFile({
        text: readFileSync(TRUST_ANCHORS, "utf8"),
        listSignersPem: signers === undefined ? undefined : readFileSync(signers, "utf8"),
        now: new Date(),
      });
      const fetch = guardedFetch({
        allowedOrigins: config.NOTIFICATIONS_ORIGINS,
        millisecondsMax: notificationLimits.answerSeconds * 1_000,
        ca: [...rootCertificates, ...anchors.map(({ x509 }) => x509.toString())],
      });
      return sealedSender(cert, key, fetch);
    },
  });
  const outbox = webhookOutbox(db, { of: "tpps", keepsTaken });
  const events = eventLog(db);
  const limits = notificationLimits;
  return (underWay: UnderWay) =>
    deliverWebhooks({ outbox, send: sender(), events, limits, underWay });
}

function sealedSender(cert: string, key: string, fetch: ReturnType<typeof guardedFetch>) {
  try {
    const seal = { certificatePem: readFileSync(cert, "utf8"), keyPem: readFileSync(key, "utf8") };
    return notificationSender(seal, fetch);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unreadable";
    throw new SettingError(`NOTIFICATIONS_SEAL_CERT, NOTIFICATIONS_SEAL_KEY: ${reason}`);
  }
}

/** Deliveries that go on, each with the TPP whose receiver has to answer it. */
type UnderWay = Map<Promise<void>, TppId | null>;

type Delivery = {
  readonly outbox: WebhookOutbox;
  readonly send: SendWebhook;
  readonly events: EventLog;
  readonly limits?: DeliveryLimits;
  /** Kept from turn to turn. */
  readonly underWay: UnderWay;
};

/**
 * Begins to deliver what is due, and returns with the first that has ended: a receiver that does not answer keeps nobody
 * else's waiting. True when there may be more. One that fails keeps those waiting that are about the same.
 */
export async function deliverWebhooks({
  outbox,
  send,
  events,
  limits = webhookLimits,
  underWay,
}: Delivery): Promise<boolean> {
  const dropped = await outbox.trim(limits.waitingMax, limits.droppedAtOnce);
  if (dropped > 0) {
    log.error(
      { dropped },
      "webhooks or notifications were dropped: too many wait for their receiver",
    );
    await events.record({ kind: "webhooks-dropped", detail: { dropped } });
  }
  // Longer than any attempt takes, so that none is delivered twice at a time.
  const { atOnce, atOncePerReceiver: perReceiver, answerSeconds, everySeconds } = limits;
  const limit = atOnce - underWay.size;
  const lease = { limit, perReceiver, seconds: answerSeconds * 3, besides: [...underWay.values()] };
  for (const webhook of limit > 0 ? await outbox.lease(lease) : []) {
    const delivery: Promise<void> = deliver({ outbox, send, limits }, webhook)
      .catch((err: unknown) => log.error({ err }, "what became of a webhook could not be written"))
      .finally(() => underWay.delete(delivery));
    underWay.set(delivery, webhook.tppId);
  }
  // What has ended meanwhile was still counted as under way.
  if (underWay.size === 0) return dropped > 0 || limit < atOnce;
  await Promise.race([...underWay.keys(), sleep(everySeconds * 1_000, undefined, { ref: false })]);
  return true;
}

async function deliver(
  { outbox, send, limits }: Pick<Delivery, "outbox" | "send"> & { readonly limits: DeliveryLimits },
  webhook: LeasedWebhook,
): Promise<void> {
  try {
    await send(webhook, await systemClock.now());
  } catch (error) {
    const { retrySeconds, retrySecondsMax, attemptsMax } = limits;
    const { messageId, type, attempts } = webhook;
    log.warn({ err: error, messageId, type, attempts }, "a webhook or notification was not taken");
    if (attempts < attemptsMax) {
      const pause = Math.min(retrySeconds * 2 ** (attempts - 1), retrySecondsMax);
      const failure = error instanceof Error ? error.message : "it failed";
      return outbox.postpone(webhook, { seconds: pause * (0.75 + Math.random() / 2), failure });
    }
    return outbox.remove(webhook.id);
  }
  await outbox.taken(webhook.id);
}

type Time = { readonly now: Date; readonly tppId?: TppId };

/** The bank's time, by which the jobs look at everything, and in a sandbox that of each TPP with a clock of its own. */
async function clocksOf(movable: SandboxClock | undefined): Promise<readonly [Time, ...Time[]]> {
  const now = await (movable ?? systemClock).now();
  return [{ now }, ...((await movable?.tppClocks()) ?? [])];
}

function endOverdue(db: Database, now: Date, tppId?: TppId): Promise<boolean> {
  const stores = {
    consents: consentStore(db),
    fundsConsents: fundsConsentStore(db),
    authorisations: authorisationStore(db),
  };
  return settleOverdue({ ...stores, overdue: overdue(db), profile: bankProfile() }, now, tppId);
}

/** Ends consents and authorisations; removes payloads, sessions, failures and reads. True when there may be more. */
export async function sweep(db: Database, now: Date): Promise<boolean> {
  const profile = bankProfile();
  const { sca, ownChannel, retention, fundsConfirmation, staff, sweep: limits } = profile;
  const unsettled = await endOverdue(db, now);
  const { rowsAtOnce } = limits;
  // A session of that age is dead, whatever the PSU did.
  const sessionsOf = (which: "authorisation" | "own-channel", minutes: number) =>
    psuSessionStore(db).destroyOpenedBefore(which, addTime(now, -minutes, "minute"), rowsAtOnce);
  const failures = attemptLimits(profile, now);
  const throttled = addTime(now, -profile.signInThrottle.keptHours, "hour");
  const removed = [
    await oidcModels(db).destroyExpired(now, rowsAtOnce),
    await sessionsOf("authorisation", sca.sessionMinutes),
    await sessionsOf("own-channel", ownChannel.sessionMinutes),
    await psuAttempts(db).destroyForgotten(failures, rowsAtOnce),
    await signInThrottle(db).destroyForgotten(throttled, rowsAtOnce),
    await destroyReadsBefore(db, addTime(now, -retention.accessLogDays, "day"), rowsAtOnce),
    await destroyStaffSessions(db, addTime(now, -staff.sessionMinutes, "minute"), rowsAtOnce),
    await destroyRefusedBefore(db, addTime(now, -staff.refusalsKeptDays, "day"), rowsAtOnce),
    await forgetFundsSearches(db, fundsConfirmation.search, now, rowsAtOnce),
    // Written and published by the machine's clock, however far the sandbox's was moved.
    await forgetInterfaceFigures(db, await systemClock.now(), rowsAtOnce),
  ];
  return unsettled || removed.includes(rowsAtOnce);
}

const JOB_NOTED_EVERY_MS = 30_000;

/**
 * Executes payments in the embedded ledger and submits those of the outbox, on every server: each step takes place once,
 * and payments that another server has locked are skipped. The step that runs when the server stops is completed.
 */
export function startExecution(config: Config): Step {
  const { db, close } = connect(config.DATABASE_URL, { max: 1 });
  const movable = config.SANDBOX ? sandboxClock(db) : undefined;
  // No TPP of a sandbox has the payments of others wait for its slow core bank.
  const { coreBank, close: disconnect } = connectCoreBank(config, db, movable, 0);
  const { executionEverySeconds: everySeconds } = bankProfile().payments;
  // Another core bank executes its payments itself.
  const executes = config.CORE_BANK_URL === undefined;
  const stores = {
    payments: paymentStore(db),
    submissionFaults: (fault: object) =>
      log.error(fault, "the core bank could not be asked about a payment, which is tried again"),
  };
  const reconciliation = reconciliationStore(db);
  const step = async (stopping: AbortSignal) => {
    const profile = bankProfile();
    const ports = { ...stores, profile, coreBank: coreBank(profile) };
    const { executionRowsAtOnce } = profile.payments;
    const execution = paymentExecution(db, profile, movable && findMagic);
    let more = false;
    for (const { now, tppId } of await clocksOf(movable)) {
      // A payment claimed now would not be sent before this server ends, and would wait until its claim is over.
      if (stopping.aborted) return false;
      if (executes && (await execution.advance(now, executionRowsAtOnce, tppId)).steps > 0)
        more = true;
      if (await submitDuePayments(ports, now, { tppId, stopping })) more = true;
    }
    return more;
  };
  let isFeedRead = executes;
  const readFeed = async () => {
    isFeedRead = false;
    const ports = { ...stores, coreBank: coreBank(bankProfile()), reconciliation };
    const { more, differences } = await followChanges(ports);
    for (const difference of differences) {
      log.error(difference, "a payment is not the same here and at the core bank");
    }
    isFeedRead = true;
    return more;
  };
  let notedAt = 0;
  const turn = async (stopping: AbortSignal) => {
    const more = await step(stopping);
    // It comes every few seconds, and to know the minute is enough.
    if (isFeedRead && Date.now() - notedAt > JOB_NOTED_EVERY_MS) {
      await noteJobRun(db, "payments");
      notedAt = Date.now();
    }
    return more;
  };
  // Neither waits for the other: payments may be due all the time, and the feed may be unreadable.
  const turns = executes ? [turn] : [turn, readFeed];
  const repeated = turns.map((turn) => repeat({ everySeconds, turn }));
  return {
    finish: async () => {
      await Promise.all(repeated.map(({ stop }) => stop()));
      await disconnect();
      await close();
    },
  };
}
