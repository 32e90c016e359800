import * as z from "zod";
import type { ResourceKind } from "@/lib/domain/authorisation";
import { SEARCH_CHARACTERS_MAX, searchCases } from "@/lib/domain/case-search";
import { permissionOf } from "@/lib/domain/opt-outs";
import { revokePermission } from "@/lib/domain/permissions";
import { isUuid, type PsuId } from "@/lib/domain/values";
import { seeOther } from "@/lib/psu/paths";
import { seal, unseal } from "@/lib/psu/session";
import { caseTable, foundTppsTable, refusedTable, timelineTable } from "./case-tables";
import { saying, staffForm, staffFormToken } from "./forms";
import { casePath, SEARCH } from "./paths";
import { cutTo, type Query } from "./table";
import type { StaffVisit } from "./visit";

const SEARCH_SECONDS = 900;
const searchContent = z.object({ text: z.string() });
const purposeOf = ({ sessionId }: StaffVisit) => `staff-search ${sessionId}` as const;

/**
 * The handlers of the search form. What is searched for may be a customer's IBAN, so it goes into no address: it is
 * sealed for this session, and the page opens it. One consent or payment is shown at once.
 */
export const searching = staffForm({
  action: "search",
  page: () => SEARCH,
  take: async (visit, form) => {
    const text = form.get("text")?.trim().slice(0, SEARCH_CHARACTERS_MAX);
    if (text === undefined || text === "") return seeOther(SEARCH);
    const { services } = visit;
    const { cases, tpps, refused, customer } = await searchCases(services, text, 2);
    const [only, ...others] = cases;
    const more = others.length + tpps.length + refused.length;
    if (only !== undefined && more === 0 && customer === undefined) {
      return seeOther(casePath(only));
    }
    const { SESSION_SECRET } = services.config;
    const sealed = await seal(SESSION_SECRET, purposeOf(visit), { text }, SEARCH_SECONDS);
    return seeOther(`${SEARCH}?s=${sealed}`);
  },
});

/** `result` is undefined where nothing was searched for. */
export async function searchView(visit: StaffVisit, asked: Query[string]) {
  const { services } = visit;
  const token = await staffFormToken(visit, `${SEARCH}/find`);
  const sealed = typeof asked === "string" ? asked : undefined;
  const { SESSION_SECRET } = services.config;
  const opened = await unseal(SESSION_SECRET, purposeOf(visit), sealed, searchContent);
  if (sealed === undefined || opened === undefined) return { token, result: undefined };
  const { text } = opened;
  const { rowsPerPage } = services.profile.staff;
  const { customer, ...found } = await searchCases(services, text, rowsPerPage + 1);
  const cases = cutTo(caseTable(visit, found.cases), rowsPerPage, "newest-first");
  const refused = cutTo(refusedTable(visit, found.refused), rowsPerPage, "newest-last");
  const tpps = cutTo(foundTppsTable(visit, found.tpps), rowsPerPage, "first");
  const seen = [customer, ...cases.rows.map(({ psuId }) => psuId)];
  for (const psuId of new Set(seen))
    if (psuId !== undefined) await noteView(visit, "search", psuId);
  return { token, result: { text, sealed, customer, cases, tpps, refused } };
}

/** That somebody of the bank has looked at a customer is on record. */
export async function noteView(
  { services, operator }: StaffVisit,
  what: string,
  psuId: PsuId,
  resource?: { readonly kind: ResourceKind; readonly id: string },
): Promise<void> {
  const detail = { what };
  const { id: actor } = operator;
  await services.events.record({ kind: "customer-viewed", actor, psuId, resource, detail });
}

/** Undefined where there is no such consent or payment. */
export async function caseView(visit: StaffVisit, kindAsked: string, idAsked: string) {
  const found = await caseAt(visit, kindAsked, idAsked);
  if (found === undefined) return undefined;
  const { caseRecords, permissionRecords, profile } = visit.services;
  const { kind, id, psuId, status } = found;
  if (psuId !== undefined) await noteView(visit, "timeline", psuId, { kind, id });
  const most = profile.staff.csvRowsMax;
  const entries = await caseRecords.timeline({ kind, id }, most + 1);
  const timeline = cutTo(timelineTable(visit, entries), most, "newest-last");
  // Of a customer who has signed in for it.
  const record = psuId && (await permissionRecords.find(psuId, permissionOf[kind], id));
  const mayEnd = kind !== "PIS" && status === "valid";
  const endToken = mayEnd ? await staffFormToken(visit, `${casePath(found)}/end`) : undefined;
  return { found, timeline, record, endToken };
}

export type CaseView = NonNullable<Awaited<ReturnType<typeof caseView>>>;

async function caseAt({ services }: StaffVisit, kind: string, id: string) {
  if (!isUuid(id)) return undefined;
  const cases = await services.caseRecords.find({ id }, 10);
  return cases.find((one) => one.kind === kind && one.id === id);
}

export const REASON_CHARACTERS_MAX = 200;

export function reasonIn(form: URLSearchParams): string | undefined {
  const reason = form.get("reason")?.trim().slice(0, REASON_CHARACTERS_MAX);
  return reason === "" ? undefined : reason;
}

/** The handlers of the form that ends a permission on the customer's behalf. */
export const endingPermission = staffForm({
  action: "end-permission",
  page: ({ kind, id }) => `/staff/cases/${kind}/${id}`,
  take: async (visit, form, { kind: kindAsked = "none", id: idAsked = "none" }) => {
    const { services, operator, now } = visit;
    const found = await caseAt(visit, kindAsked, idAsked);
    const path = `/staff/cases/${kindAsked}/${idAsked}`;
    if (found?.psuId === undefined) return saying(services, path, "not-ended");
    const reason = reasonIn(form);
    if (reason === undefined) return saying(services, path, "reason-missing");
    const { psuId, kind, id } = found;
    const stores = services.actingAs({ actor: operator.id, reason });
    const acting = { ...services, ...stores };
    const ended = await revokePermission(acting, { psuId, kind: permissionOf[kind], id, now });
    return saying(services, path, ended ? "ended" : "not-ended");
  },
});
