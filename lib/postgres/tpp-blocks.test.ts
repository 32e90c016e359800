import { describe, expect, it } from "vitest";
import type { BlockOrder } from "@/lib/domain/tpp";
import type { TppBlockDecision, TppBlockTerms, WriteReport } from "@/lib/domain/tpp-blocks";
import type { TppId } from "@/lib/domain/values";
import {
  ana,
  challenged,
  challengedFunds,
  exampleTpp,
  mihai,
  minutesOn,
  now,
  otherTpp,
  storesOf,
  testStores,
} from "./testing";
import { tppBlocks } from "./tpp-blocks";
import { stopList } from "./tpps";

const writeReport: WriteReport = ({ request, approval, affected, tpp, inForce }) => ({
  language: "en",
  heading: `${request.action} of ${tpp?.name ?? request.tppId}`,
  lines: [
    { label: "by", text: `${request.requestedBy} and ${approval.by}` },
    { label: "affected", text: `${affected.permissions} of ${affected.psus}` },
    ...(inForce === undefined ? [] : [{ label: "in force", text: spanOf(inForce) }]),
  ],
});

const spanOf = ({ blockedAt, until }: Pick<BlockOrder, "blockedAt" | "until">) =>
  `${blockedAt.toISOString()} to ${until?.toISOString() ?? "no end"}`;

const { database, stores } = await testStores();
const blocks = tppBlocks(database.db);
const list = stopList(database.db);

let numbers = 0;
/** Each test asks for a TPP of its own: one request may be open for each. */
function somebody(): TppId {
  numbers += 1;
  return `PSDRO-NBR-${numbers}` as TppId;
}

const blockOf = (tppId: TppId, given: Partial<TppBlockTerms> = {}): TppBlockTerms => ({
  action: "block",
  tppId,
  basis: "unauthorised-access",
  reason: "read accounts without consent",
  ...given,
});

async function requested(terms: TppBlockTerms, by = "maria"): Promise<string> {
  const opened = await blocks.request(terms, by, now);
  if (opened === "open-already") throw new Error(opened);
  return opened.id;
}

const decided = (id: string, given: Partial<TppBlockDecision> = {}) =>
  blocks.decide({ id, outcome: "approved", by: "ion", at: minutesOn(1), ...given }, writeReport);

const eventsOf = (tppId: TppId) =>
  database.sql`select kind, actor, detail->>'action' as action from event
    where tpp_id = ${tppId} and retention = 'administration' order by id`;

