import * as z from "zod";
import {
  faultsOf,
  inNameOf,
  type LegalBasis,
  legalBases,
  outcomesFor,
  type RequestOutcome,
  secrecyGrounds,
  type TermFault,
  type TppAction,
  type TppBlockTerms,
  tppActions,
  type Undecided,
} from "@/lib/domain/tpp-blocks";
import { dayIn, endOfDayIn, parseIsoDate, type TppId } from "@/lib/domain/values";
import { seeOther } from "@/lib/psu/paths";
import { seal, unseal } from "@/lib/psu/session";
import { tppOnPage } from "@/lib/psu/texts/formats";
import { services as processServices } from "@/lib/services";
import { authorityReport, reportAsText } from "./authority-report";
import { admitted, type Params, type Said, saying, staffForm, staffFormToken } from "./forms";
import { BLOCKS, blockPath, NOT_FOUND, tppPath } from "./paths";
import { cutTo, type Query } from "./table";
import { staffTextsFor } from "./texts/texts-for";
import { requestsTable, tppIdOf } from "./tpps";
import type { StaffVisit } from "./visit";

/**
 * The form by which one person requests a block of a TPP, or its end where it is blocked. What was blocked in an emergency, from
 * the command line, can be requested afterwards, for its report and its notices.
 */
export async function requestFormView(
  visit: StaffVisit,
  part: string,
  { action: wanted, s }: Query,
) {
  const { services, language, now } = visit;
  const tppId = tppIdOf(part);
  if (tppId === undefined) return undefined;
  const { SESSION_SECRET } = services.config;
  const sealed = typeof s === "string" ? s : undefined;
  const purpose = typedPurpose(visit, tppId);
  const typed = (await unseal(SESSION_SECRET, purpose, sealed, typedContent))?.typed;
  const asked = tppActions.find((one) => one === (typed?.["action"] ?? wanted));
  const tpp = await services.tppRegister.find(tppId);
  const isBlocked = (await services.stopList.find(tppId, now)) !== undefined;
  const action: TppAction = isBlocked ? (asked ?? "unblock") : "block";
  const other = action === "unblock" ? ("block" as const) : undefined;
  return {
    tppId,
    name: tpp === undefined ? tppId : tppOnPage(tpp, language).name,
    action,
    other,
    today: dayIn(services.profile.timeZone, now),
    /** What a mistake has led back from. */
    typed,
    token: await staffFormToken(visit, sendPath(tppId)),
  };
}

const typedContent = z.object({ typed: z.record(z.string(), z.string()) });
const typedPurpose = ({ sessionId }: StaffVisit, tppId: TppId) =>
  `staff-block-request ${sessionId} ${tppId}` as const;
const TYPED_SECONDS = 900;
/** Proxies take an address of 8 kB as a rule; beyond this what was typed is lost. */
const TYPED_CHARACTERS_MAX = 7_000;

/** Back to the form, as it was filled in: it goes into no address unsealed, as little as what is searched for. */
async function askAgain(visit: StaffVisit, form: URLSearchParams, tppId: TppId, why: Said) {
  const { token: _, ...typed } = Object.fromEntries(form);
  const { SESSION_SECRET } = visit.services.config;
  const purpose = typedPurpose(visit, tppId);
  const sealed = await seal(SESSION_SECRET, purpose, { typed }, TYPED_SECONDS);
  const query = sealed.length > TYPED_CHARACTERS_MAX ? "" : `?s=${sealed}`;
  return saying(visit.services, `${tppPath(tppId)}/request`, why, { query });
}

export const sendPath = (tppId: TppId) => `${tppPath(tppId)}/request/send`;

const requestPage = ({ tppId }: Params) => `${tppPath(tppIdOf(tppId) ?? "none")}/request`;

const saidOfFault: Readonly<Record<TermFault, Said>> = {
  basis: "basis-wrong",
  reason: "reason-missing",
  until: "until-wrong",
  secrecyReason: "secrecy-reason-missing",
};

/** The field that is to be corrected; undefined where what was said is about none. */
export function faultyField(said: Said | undefined): TermFault | undefined {
  return (Object.keys(saidOfFault) as TermFault[]).find((field) => saidOfFault[field] === said);
}

export const sendBlockRequest = staffForm({
  action: "request-block",
  page: requestPage,
  take: async (visit, form, params) => {
    const { services, operator, now } = visit;
    const tppId = tppIdOf(params["tppId"]);
    if (tppId === undefined) return seeOther(NOT_FOUND);
    const terms = termsOf(form, tppId, services.profile.timeZone);
    if (typeof terms === "string") return askAgain(visit, form, tppId, terms);
    const [fault] = faultsOf(terms, now);
    if (fault !== undefined) return askAgain(visit, form, tppId, saidOfFault[fault]);
    const opened = await services.tppBlocks.request(terms, operator.id, now);
    if (opened === "open-already") return askAgain(visit, form, tppId, opened);
    return saying(services, blockPath(opened.id), "request-made");
  },
});

