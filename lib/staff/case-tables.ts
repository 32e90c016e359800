import type { CaseFound, TimelineEntry } from "@/lib/domain/case-search";
import { resourceOf } from "@/lib/domain/opt-outs";
import type { Permission } from "@/lib/domain/permissions";
import type { RefusedRequest } from "@/lib/domain/refused-requests";
import type { Tpp } from "@/lib/domain/tpp";
import { nameOnPage } from "@/lib/psu/texts/formats";
import { casePath, customerPath, tppPath } from "./paths";
import { columnsOf, instantCell, type Table } from "./table";
import type { StaffTexts } from "./texts/en";
import { staffTextsFor } from "./texts/texts-for";
import type { StaffVisit } from "./visit";

export function caseTable(visit: StaffVisit, rows: readonly CaseFound[]): Table<CaseFound> {
  const { texts, timeZone } = wordingOf(visit);
  const { columns: labels, kinds, status } = texts.cases;
  const columns = columnsOf(labels, {
    requested: instantCell(texts, timeZone, ({ requestedAt }: CaseFound) => requestedAt),
    id: { text: ({ id }) => id, href: casePath },
    kind: ({ kind }) => kinds[kind],
    status: (found) => wordOf(status, found.status),
    tpp: {
      text: ({ tppName }) => nameOnPage(tppName, texts.lang),
      href: ({ tppId }) => tppPath(tppId),
    },
    customer: {
      text: ({ psuId = "–" }) => psuId,
      href: ({ psuId }) => psuId && customerPath(psuId),
    },
  });
  return { rows, columns, keyOf: ({ id }) => id };
}

export function timelineTable(
  visit: StaffVisit,
  rows: readonly TimelineEntry[],
): Table<TimelineEntry> {
  const { texts, timeZone } = wordingOf(visit);
  const details = (entry: TimelineEntry) => detailsOf(texts, entry);
  const columns = columnsOf(texts.cases.columns, {
    when: {
      text: ({ at }: TimelineEntry) => at.toISOString(),
      lines: ({ at }) => [texts.instant(at, timeZone), at.toISOString()],
    },
    what: (entry) => whatOf(texts, entry),
    detail: { text: (entry) => details(entry).join("; "), lines: details },
    who: ({ actor = "–" }) => actor,
    request: ({ requestId = "–" }) => requestId,
  });
  return { rows, columns, keyOf: (entry) => `${rows.indexOf(entry)}` };
}

function whatOf({ cases: words }: StaffTexts, { source, what, detail }: TimelineEntry): string {
  switch (source) {
    case "read":
      return wordOf(words.reads, what);
    case "payment-status":
      return wordOf(words.status, what);
    case "refusal":
      return words.refused(what, String(detail["status"]));
    case "submission":
      return words.submission(Number(detail["attempts"]));
    case "event":
      return wordOf(words.events, what);
  }
}

/** The rest of an entry in words, a line for each. */
function detailsOf({ cases: words }: StaffTexts, entry: TimelineEntry): readonly string[] {
  const { source, what, detail } = entry;
  if (source === "read") return [detail["attended"] === true ? words.attended : words.unattended];
  if (source === "submission") return [];
  if (source === "refusal") {
    const { told, method, route, tppId } = detail;
    const why = wordOf(words.codes, what);
    return [
      why,
      words.told(String(told)),
      words.call(String(method), String(route)),
      String(tppId),
    ];
  }
  const states = what === "sca-status" ? words.sca : words.status;
  const { from, to, because, reason, element, means, what: looked } = detail;
  return [
    ...(to === undefined ? [] : [words.moved(wordOf(states, from), wordOf(states, to))]),
    ...(because === undefined ? [] : [wordOf(words.because, because)]),
    ...(element === undefined ? [] : [`${wordOf(words.elements, element)}: ${String(means)}`]),
    ...(looked === undefined ? [] : [String(looked)]),
    ...(reason === undefined ? [] : [words.reason(String(reason))]),
  ];
}

export function foundTppsTable({ language }: StaffVisit, rows: readonly Tpp[]): Table<Tpp> {
  const { tpps, lang } = staffTextsFor(language);
  const columns = columnsOf(tpps.columns, {
    name: { text: ({ name }: Tpp) => nameOnPage(name, lang), href: ({ id }) => tppPath(id) },
    id: ({ id }) => id,
  });
  return { rows, columns, keyOf: ({ id }) => id };
}

export function refusedTable(
  visit: StaffVisit,
  rows: readonly RefusedRequest[],
): Table<RefusedRequest> {
  const { texts, timeZone } = wordingOf(visit);
  const { columns: labels, refused, told: toldAs, codes, call } = texts.cases;
  const columns = columnsOf(labels, {
    when: instantCell(texts, timeZone, ({ at }: RefusedRequest) => at),
    what: ({ code, status }) => refused(code, String(status)),
    detail: ({ code, told, method, route }) =>
      [codes[code], toldAs(told), call(method, route)].join(" "),
    tpp: ({ tppId }) => tppId,
  });
  return { rows, columns, keyOf: ({ at, code }) => `${at.getTime()} ${code}` };
}

export function permissionTable(visit: StaffVisit, rows: readonly Permission[]): Table<Permission> {
  const { texts, timeZone } = wordingOf(visit);
  const { columns: labels, kinds, status } = texts.cases;
  const columns = columnsOf(labels, {
    requested: instantCell(texts, timeZone, ({ requestedAt }: Permission) => requestedAt),
    id: {
      text: (permission) => targetOf(permission).id,
      href: (permission) => casePath(targetOf(permission)),
    },
    kind: (permission) => kinds[targetOf(permission).kind],
    status: (permission) => status[targetOf(permission).status],
    tpp: ({ tpp }) => nameOnPage(tpp.name, texts.lang),
    ended: instantCell(texts, timeZone, ({ endedAt }: Permission) => endedAt),
  });
  return { rows, columns, keyOf: (permission) => targetOf(permission).id };
}

function targetOf(permission: Permission) {
  const { id, status } = permission.kind === "payments" ? permission.payment : permission.consent;
  return { kind: resourceOf[permission.kind], id, status };
}

function wordingOf({ services, language }: StaffVisit) {
  return { texts: staffTextsFor(language), timeZone: services.profile.timeZone };
}

/** The word in the language of the page; what this version does not know stays as it is. */
function wordOf(words: Readonly<Record<string, string | undefined>>, word: unknown): string {
  return words[String(word)] ?? String(word);
}
