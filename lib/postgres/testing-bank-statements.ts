import type { AuthorisationStore } from "@/lib/domain/authorisation";
import type { CaseRecords } from "@/lib/domain/case-search";
import type { EventReader } from "@/lib/domain/events";
import type { Ports } from "@/lib/domain/ports";
import type { UserKey } from "@/lib/domain/psu-attempts";
import type { RefusedRequests } from "@/lib/domain/refused-requests";
import type { StaffSessions } from "@/lib/domain/staff";
import type { Statistics } from "@/lib/domain/statistics";
import type { SeenTpps, StopList } from "@/lib/domain/tpp";
import {
  type AuthorityReport,
  type TppAction,
  type TppBlocks,
  tppActions,
} from "@/lib/domain/tpp-blocks";
import type { AuthorisationId, Iban, IsoDate, PsuId, RequestId } from "@/lib/domain/values";
import { accountOne, exampleTpp, minutesOn, now as testingNow } from "./testing";
import type { WebhookOutbox } from "./webhooks";

type Asked = Pick<Ports, "optOuts" | "psuAttempts"> & {
  readonly tppBlocks: TppBlocks;
  readonly statistics: Statistics;
};

/** What operators ask for in the console, and what customers are told because of it. */
export async function askedByOperators(
  { tppBlocks, statistics, optOuts, psuAttempts }: Asked,
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
  await optOuts.list(psuId, { newest: 20 });
  await psuAttempts.unlock(["nobody" as UserKey], psuId);
  await tppBlocks.affectedBy(tppId);
  await tppBlocks.list({ tppId, limit: 20 });
  await tppBlocks.list({ limit: 20 });
  const span = { from: "2026-11-01" as IsoDate, to: "2026-11-30" as IsoDate };
  await statistics.days(span);
  await statistics.days({ ...span, tppId });
  const after = { day: span.from, what: "read" } as const;
  await statistics.days({ ...span, tppId }, { after, limit: 20 });
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
  await seenTpps.endRoles(tppId, certificate, testingNow);
  await seenTpps.find(tppId, testingNow);
  await seenTpps.list({ limit: 20 }, testingNow);
  await seenTpps.list({ after: tppId, limit: 20 }, testingNow);
  const [after] = await eventReader.list({ psuId }, { limit: 20 });
  for (const filter of [
    { psuId },
    { tppId },
    { kind: "tpp-blocked" } as const,
    { from: "2026-01-01T00:00:00Z" },
    {},
  ]) {
    await eventReader.list(filter, { after, limit: 20 });
  }
  await webhooks.close();
  await webhooks.open(testingNow);
  for (const _ of ["taken", "waiting"]) {
    await stopList.block({ tppId, blockedAt: testingNow });
    await stopList.unblock(tppId, testingNow);
  }
  const [first] = await webhooks.lease({ limit: 10, perReceiver: 10, seconds: 30 });
  if (first === undefined) throw new Error("nothing is to be told");
  await webhooks.postpone(first, { seconds: 5, failure: "it does not answer" });
  await webhooks.taken(first.id);
  await webhooks.remove(first.id);
  await webhooks.trim(100, 10);
}

type OfStaff = {
  readonly caseRecords: CaseRecords;
  readonly refusedRequests: RefusedRequests;
  readonly staffSessions: StaffSessions;
};

/** What the support desk searches for, and the operators' own sessions. */
export async function askedByStaff(
  { caseRecords, refusedRequests, staffSessions }: OfStaff,
  psuId: PsuId,
) {
  const id = crypto.randomUUID();
  const requestId = id as string as RequestId;
  const about = { tppId: exampleTpp.id, requestId, resource: { kind: "PIS", id } } as const;
  const answer = { method: "GET", route: "/", status: 404, code: "RESOURCE_UNKNOWN" } as const;
  await refusedRequests.keep([{ ...about, ...answer, told: "nothing", at: testingNow }]);
  await refusedRequests.of({ requestId }, 10);
  await refusedRequests.of({ requestId, tppId: exampleTpp.id }, 10);
  await refusedRequests.of({ resourceId: id }, 10);
  const iban = "RO66DRWB0000000000000077" as Iban;
  for (const asked of [{ id }, { readBy: requestId }, { iban }, { endToEndId: "E2E" }, { psuId }])
    await caseRecords.find(asked, 10);
  await caseRecords.tpps("Exam", 10);
  for (const kind of ["AIS", "PIIS", "PIS"] as const) await caseRecords.timeline({ kind, id }, 10);
  const operator = { id: "ioana", name: "Ioana", roles: ["support"] } as const;
  await staffSessions.open(id, operator, testingNow);
  await staffSessions.touch(id, { inactivityMinutes: 15, sessionMinutes: 480 }, testingNow);
  await staffSessions.end(id, testingNow);
}

/** A request to the bank's app, and the questions about it, of which none is the last. */
export async function askedOfTheApp(authorisations: AuthorisationStore, id: AuthorisationId) {
  const poll = { nonce: "nonce", pollAt: minutesOn(1) };
  const linked = { linkHash: "link", request: { ...poll, id: "request" } };
  const approval = { ...poll, expiresAt: minutesOn(5), ...linked };
  await authorisations.countAppRequest(id, [accountOne], "link", 9, testingNow);
  await authorisations.uncountAppRequest(id, 3, testingNow);
  await authorisations.startApproval(id, [accountOne], approval, testingNow);
  await authorisations.findByApprovalRequest("request");
  for (const isNotified of [false, true]) {
    await authorisations.takeApprovalPoll(id, { ...poll, isNotified }, testingNow);
  }
  await authorisations.postponeApprovalPoll(id, poll, minutesOn(2), testingNow);
  await authorisations.endApproval(id, poll, testingNow);
}
