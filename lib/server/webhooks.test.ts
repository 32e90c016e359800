import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { webhookSender } from "@/lib/outbound/webhook-sender";
import { eventLog } from "@/lib/postgres/events";
import { operationsOf } from "@/lib/postgres/job-health";
import {
  challenged,
  exampleTpp,
  fileDatabase,
  minutesOn,
  now,
  storesOf,
} from "@/lib/postgres/testing";
import { stopList } from "@/lib/postgres/tpps";
import { webhookOutbox } from "@/lib/postgres/webhooks";
import { deliverWebhooks } from "./jobs";

const database = fileDatabase({ max: 4 });
const secrets = [1, 2].map(() => `whsec_${randomBytes(32).toString("base64")}`);

type Received = { readonly id: string; readonly body: string; readonly taken: boolean };
type Behaviour = "takes" | "fails" | "redirects" | "hangs" | "hangs-up";

/** Answers as the test says, and checks every signature by the Standard Webhooks specification. */
async function receiver(behave: () => Behaviour) {
  const received: Received[] = [];
  const answers: Readonly<Record<Behaviour, (response: ServerResponse) => void>> = {
    takes: (response) => response.writeHead(204).end(),
    fails: (response) => response.writeHead(500).end(),
    redirects: (response) => response.writeHead(302, { location: "/elsewhere" }).end(),
    hangs: () => undefined,
    "hangs-up": (response) => response.destroy(),
  };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await buffer(request)).toString();
    const { headers } = request;
    const id = String(headers["webhook-id"]);
    const signed = `${id}.${headers["webhook-timestamp"]}.${body}`;
    const expected = secrets.map((secret) => {
      const key = Buffer.from(secret.slice("whsec_".length), "base64");
      return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
    });
    expect(headers["webhook-signature"]).toBe(expected.join(" "));
    expect(request.url).toBe("/hook");
    const behaviour = behave();
    received.push({ id, body, taken: behaviour === "takes" });
    answers[behaviour](response);
  };
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return { received, send: webhookSender({ url, secrets, millisecondsMax: 100, connections: 10 }) };
}

describe("K3: webhooks", () => {
  it("are kept of what happens, in its transaction, and of nothing where nobody is to be told", async () => {
    const { db, sql } = await database;
    const stores = storesOf(db);
    await stores.tpps.remember(exampleTpp, now);
    const outbox = webhookOutbox(db);
    const used = async () => {
      const decision = await challenged(stores, { recurringIndicator: false });
      await stores.authorisations.finaliseAccountConsent(decision);
      const { consentId, on, psuId } = decision;
      const read = { consentId, tppId: exampleTpp.id, what: "accounts" as const, attended: true };
      for (const at of [1, 2]) {
        await stores.budget.admitAttended({ ...read, at: minutesOn(at), isFirst: true });
      }
      await stores.consents.end({
        consentId,
        from: "valid",
        to: "revokedByPsu",
        on,
        at: minutesOn(3),
      });
      return { consentId, psuId };
    };
    await used();
    expect(await sql`select from webhook`).toHaveLength(0);
    await outbox.open(now);
    const { consentId, psuId } = await used();
    await stopList(db).block({ tppId: exampleTpp.id, blockedAt: now, until: minutesOn(5) });
    const undone = sql.begin(async (tx) => {
      await tx`update account_consent set first_used_at = null where id = ${consentId}`;
      await tx`update account_consent set first_used_at = now() where id = ${consentId}`;
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    const data = {
      permissionId: consentId,
      kind: "accounts",
      customerId: psuId,
      tppId: exampleTpp.id,
    };
    expect(await sql`select type, data from webhook order by id`).toEqual([
      { type: "permission.given", data },
      { type: "permission.first_used", data },
      { type: "permission.ended", data: { ...data, state: "revoked" } },
      { type: "tpp.blocked", data: { tppId: exampleTpp.id, until: minutesOn(5).toISOString() } },
    ]);
    // Of each resource the first is tried, and tried again.
    for (const seconds of [0, 0]) await outbox.lease({ limit: 10, perReceiver: 10, seconds });
    const since = expect.any(Date);
    expect((await operationsOf(db)).webhooks).toEqual({ waiting: 4, failing: 2, since });
    await outbox.close();
    expect((await operationsOf(db)).webhooks).toEqual({ waiting: 0, failing: 0 });
    expect(await sql`select from webhook`).toHaveLength(0);
  });

  it("arrive at least once and in the order of their resource, whatever their receiver does", async () => {
    const { db, sql } = await database;
    const behaviours = fc.array(
      fc.constantFrom<Behaviour>("takes", "fails", "redirects", "hangs", "hangs-up"),
      { minLength: 1, maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(behaviours, fc.integer({ min: 1, max: 4 }), async (first, resources) => {
        const outbox = webhookOutbox(db);
        await outbox.open(now);
        const sent = Array.from({ length: resources * 3 }, (_, nth) => ({
          resource: `resource-${nth % resources}`,
          nth: `${nth}`,
        }));
        for (const { resource, nth } of sent) {
          await sql`select webhook_enqueue('permission.given', ${resource}, ${JSON.stringify({ resource, nth })})`;
        }
        const script = [...first];
        const { received, send } = await receiver(() => script.shift() ?? "takes");
        const deliver = async () => {
          const underWay = new Map();
          await deliverWebhooks({ outbox, send, events: eventLog(db), underWay });
          await Promise.all(underWay.keys());
        };
        for (let turns = 0; (await sql`select from webhook`).length > 0; turns += 1) {
          expect(turns).toBeLessThan(60);
          // Two servers; a message that failed is due again when its pause is over.
          await Promise.all([deliver(), deliver()]);
          await sql`update webhook set due_at = clock_timestamp()`;
        }
        const taken = received.filter((one) => one.taken);
        const told = taken.map(
          ({ body }) => (JSON.parse(body) as { data: (typeof sent)[number] }).data,
        );
        for (let nth = 0; nth < resources; nth += 1) {
          const own = (all: readonly (typeof sent)[number][]) =>
            all.filter(({ resource }) => resource === `resource-${nth}`).map((one) => one.nth);
          // One that was taken too late for its sender comes again.
          expect([...new Set(own(told))]).toEqual(own(sent));
        }
        const bodies = new Map(received.map(({ id, body }) => [id, body]));
        expect(bodies.size).toBe(sent.length);
        expect(received.every(({ id, body }) => bodies.get(id) === body)).toBe(true);
        await outbox.close();
      }),
      { numRuns: 12 },
    );
  }, 60_000);

  it("that nobody takes are dropped beyond a limit, the oldest first, and an event says so", async () => {
    const { db, sql } = await database;
    const outbox = webhookOutbox(db);
    await outbox.open(now);
    await sql`select webhook_enqueue('tpp.blocked', 'of ' || n, '{}') from generate_series(1, 9) n`;
    expect(await outbox.trim(9, 100)).toBe(0);
    expect(await outbox.trim(4, 3)).toBe(3);
    expect(await outbox.trim(4, 100)).toBe(2);
    const left = await sql`select resource from webhook order by id`;
    expect(left.map(({ resource }) => resource)).toEqual(["of 6", "of 7", "of 8", "of 9"]);
    await outbox.close();
  });
});