function termsOf(form: URLSearchParams, tppId: TppId, timeZone: string): TppBlockTerms | Said {
  const action = tppActions.find((one) => one === form.get("action"));
  const basis = (Object.keys(legalBases) as LegalBasis[]).find((one) => one === form.get("basis"));
  if (action === undefined || basis === undefined) return "basis-wrong";
  const last = form.get("until");
  const day = last === null || last === "" ? undefined : parseIsoDate(last);
  if (last !== null && last !== "" && day === undefined) return "until-wrong";
  const ground = secrecyGrounds.find((one) => one === form.get("tell"));
  return {
    action,
    tppId,
    basis,
    reason: textOf(form, "reason"),
    ...(day !== undefined && { until: endOfDayIn(timeZone, day) }),
    ...(ground !== undefined && { secrecy: { ground, reason: textOf(form, "secrecyReason") } }),
  };
}

const NOTHING = "";
/** A form sends the end of a line as two characters, and its field counts one. */
const textOf = (form: URLSearchParams, name: string) =>
  (form.get(name) ?? NOTHING).replaceAll("\r\n", "\n").trim();

/** A request, and what this operator may do about it. */
export async function blockView(visit: StaffVisit, id: string) {
  const { services, operator, language, now } = visit;
  const request = await services.tppBlocks.find(id);
  if (request === undefined) return undefined;
  const tpp = await services.tppRegister.find(request.tppId);
  const { requestedBy } = request;
  const forms = outcomesFor(request, operator.id, now).map(async (outcome) => {
    const action = `${blockPath(id)}/${verbs[outcome]}`;
    return { verb: verbs[outcome], action, token: await staffFormToken(visit, action) };
  });
  return {
    request,
    name: tpp === undefined ? request.tppId : tppOnPage(tpp, language).name,
    isOwn: requestedBy === operator.id || requestedBy.startsWith(inNameOf(operator.id)),
    forms: await Promise.all(forms),
  };
}

const verbs = {
  approved: "approve",
  refused: "refuse",
  withdrawn: "withdraw",
} as const satisfies Readonly<Record<RequestOutcome, string>>;

export type BlockView = NonNullable<Awaited<ReturnType<typeof blockView>>>;

const saidOfUndecided: Readonly<Record<Undecided, Said>> = {
  unknown: "not-found",
  "decided-already": "decided-already",
  "own-request": "own-request",
  "not-own-request": "not-own-request",
  "over-already": "over-already",
};
const saidOfOutcome: Readonly<Record<RequestOutcome, Said>> = {
  approved: "request-approved",
  refused: "request-refused",
  withdrawn: "request-withdrawn",
};

export const approveBlock = deciding("approved");
export const refuseBlock = deciding("refused");
export const withdrawBlock = deciding("withdrawn");

const NOTE_CHARACTERS_MAX = 500;

function deciding(outcome: RequestOutcome) {
  const page = ({ id }: Params) => (id === undefined ? BLOCKS : blockPath(id));
  return staffForm({
    action: outcome === "withdrawn" ? "request-block" : "approve-block",
    page,
    take: async ({ services, operator, now }, form, params) => {
      const note = textOf(form, "note").slice(0, NOTE_CHARACTERS_MAX);
      const { id = "none" } = params;
      const decided = await services.tppBlocks.decide(
        { id, outcome, by: operator.id, at: now, ...(note !== "" && { note }) },
        authorityReport(services.profile),
      );
      const said = decided === "decided" ? saidOfOutcome[outcome] : saidOfUndecided[decided];
      return saying(services, page(params), said);
    },
  });
}

/** All of them, the newest first. */
export async function blocksTable({ services, language }: StaffVisit) {
  const { tppBlocks, profile } = services;
  const most = profile.staff.csvRowsMax;
  const rows = await tppBlocks.list({ limit: most + 1 });
  const table = requestsTable(staffTextsFor(language), profile.timeZone, rows);
  return cutTo(table, most, "newest-first");
}

export async function downloadReport(
  request: Request,
  { params }: { readonly params: Promise<Params> },
): Promise<Response> {
  const { id = "none" } = await params;
  const services = processServices();
  const of = { action: "see-tpps", path: `${blockPath(id)}/report` } as const;
  const visit = await admitted(services, request.headers, of);
  if (typeof visit === "string") return seeOther(visit);
  const report = await services.tppBlocks.report(id);
  if (report === undefined) return seeOther(NOT_FOUND);
  return new Response(reportAsText(report), {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": `attachment; filename="report-${id}.txt"`,
      "cache-control": "no-store",
    },
  });
}
