import type { EventReader } from "@/lib/domain/events";
import type { Statistics } from "@/lib/domain/statistics";
import type { SeenTpps, StopList } from "@/lib/domain/tpp";
import {
  type AuthorityReport,
  type TppAction,
  type TppBlocks,
  tppActions,
} from "@/lib/domain/tpp-blocks";
import type { IsoDate, PsuId } from "@/lib/domain/values";
import { exampleTpp, minutesOn, now as testingNow } from "./testing";
import type { WebhookOutbox } from "./webhooks";

/** What operators ask for in the console, and what customers are told because of it. */
export async function askedByOperators(
  { tppBlocks, statistics }: { readonly tppBlocks: TppBlocks; readonly statistics: Statistics },
  psuId: PsuId,
) {
  const { id: tppId } = exampleTpp;
  const request = async (action: TppAction) => {
    const basis = "authority-order";
    const opened = await tppBlocks.request(
      { action, tppId, basis, reason: "as told" },
      "maria",
      testingNow,
    );
    if (opened === "open-already") throw new Error(opened);
    return opened.id;
  };
  const report: AuthorityReport = { language: "en", heading: "Report", lines: [] };
  for (const action of tppActions) {
    const decision = { id: await request(action), outcome: "approved", by: "ion" } as const;
    await tppBlocks.decide({ ...decision, at: testingNow }, () => report);
    await tppBlocks.report(decision.id);
    await tppBlocks.find(decision.id);
    await tppBlocks.noticesFor(psuId, testingNow);
  }
  await tppBlocks.affectedBy(tppId);
  const after = { requestedAt: testingNow, id: crypto.randomUUID() };
  await tppBlocks.list({ tppId, after, limit: 20 });
  await tppBlocks.list({ after, limit: 20 });
  await tppBlocks.open(20);
  const span = { from: "2026-11-01" as IsoDate, to: "2026-11-30" as IsoDate };
  await statistics.days(span);
  await statistics.days({ ...span, tppId });
  await statistics.byTpp(span);
  await statistics.consents(tppId);
  await statistics.consents();
  await statistics.countedTo();
}

type OfSystems = {
  readonly seenTpps: SeenTpps;
  readonly eventReader: EventReader;
  readonly webhooks: WebhookOutbox;
  readonly stopList: StopList;
};

/** What the bank's own systems ask for, and are told. */
export async function askedBySystems(
  { seenTpps, eventReader, webhooks, stopList }: OfSystems,
  psuId: PsuId,
) {
  const { id: tppId } = exampleTpp;
  const certificate = {
    ...({ kind: "QWAC", thumbprint: "thumbprint" } as const),
    ...{ serialNumber: "1", issuer: "CN=Issuer", notAfter: minutesOn(5) },
  };
  await seenTpps.keepCertificates(tppId, [certificate], testingNow);
  await seenTpps.find(tppId, testingNow);
  await seenTpps.list({ limit: 20 }, testingNow);
  await seenTpps.list({ after: tppId, limit: 20 }, testingNow);
  const [after] = await eventReader.list({ psuId }, { limit: 20 });
  for (const filter of [{ psuId }, { tppId }, { from: "2026-01-01T00:00:00Z" }, {}]) {
    await eventReader.list(filter, { after, limit: 20 });
  }
  await webhooks.close();
  await webhooks.open(testingNow);
  for (const _ of ["taken", "waiting"]) {
    await stopList.block({ tppId, blockedAt: testingNow });
    await stopList.unblock(tppId, testingNow);
  }
  const [first] = await webhooks.lease({ limit: 10, seconds: 30 });
  if (first === undefined) throw new Error("nothing is to be told");
  await webhooks.postpone(first, 5);
  await webhooks.remove(first.id);
  await webhooks.trim(100, 10);
}
