import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { verifyNotification } from "@/clients/typescript/src";
import type { TppId } from "@/lib/domain/values";
import { type Notification, notificationLimits } from "@/lib/domain/webhooks";
import { guardedFetch } from "@/lib/outbound/guarded-fetch";
import { notificationSender } from "@/lib/outbound/notification-sender";
import { eventLog } from "@/lib/postgres/events";
import {
  ana,
  exampleTpp,
  fileDatabase,
  initiation,
  minutesOn,
  now,
  openMax,
  payer,
  receivedConsent,
  storesOf,
  today,
} from "@/lib/postgres/testing";
import { stopList } from "@/lib/postgres/tpps";
import { sandboxNotifications, webhookOutbox } from "@/lib/postgres/webhooks";
import { makeCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { nextKeys } from "@/lib/sandbox/testing";
import { issueTppCertificates } from "@/lib/sandbox/tpp-certificates";
import { deliverWebhooks } from "./jobs";

const database = fileDatabase({ max: 4 });
/** In campaigns a thousand. */
const PAYMENTS = Number(process.env["NOTIFIED_PAYMENTS"] ?? 30);
/** Of today: what is sent has the machine's time, and a TPP's client looks at it. */
const bank = await issueTppCertificates(await makeCertificateAuthority(new Date()), {
  ...{ id: "PSDRO-NBR-BANK", name: "Bank", roles: ["PSP_AS"], now: new Date() },
  makeKeys: nextKeys,
});
const trust = { anchors: bank.caPem, organizationIdentifier: "PSDRO-NBR-BANK" };

/** How a receiver answers, `takes` and `lies-on` with a 2xx. */
const behaviours = [
  "takes",
  "lies-on",
  "fails",
  "refuses",
  "redirects",
  "hangs",
  "hangs-up",
] as const;
type Behaviour = (typeof behaviours)[number];

type Received = {
  readonly path: string;
  readonly id: string;
  readonly data: Readonly<Record<string, string>>;
  /** Answered with a 2xx. */
  readonly taken: boolean;
};

/** Answers as the test says, and verifies each notification as a TPP does. */
async function receiver(behave: (path: string) => Behaviour, elsewhere = "/elsewhere") {
  const received: Received[] = [];
  const faults: unknown[] = [];
  const answers: Readonly<Record<Behaviour, (response: ServerResponse) => void>> = {
    takes: (response) => response.writeHead(204).end(),
    // What follows the status is never read.
    "lies-on": (response) =>
      response.writeHead(200, { "content-length": 1_000_000_000 }).write("x".repeat(100_000)),
    fails: (response) => response.writeHead(500).end(),
    refuses: (response) => response.writeHead(404).end('{"status":"ok"}'),
    redirects: (response) => response.writeHead(307, { location: elsewhere }).end(),
    hangs: () => undefined,
    "hangs-up": (response) => response.destroy(),
  };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    const { url: path = "none", headers } = request;
    const notification = verifyNotification({ url: `${origin}${path}`, headers, body }, { trust });
    if (!notification.ok) throw new Error(notification.reason);
    const { requestId: id, status: data } = notification;
    const behaviour = behave(path);
    const taken = behaviour === "takes" || behaviour === "lies-on";
    received.push({ path, id, data, taken });
    answers[behaviour](response);
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((fault) => {
      faults.push(fault);
      response.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin, received, faults };
}

async function sender(allowedOrigins: readonly string[]) {
  const { db, sql } = await database;
  const fetch = guardedFetch({
    allowedOrigins,
    millisecondsMax: 200,
    resolve: async () => [{ address: "169.254.169.254", family: 4 }],
  });
  const send = notificationSender(
    { certificatePem: bank.qsealPem, keyPem: bank.qsealKeyPem },
    fetch,
  );
  const outbox = webhookOutbox(db, { of: "tpps" });
  return async (attemptsMax: number) => {
    const limits = { ...notificationLimits, atOnce: 100, atOncePerReceiver: 100, attemptsMax };
    // Two servers; what failed is due again when its pause is over.
    const turn = async () => {
      const underWay = new Map();
      await deliverWebhooks({ outbox, send, events: eventLog(db), limits, underWay });
      await Promise.all(underWay.keys());
    };
    await Promise.all([turn(), turn()]);
    await sql`update webhook set due_at = clock_timestamp()`;
    return sql`select url from webhook where tpp_id is not null`;
  };
}

async function notifiedPayment(notification: Notification, steps: readonly string[]) {
  const { db, sql } = await database;
  const stores = storesOf(db);
  const { psuId, accountId } = await payer(db);
  const begun = initiation();
  const authorisation = { ...begun.started.authorisation, notification };
  await stores.payments.initiate({ ...begun, started: { ...begun.started, authorisation } });
  const { id } = begun.started.payment;
  await sql`update payment_state set psu_id = ${psuId}, authorised_at = now(), debit_account_id = ${accountId},
    debit_currency = 'EUR', debit_minor = 1, fee_minor = 0 where payment_id = ${id}`;
  for (const step of steps)
    await sql`update payment_state set status = ${step}, status_at = status_at + interval '1 second' where payment_id = ${id}`;
  return id;
}

describe("W2: notifications of status", () => {
  const steps = ["ACTC", "ACCP", "ACSP", "ACSC"];

  it("arrive at least once, in the order of their payment and verifiable, whatever receivers do, and at no private address", async () => {
    const { db } = await database;
    await storesOf(db).tpps.remember(exampleTpp, now);
    const inside = await receiver(() => "takes");
    const scripts = new Map<string, Behaviour[]>();
    const { origin, received, faults } = await receiver(
      (path) => scripts.get(path)?.shift() ?? "takes",
      `${inside.origin}/inside`,
    );
    const ids = new Map<string, string>();
    for (let nth = 0; nth < PAYMENTS; nth += 1) {
      const path = `/payments/${nth}`;
      scripts.set(
        path,
        Array.from({ length: nth % 6 }, (_, at) => behaviours[(nth + at * 3) % 7] ?? "takes"),
      );
      const notification = { uri: `${origin}${path}`, content: ["PROCESS"] } as const;
      ids.set(path, await notifiedPayment(notification, steps));
    }
    const closed = [
      `${inside.origin}/1`,
      "https://metadata.example/2",
      "http://[::1]/3",
      "http://10.0.0.1/4",
    ];
    for (const uri of closed) await notifiedPayment({ uri, content: ["PROCESS"] }, steps);
    const deliver = await sender([origin]);
    const isOpen = ({ url }: { readonly url?: string }) => url?.startsWith(origin) === true;
    for (let turns = 0; (await deliver(1_000_000)).some(isOpen); turns += 1)
      expect(turns).toBeLessThan(PAYMENTS * 40);
    expect(faults).toEqual([]);
    for (const [path, paymentId] of ids) {
      const own = received.filter((one) => one.path === path);
      expect(own.every(({ data }) => data["paymentId"] === paymentId)).toBe(true);
      const told = own.map(({ data }) => data["transactionStatus"]);
      expect([...new Set(told)]).toEqual(steps);
      const taken = own.filter((one) => one.taken).map(({ data }) => data["transactionStatus"]);
      expect([...new Set(taken)]).toEqual(steps);
      // One that comes again has the id that it had.
      expect(new Set(own.map(({ id }) => id)).size).toBe(steps.length);
      expect(
        told.toSorted((one, other) => steps.indexOf(String(one)) - steps.indexOf(String(other))),
      ).toEqual(told);
    }
    // Nobody takes the rest: it is given up after so many attempts, one after the other.
    for (let turns = 0; (await deliver(2)).length > 0; turns += 1) expect(turns).toBeLessThan(200);
    expect([inside.received, inside.faults]).toEqual([[], []]);
  }, 600_000);

  it("are of what was asked for: each scaStatus, each status, or the last, and none without a URI", async () => {
    const { db, sql } = await database;
    const stores = storesOf(db);
    await stores.tpps.remember(exampleTpp, now);
    const told = async (content: Notification["content"] | undefined) => {
      const { consent, authorisation } = receivedConsent();
      const notification = content && { uri: "https://tpp.example/told", content };
      await stores.consents.insert(
        consent,
        { ...authorisation, ...(notification && { notification }) },
        openMax,
      );
      await stores.authorisations.takeAttempt(authorisation.id, 5, now);
      await stores.authorisations.authenticate(authorisation.id, ana, now);
      const end = { consentId: consent.id, from: "received", to: "terminatedByTpp" } as const;
      await stores.consents.end({ ...end, on: today, at: minutesOn(1) });
      const rows =
        await sql`select data from webhook where resource = ${`notified ${consent.id}`} order by id`;
      return rows.map(({ data: { consentId, authorisationId, ...status } }) => {
        expect(consentId).toBe(consent.id);
        expect([undefined, authorisation.id]).toContain(authorisationId);
        return status;
      });
    };
    const [sca, process, last] = [
      [{ scaStatus: "psuAuthenticated" }, { scaStatus: "failed" }],
      [{ consentStatus: "terminatedByTpp" }],
      [{ consentStatus: "terminatedByTpp" }],
    ];
    expect(await told(["SCA"])).toEqual(sca);
    expect(await told(["PROCESS"])).toEqual(process);
    expect(await told(["LAST"])).toEqual(last);
    expect(await told(undefined)).toEqual([]);
    const lastOfPayment = await notifiedPayment(
      { uri: "https://tpp.example/", content: ["LAST"] },
      steps,
    );
    const rows =
      await sql`select data from webhook where resource = ${`notified ${lastOfPayment}`}`;
    expect(rows.map(({ data }) => data.transactionStatus)).toEqual(["ACSC"]);
    await sql`delete from webhook`;
  });

  it("X6: wait two seconds for a receiver that a TPP has named", () => {
    expect(notificationLimits.answerSeconds).toBe(2);
  });

  it("stay in a sandbox when they were taken, and are sent again with the same id", async () => {
    const { db, sql } = await database;
    const { origin, received } = await receiver(() => "takes");
    await notifiedPayment({ uri: `${origin}/again`, content: ["LAST"] }, steps);
    const fetch = guardedFetch({ allowedOrigins: [origin], millisecondsMax: 10_000 });
    const send = notificationSender(
      { certificatePem: bank.qsealPem, keyPem: bank.qsealKeyPem },
      fetch,
    );
    const outbox = webhookOutbox(db, { of: "tpps", keepsTaken: true });
    const limits = notificationLimits;
    const underWay = new Map();
    const deliver = async () => {
      const more = await deliverWebhooks({ outbox, send, events: eventLog(db), limits, underWay });
      await Promise.all(underWay.keys());
      return more;
    };
    const shown = sandboxNotifications(db);
    await deliver();
    const [taken] = await shown.newest(1);
    expect(taken?.takenAt).toBeInstanceOf(Date);
    expect(await deliver()).toBe(false);
    if (taken !== undefined) await shown.replay(taken.id);
    await deliver();
    expect(received.map(({ id }) => id)).toEqual([received[0]?.id, received[0]?.id]);
    await sql`delete from webhook`;
  });

  it("go on to other TPPs while one does not answer, which gets no more than its bound meanwhile", async () => {
    const { db, sql } = await database;
    const enqueue = (tppId: string, resource: string) => sql`
      insert into webhook (type, resource, data, at, tpp_id, url)
      select 'resource.status', ${resource} || case when ${tppId} = 'TPP-slow' then n else 0 end, '{}', now(), ${tppId}, ${tppId}
      from generate_series(1, 5) n`;
    await enqueue("TPP-slow", "of the slow ");
    await enqueue("TPP-quick", "of the quick ");
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const sent: (string | null | undefined)[] = [];
    const send = async ({ url }: { readonly url?: string | null }) => {
      sent.push(url);
      if (url === "TPP-slow") await answered;
    };
    const outbox = webhookOutbox(db, { of: "tpps" });
    const limits = { ...notificationLimits, atOnce: 3, atOncePerReceiver: 2 };
    const underWay = new Map();
    const turn = () => deliverWebhooks({ outbox, send, events: eventLog(db), limits, underWay });
    const sentTo = (tppId: string) => sent.filter((url) => url === tppId).length;
    while (sentTo("TPP-quick") < 5) await turn();
    expect(sentTo("TPP-slow")).toBe(2);
    answer();
    while (await turn());
    expect(sentTo("TPP-slow")).toBe(5);
    expect(await sql`select from webhook`).toHaveLength(0);
  });

  it("of the bank's own systems and of TPPs do not wait for each other, each TPP has a bound of its own, and one that is blocked waits", async () => {
    const { db, sql } = await database;
    const [ofBank, ofTpps] = [webhookOutbox(db), webhookOutbox(db, { of: "tpps" })];
    await sql`insert into webhook (type, resource, data, at, tpp_id, url)
      select 'resource.status', 'of ' || n, '{}', now(), 'TPP-' || n % 2, 'https://tpp.example/' from generate_series(1, 20) n`;
    expect(await ofBank.lease({ limit: 10, perReceiver: 10, seconds: 30 })).toEqual([]);
    await stopList(db).block({ tppId: "TPP-0" as TppId, blockedAt: now });
    expect(await ofTpps.lease({ limit: 10, perReceiver: 2, seconds: 30 })).toHaveLength(2);
    await stopList(db).unblock("TPP-0" as TppId, minutesOn(1));
    expect(await ofTpps.lease({ limit: 10, perReceiver: 2, seconds: 30 })).toHaveLength(4);
    expect(await ofBank.trim(1, 100)).toBe(0);
    await sql`update webhook set taken_at = now() where id in (
      select id from webhook where tpp_id = 'TPP-1' order by id limit 3)`;
    // What was taken was not lost.
    expect(await ofTpps.trim(4, 100)).toBe(9);
    const left =
      await sql`select tpp_id, count(*)::int from webhook group by tpp_id order by tpp_id`;
    expect(left.map(({ count }) => count)).toEqual([4, 4]);
    await sql`delete from webhook`;
  });
});