describe("E1: a TPP is blocked by two persons", () => {
  it("one requests it, nothing changes; another approves it, and block, report and events are there", async () => {
    const tppId = somebody();
    const id = await requested(blockOf(tppId, { until: minutesOn(90) }));
    expect(await list.find(tppId, minutesOn(1))).toBeUndefined();
    expect(await blocks.list({ tppId, limit: 9 })).toEqual([
      { ...blockOf(tppId, { until: minutesOn(90) }), id, requestedBy: "maria", requestedAt: now },
    ]);
    expect(await decided(id, { note: "seen the logs" })).toBe("decided");
    expect(await list.find(tppId, minutesOn(1))).toEqual({
      tppId,
      reason: "read accounts without consent",
      blockedAt: minutesOn(1),
      until: minutesOn(90),
    });
    expect(await blocks.report(id)).toEqual({
      language: "en",
      heading: `block of ${tppId}`,
      lines: [
        { label: "by", text: "maria and ion" },
        { label: "affected", text: "0 of 0" },
        {
          label: "in force",
          text: spanOf({ blockedAt: minutesOn(1), until: minutesOn(90) }),
        },
      ],
    });
    expect((await blocks.find(id))?.decision).toEqual({
      outcome: "approved",
      by: "ion",
      at: minutesOn(1),
      note: "seen the logs",
    });
    expect(await eventsOf(tppId)).toEqual([
      { kind: "tpp-block-requested", actor: "maria", action: "block" },
      { kind: "tpp-blocked", actor: "ion", action: null },
      { kind: "tpp-block-approved", actor: "ion", action: "block" },
    ]);
    const unblocking = { action: "unblock", basis: "reasons-over", reason: "answered" } as const;
    expect(await decided(await requested(blockOf(tppId, unblocking), "ion"), { by: "maria" })).toBe(
      "decided",
    );
    expect(await list.find(tppId, minutesOn(2))).toBeUndefined();
    expect((await blocks.list({ tppId, limit: 9 })).map(({ action }) => action).sort()).toEqual([
      "block",
      "unblock",
    ]);
  });

  it("who requests it can withdraw it and not approve it, whichever way they come", async () => {
    const tppId = somebody();
    const id = await requested(blockOf(tppId));
    expect(await decided(id, { by: "maria" })).toBe("own-request");
    expect(await decided(id, { outcome: "refused", by: "maria" })).toBe("own-request");
    expect(await decided(id, { outcome: "withdrawn" })).toBe("not-own-request");
    const byHand = database.sql`update tpp_block_request set outcome = 'approved', decided_by = 'maria',
      decided_at = now(), report = '{}' where id = ${id}`;
    await expect(byHand).rejects.toThrow("tpp_block_request_four_eyes");
    expect(await blocks.request(blockOf(tppId), "ion", now)).toBe("open-already");
    expect(await decided(id, { outcome: "withdrawn", by: "maria" })).toBe("decided");
    expect(await decided(id)).toBe("decided-already");
    expect(await list.find(tppId, minutesOn(1))).toBeUndefined();
    expect(await blocks.report(id)).toBeUndefined();
    expect((await eventsOf(tppId)).at(-1)).toMatchObject({ kind: "tpp-block-withdrawn" });
  });

  it("of two approvals and a refusal at once one decides, and there is one order or none", async () => {
    for (let time = 0; time < 10; time += 1) {
      const tppId = somebody();
      const id = await requested(blockOf(tppId));
      const outcomes = await Promise.all([
        decided(id, { by: "ion" }),
        decided(id, { by: "elena" }),
        decided(id, { by: "radu", outcome: "refused" }),
      ]);
      expect(outcomes.filter((one) => one === "decided")).toHaveLength(1);
      const orders = await database.sql`select from tpp_block where tpp_id = ${tppId}`;
      const { decision } = (await blocks.find(id)) ?? {};
      expect(orders).toHaveLength(decision?.outcome === "approved" ? 1 : 0);
    }
  });

  it("of two requests at once for one TPP one is opened", async () => {
    const tppId = somebody();
    const both = ["maria", "ion"].map((by) => blocks.request(blockOf(tppId), by, now));
    expect((await Promise.all(both)).filter((one) => one === "open-already")).toHaveLength(1);
  });

  it("what was requested and decided is never changed or removed, and fails as a whole", async () => {
    const tppId = somebody();
    const id = await requested(blockOf(tppId));
    const failing = blocks.decide({ id, outcome: "approved", by: "ion", at: now }, () => {
      throw new Error("no report");
    });
    await expect(failing).rejects.toThrow("no report");
    expect(await list.find(tppId, now)).toBeUndefined();
    const { sql } = database;
    for (const change of [
      sql`update tpp_block_request set reason = 'another' where id = ${id}`,
      sql`delete from tpp_block_request where id = ${id}`,
      sql`truncate tpp_block_request`,
    ]) {
      await expect(change).rejects.toThrow("never changed or removed");
    }
    await decided(id, { outcome: "refused" });
    const again = sql`update tpp_block_request set note = 'later' where id = ${id}`;
    await expect(again).rejects.toThrow("never changed or removed");
  });

  it("what was blocked in an emergency is not blocked for less long, and its report says from and until when it is", async () => {
    const tppId = somebody();
    await list.block({ tppId, blockedAt: now });
    const id = await requested(blockOf(tppId, { until: minutesOn(9) }));
    expect(await decided(id)).toBe("decided");
    const inForce = { label: "in force", text: spanOf({ blockedAt: now }) };
    expect((await blocks.report(id))?.lines).toContainEqual(inForce);
    expect(await list.find(tppId, minutesOn(10))).toEqual({ tppId, blockedAt: now });
  });

  it.each(["not-a-request", "00000000-0000-4000-8000-000000000000"])(
    "%s is unknown",
    async (id) => {
      expect(await decided(id)).toBe("unknown");
      expect(await blocks.find(id)).toBeUndefined();
      expect(await blocks.report(id)).toBeUndefined();
    },
  );
});

