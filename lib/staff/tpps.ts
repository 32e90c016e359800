import type { ConsentCount, DayCount, TppTraffic } from "@/lib/domain/statistics";
import { type BlockOrder, isTppId, type Tpp, type TppCertificate } from "@/lib/domain/tpp";
import type { TppBlockRequest } from "@/lib/domain/tpp-blocks";
import { addDays, dayIn, type TppId } from "@/lib/domain/values";
import { tppOnPage } from "@/lib/psu/texts/formats";
import { blockPath, decodedPart, tppPath } from "./paths";
import { type Column, columnsOf, cutTo, instantCell, type Table } from "./table";
import type { StaffTexts } from "./texts/en";
import { staffTextsFor } from "./texts/texts-for";
import type { StaffVisit } from "./visit";

const TRAFFIC_DAYS = 7;
const TRAFFIC_DAYS_OF_ONE = 30;
/** No TPP has more that matter; the list of all of them has the others. */
const REQUESTS_OF_ONE = 20;

type TppRow = {
  readonly tpp: Tpp;
  readonly block: BlockOrder | undefined;
  readonly traffic: Omit<TppTraffic, "tppId">;
};

/** All TPPs, as page and file show them. */
export async function tppsTable({ services, language, now }: StaffVisit): Promise<Table<TppRow>> {
  const { seenTpps, statistics, profile } = services;
  const today = dayIn(profile.timeZone, now);
  const [tpps, traffic] = await Promise.all([
    seenTpps.list({ limit: profile.staff.csvRowsMax + 1 }, now),
    statistics.byTpp({ from: addDays(today, 1 - TRAFFIC_DAYS), to: today }),
  ]);
  const known = new Map(traffic.map((one) => [one.tppId, one]));
  const rows = tpps.map((tpp): TppRow => {
    const none = { reads: 0, requests: 0, refused: 0 };
    const named = tppOnPage(tpp, language);
    return { tpp: named, block: tpp.blocked, traffic: known.get(tpp.id) ?? none };
  });
  const columns = tppColumns(staffTextsFor(language), profile.timeZone);
  return cutTo({ rows, columns, keyOf: ({ tpp }) => tpp.id }, profile.staff.csvRowsMax, "first");
}

function tppColumns(texts: StaffTexts, timeZone: string): readonly Column<TppRow>[] {
  const { columns, roles, notBlocked, blockedUntil } = texts.tpps;
  const number = (key: "reads" | "requests" | "refused") => ({
    text: ({ traffic }: TppRow) => String(traffic[key]),
    order: ({ traffic }: TppRow) => traffic[key],
  });
  return columnsOf(columns, {
    name: { text: ({ tpp }: TppRow) => tpp.name, href: ({ tpp }) => tppPath(tpp.id) },
    id: ({ tpp }) => tpp.id,
    authority: ({ tpp }) => `${tpp.authorityName} (${tpp.authorityId})`,
    roles: ({ tpp }) => tpp.roles.map((role) => roles[role]).join(", "),
    blocked: {
      text: ({ block }) =>
        block === undefined
          ? notBlocked
          : blockedUntil(block.until && texts.instant(block.until, timeZone)),
      order: ({ block }) => (block === undefined ? 1 : 0),
    },
    reads: number("reads"),
    requests: number("requests"),
    refused: number("refused"),
    share: {
      text: ({ traffic }) => `${Math.round(shareOf(traffic) * 100)} %`,
      order: ({ traffic }) => shareOf(traffic),
    },
  });
}

function shareOf({ reads, requests, refused }: TppRow["traffic"]): number {
  return refused === 0 ? 0 : refused / (reads + requests + refused);
}

/** Of an address; undefined for what is no identifier. */
export function tppIdOf(part: string | undefined): TppId | undefined {
  const id = decodedPart(part);
  return isTppId(id) ? id : undefined;
}

