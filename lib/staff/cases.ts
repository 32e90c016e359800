import * as z from "zod";
import type { ResourceKind } from "@/lib/domain/authorisation";
import {
  type CaseFound,
  type Found,
  SEARCH_CHARACTERS_MAX,
  searchCases,
  type TimelineEntry,
} from "@/lib/domain/case-search";
import { permissionOf } from "@/lib/domain/opt-outs";
import { type PermissionRecord, revokePermission } from "@/lib/domain/permissions";
import { isUuid, type PsuId } from "@/lib/domain/values";
import { seeOther } from "@/lib/psu/paths";
import { seal, unseal } from "@/lib/psu/session";
import { saying, staffForm, staffFormToken } from "./forms";
import { casePath, SEARCH } from "./paths";
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

export type SearchView = {
  readonly token: string;
  /** Absent where nothing was searched for. */
  readonly result?: { readonly text: string; readonly found: Found; readonly sealed: string };
};

export async function searchView(visit: StaffVisit, sealed: unknown): Promise<SearchView> {
  const { services } = visit;
  const token = await staffFormToken(visit, `${SEARCH}/find`);
  if (typeof sealed !== "string") return { token };
  const { SESSION_SECRET } = services.config;
  const opened = await unseal(SESSION_SECRET, purposeOf(visit), sealed, searchContent);
  if (opened === undefined) return { token };
  const { text } = opened;
  const found = await searchCases(services, text, services.profile.staff.rowsPerPage);
  const seen = [found.customer, ...found.cases.map(({ psuId }) => psuId)];
  for (const psuId of new Set(seen))
    if (psuId !== undefined) await noteView(visit, "search", psuId);
  return { token, result: { text, found, sealed } };
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

export type CaseView = {
  readonly found: CaseFound;
  readonly entries: readonly TimelineEntry[];
  /** Of a customer who has signed in for it. */
  readonly record: PermissionRecord | undefined;
  /** Of the form that ends it, where that is possible. */
  readonly endToken: string | undefined;
};

type Asked = Readonly<Record<string, string>>;

/** Undefined where there is no such consent or payment. */
export async function caseView(visit: StaffVisit, asked: Asked): Promise<CaseView | undefined> {
  const found = await caseAt(visit, asked);
  if (found === undefined) return undefined;
  const { caseRecords, permissionRecords, profile } = visit.services;
  const { kind, id, psuId, status } = found;
  if (psuId !== undefined) await noteView(visit, "timeline", psuId, { kind, id });
  const entries = await caseRecords.timeline({ kind, id }, profile.staff.csvRowsMax);
  const record = psuId && (await permissionRecords.find(psuId, permissionOf[kind], id));
  const mayEnd = kind !== "PIS" && status === "valid";
  const endToken = mayEnd ? await staffFormToken(visit, `${casePath(found)}/end`) : undefined;
  return { found, entries, record, endToken };
}

async function caseAt({ services }: StaffVisit, { kind, id }: Asked) {
  if (id === undefined || !isUuid(id)) return undefined;
  const cases = await services.caseRecords.find({ id }, 10);
  return cases.find((one) => one.kind === kind && one.id === id);
}

const REASON_CHARACTERS_MAX = 200;

export function reasonIn(form: URLSearchParams): string | undefined {
  const reason = form.get("reason")?.trim().slice(0, REASON_CHARACTERS_MAX);
  return reason === "" ? undefined : reason;
}

/** The handlers of the form that ends a permission on the customer's behalf. */
export const endingPermission = staffForm({
  action: "end-permission",
  page: ({ kind, id }) => `/staff/cases/${kind}/${id}`,
  take: async (visit, form, params) => {
    const { services, operator, now } = visit;
    const found = await caseAt(visit, params);
    const path = `/staff/cases/${params["kind"]}/${params["id"]}`;
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