describe("PSD2 art. 68(5): the customers of a TPP that is blocked", () => {
  const approved = async (terms: TppBlockTerms, at: Date) => {
    const opened = await blocks.request(terms, "maria", at);
    if (opened !== "open-already") await decided(opened.id, { at });
    return opened;
  };
  const unblocking = { action: "unblock", basis: "reasons-over" } as const;

  it("are told of it while it holds and of its end, each who had a consent in force", async () => {
    const given = await challenged(stores);
    await stores.authorisations.finaliseAccountConsent(given);
    const elsewhere = await challengedFunds(storesOf(database.db), {
      psuId: mihai,
      tppId: otherTpp.id,
    });
    await stores.authorisations.finaliseFundsConsent(elsewhere);
    expect(await blocks.affectedBy(exampleTpp.id)).toEqual({ permissions: 1, psus: 1 });
    expect(await blocks.affectedBy(otherTpp.id)).toEqual({ permissions: 1, psus: 1 });

    await approved(blockOf(exampleTpp.id), minutesOn(5));
    const { tppId: _, reason: __, ...told } = blockOf(exampleTpp.id);
    const notice = { ...told, tpp: exampleTpp, at: minutesOn(5) };
    expect(await blocks.noticesFor(ana, minutesOn(500_000))).toEqual([notice]);
    expect(await blocks.noticesFor(mihai, minutesOn(6))).toEqual([]);

    await list.unblock(exampleTpp.id, minutesOn(7));
    expect(await blocks.noticesFor(ana, minutesOn(8))).toEqual([]);
    await approved(blockOf(exampleTpp.id, unblocking), minutesOn(9));
    const end = { ...unblocking, tpp: exampleTpp, at: minutesOn(9) };
    expect(await blocks.noticesFor(ana, minutesOn(10))).toEqual([end]);
    expect(await blocks.noticesFor(ana, minutesOn(200_000))).toEqual([]);
  });

  it("are told nothing where a lawful exception was chosen, nor those whose consent had ended", async () => {
    const secrecy = { ground: "security", reason: "an investigation" } as const;
    await approved(blockOf(otherTpp.id, { secrecy }), minutesOn(20));
    expect(await blocks.noticesFor(mihai, minutesOn(21))).toEqual([]);
    await approved(blockOf(otherTpp.id, unblocking), minutesOn(22));
    expect(await blocks.noticesFor(mihai, minutesOn(23))).toHaveLength(1);
    await database.sql`update funds_consent set status = 'revokedByPsu', ended_at = ${minutesOn(24)}
      where psu_id = ${mihai}`;
    await approved(blockOf(otherTpp.id), minutesOn(25));
    expect(await blocks.noticesFor(mihai, minutesOn(26))).toEqual([]);
  });

  it("are not told that the TPP has access again, nor of an earlier block, while it is blocked in an emergency", async () => {
    const until = minutesOn(40);
    await approved(blockOf(exampleTpp.id, { until }), minutesOn(30));
    const notice = { action: "block", basis: "unauthorised-access", tpp: exampleTpp } as const;
    const told = { ...notice, at: minutesOn(30), until };
    expect(await blocks.noticesFor(ana, minutesOn(31))).toEqual([told]);
    await list.block({ tppId: exampleTpp.id, blockedAt: minutesOn(41) });
    expect(await blocks.noticesFor(ana, minutesOn(42))).toEqual([]);

    await approved(blockOf(exampleTpp.id, unblocking), minutesOn(43));
    const [over] = await blocks.noticesFor(ana, minutesOn(44));
    expect(over).toMatchObject({ action: "unblock" });
    await list.block({ tppId: exampleTpp.id, blockedAt: minutesOn(45) });
    expect(await blocks.noticesFor(ana, minutesOn(46))).toEqual([]);

    await approved(blockOf(exampleTpp.id, { until: minutesOn(50) }), minutesOn(47));
    expect(await blocks.noticesFor(ana, minutesOn(51))).toEqual([{ ...notice, at: minutesOn(47) }]);
  });
});