/** One TPP, which need not have come yet: an authority may name any. */
export async function tppView(visit: StaffVisit, part: string | undefined) {
  const { services, language, now } = visit;
  const tppId = tppIdOf(part);
  if (tppId === undefined) return undefined;
  const { seenTpps, stopList, statistics, tppBlocks } = services;
  const [tpp, block, affected, consents, traffic, requests] = await Promise.all([
    seenTpps.find(tppId, now),
    stopList.find(tppId, now),
    tppBlocks.affectedBy(tppId),
    statistics.consents(tppId),
    trafficTable(visit, tppId),
    tppBlocks.list({ tppId, limit: REQUESTS_OF_ONE + 1 }),
  ]);
  const texts = staffTextsFor(language);
  const { timeZone } = services.profile;
  return {
    ...{ tppId, tpp: tpp && tppOnPage(tpp, language), block, affected, traffic },
    certificates: certificatesTable(texts, timeZone, tpp?.certificates ?? []),
    consents: consentsTable(texts, consents),
    requests: cutTo(requestsTable(texts, timeZone, requests), REQUESTS_OF_ONE, "newest-first"),
  };
}
export type TppView = NonNullable<Awaited<ReturnType<typeof tppView>>>;

function certificatesTable(
  texts: StaffTexts,
  timeZone: string,
  rows: readonly TppCertificate[],
): Table<TppCertificate> {
  const columns = columnsOf(texts.tpps.certificateColumns, {
    kind: ({ kind }: TppCertificate) => kind,
    serial: ({ serialNumber }) => serialNumber,
    issuer: ({ issuer }) => issuer,
    first: instantCell(texts, timeZone, ({ firstSeenAt }: TppCertificate) => firstSeenAt),
    end: instantCell(texts, timeZone, ({ notAfter }: TppCertificate) => notAfter),
  });
  return { rows, columns, keyOf: ({ thumbprint }) => thumbprint };
}

function consentsTable(
  { tpps, cases }: StaffTexts,
  rows: readonly ConsentCount[],
): Table<ConsentCount> {
  const columns = columnsOf(tpps.consentColumns, {
    kind: ({ kind }: ConsentCount) => cases.kinds[kind],
    status: ({ status }) => status,
    count: { text: ({ count }) => String(count), order: ({ count }) => count },
  });
  return { rows, columns, keyOf: ({ kind, status }) => `${kind} ${status}` };
}

/** What a TPP has asked for, by the day, as page and file show it. */
async function trafficTable({ services, language, now }: StaffVisit, tppId: TppId) {
  const { statistics, profile } = services;
  const today = dayIn(profile.timeZone, now);
  const span = { from: addDays(today, 1 - TRAFFIC_DAYS_OF_ONE), to: today };
  return daysTable(staffTextsFor(language), await statistics.days({ ...span, tppId }));
}

export function daysTable(
  { tpps, counted }: StaffTexts,
  rows: readonly DayCount[],
): Table<DayCount> {
  const columns = columnsOf(tpps.trafficColumns, {
    day: ({ day }: DayCount) => day,
    what: ({ what }) => counted[what],
    value: ({ value = "–" }) => value,
    part: ({ part = "–" }) => part,
    count: { text: ({ count }) => String(count), order: ({ count }) => count },
  });
  return { rows, columns, keyOf: ({ day, what, value, part }) => [day, what, value, part].join() };
}

/** Requests to block a TPP or to let it in again; each leads to its page. */
export function requestsTable(
  texts: StaffTexts,
  timeZone: string,
  rows: readonly TppBlockRequest[],
): Table<TppBlockRequest> {
  const { requestColumns, columns: labels, actions, bases, outcomes } = texts.tpps;
  const at = instantCell(texts, timeZone, ({ requestedAt }: TppBlockRequest) => requestedAt);
  const columns = columnsOf(
    { ...requestColumns, id: labels.id },
    {
      at: { ...at, href: ({ id }) => blockPath(id) },
      id: ({ tppId }) => tppId,
      action: ({ action }) => actions[action],
      basis: ({ basis }) => bases[basis],
      by: ({ requestedBy }) => requestedBy,
      state: ({ decision }) => outcomes[decision?.outcome ?? "open"],
    },
  );
  return { rows, columns, keyOf: ({ id }) => id };
}
