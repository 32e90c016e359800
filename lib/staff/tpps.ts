import type { DayCount, TppTraffic } from "@/lib/domain/statistics";
import { type BlockOrder, isTppId, type Tpp } from "@/lib/domain/tpp";
import type { TppBlockRequest } from "@/lib/domain/tpp-blocks";
import { addDays, dayIn, type TppId } from "@/lib/domain/values";
import { tppOnPage } from "@/lib/psu/texts/formats";
import type { Params } from "./forms";
import type { Column } from "./table";
import type { StaffTexts } from "./texts/en";
import { staffTextsFor } from "./texts/texts-for";
import type { StaffVisit } from "./visit";

const TRAFFIC_DAYS = 7;
const TRAFFIC_DAYS_OF_ONE = 30;
/** No TPP has more that matter; the list of all of them has the others. */
const REQUESTS_OF_ONE = 20;

export type TppRow = {
  readonly tpp: Tpp;
  readonly block: BlockOrder | undefined;
  readonly traffic: Omit<TppTraffic, "tppId">;
};

/** All TPPs, as page and file show them. */
export async function tppTable({ services, language, now }: StaffVisit) {
  const { seenTpps, statistics, profile } = services;
  const today = dayIn(profile.timeZone, now);
  const [tpps, traffic] = await Promise.all([
    seenTpps.list({ limit: profile.staff.csvRowsMax }, now),
    statistics.byTpp({ from: addDays(today, 1 - TRAFFIC_DAYS), to: today }),
  ]);
  const known = new Map(traffic.map((one) => [one.tppId, one]));
  const rows = tpps.map((tpp): TppRow => {
    const none = { reads: 0, requests: 0, refused: 0 };
    const named = tppOnPage(tpp, language);
    return { tpp: named, block: tpp.blocked, traffic: known.get(tpp.id) ?? none };
  });
  return { rows, columns: tppColumns(staffTextsFor(language), profile.timeZone) };
}

function tppColumns(texts: StaffTexts, timeZone: string): readonly Column<TppRow>[] {
  const { columns, roles, notBlocked, blockedUntil } = texts.tpps;
  const number = (key: "reads" | "requests" | "refused"): Column<TppRow> => ({
    key,
    label: columns[key],
    text: ({ traffic }) => String(traffic[key]),
    order: ({ traffic }) => traffic[key],
  });
  return [
    { key: "name", label: columns.name, text: ({ tpp }) => tpp.name, order: ({ tpp }) => tpp.name },
    { key: "id", label: columns.id, text: ({ tpp }) => tpp.id, order: ({ tpp }) => tpp.id },
    {
      key: "authority",
      label: columns.authority,
      text: ({ tpp }) => `${tpp.authorityName} (${tpp.authorityId})`,
      order: ({ tpp }) => tpp.authorityId,
    },
    {
      key: "roles",
      label: columns.roles,
      text: ({ tpp }) => tpp.roles.map((role) => roles[role]).join(", "),
    },
    {
      key: "blocked",
      label: columns.blocked,
      text: ({ block }) =>
        block === undefined ? notBlocked : blockedUntil(endOf(texts, timeZone, block.until)),
      order: ({ block }) => (block === undefined ? 1 : 0),
    },
    number("reads"),
    number("requests"),
    number("refused"),
    {
      key: "share",
      label: columns.share,
      text: ({ traffic }) => `${Math.round(shareOf(traffic) * 100)} %`,
      order: ({ traffic }) => shareOf(traffic),
    },
  ];
}

function endOf(texts: StaffTexts, timeZone: string, until: Date | undefined): string | undefined {
  return until && texts.instant(until, timeZone);
}

function shareOf({ reads, requests, refused }: TppRow["traffic"]): number {
  return refused === 0 ? 0 : refused / (reads + requests + refused);
}

/** Of an address; undefined for what is no identifier. */
export function tppIdOf(part: string | undefined): TppId | undefined {
  try {
    const id = decodeURIComponent(part ?? "none");
    return isTppId(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

/** One TPP, which need not have come yet: an authority may name any. */
export async function tppView(visit: StaffVisit, part: string) {
  const { services, language, now } = visit;
  const tppId = tppIdOf(part);
  if (tppId === undefined) return undefined;
  const { seenTpps, stopList, statistics, tppBlocks } = services;
  const [tpp, block, affected, consents, traffic, requests] = await Promise.all([
    seenTpps.find(tppId, now),
    stopList.find(tppId, now),
    tppBlocks.affectedBy(tppId),
    statistics.consents(tppId),
    trafficTable(visit, { tppId: part }),
    tppBlocks.list({ tppId, limit: REQUESTS_OF_ONE }),
  ]);
  if (traffic === undefined) return undefined;
  const known = tpp && tppOnPage(tpp, language);
  const certificates = tpp === undefined ? [] : tpp.certificates;
  return { tppId, tpp: known, certificates, block, affected, consents, traffic, requests };
}
export type TppView = NonNullable<Awaited<ReturnType<typeof tppView>>>;

/** What a TPP has asked for, by the day, as page and file show it. */
export async function trafficTable(
  { services, language, now }: StaffVisit,
  { tppId: part }: Params,
) {
  const tppId = tppIdOf(part);
  if (tppId === undefined) return undefined;
  const { statistics, profile } = services;
  const today = dayIn(profile.timeZone, now);
  const span = { from: addDays(today, 1 - TRAFFIC_DAYS_OF_ONE), to: today };
  const rows = await statistics.days({ ...span, tppId });
  return { rows, columns: dayColumns(staffTextsFor(language)) };
}

export function dayColumns({ tpps, counted }: StaffTexts): readonly Column<DayCount>[] {
  const { trafficColumns: labels } = tpps;
  const words = (key: "day" | "value" | "part"): Column<DayCount> => {
    const text = (row: DayCount) => row[key] ?? NONE;
    return { key, label: labels[key], text, order: text };
  };
  const what = (row: DayCount) => counted[row.what];
  return [
    words("day"),
    { key: "what", label: labels.what, text: what, order: what },
    words("value"),
    words("part"),
    {
      key: "count",
      label: labels.count,
      text: ({ count }) => String(count),
      order: ({ count }) => count,
    },
  ];
}
const NONE = "–";

export function requestColumns(
  texts: StaffTexts,
  timeZone: string,
): readonly Column<TppBlockRequest>[] {
  const { requestColumns: labels, columns, actions, bases, outcomes } = texts.tpps;
  const column = (
    key: string,
    label: string,
    text: (request: TppBlockRequest) => string,
  ): Column<TppBlockRequest> => ({ key, label, text, order: text });
  return [
    {
      ...column("at", labels.at, ({ requestedAt }) => texts.instant(requestedAt, timeZone)),
      order: ({ requestedAt }) => requestedAt.getTime(),
    },
    column("id", columns.id, ({ tppId }) => tppId),
    column("action", labels.action, ({ action }) => actions[action]),
    column("basis", labels.basis, ({ basis }) => bases[basis]),
    column("by", labels.by, ({ requestedBy }) => requestedBy),
    column("state", labels.state, ({ decision }) => outcomes[decision?.outcome ?? "open"]),
  ];
}
