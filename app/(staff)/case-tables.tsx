import { Detail } from "@/components/text";
import type { CaseFound, TimelineEntry } from "@/lib/domain/case-search";
import type { Permission } from "@/lib/domain/permissions";
import type { RefusedRequest } from "@/lib/domain/refused-requests";
import { nameOnPage } from "@/lib/psu/texts/formats";
import { casePath, customerPath, tppPath } from "@/lib/staff/paths";
import type { Column } from "@/lib/staff/table";
import type { StaffTexts } from "@/lib/staff/texts/en";

type Wording = { readonly texts: StaffTexts; readonly timeZone: string };

/** Consents and payments that were found. */
export function caseColumns({ texts, timeZone }: Wording): readonly Column<CaseFound>[] {
  const { columns: labels, kinds } = texts.cases;
  return [
    {
      ...{
        key: "requested",
        label: labels.requested,
        order: ({ requestedAt }) => requestedAt.getTime(),
      },
      text: ({ requestedAt }) => texts.instant(requestedAt, timeZone),
    },
    {
      ...{ key: "id", label: labels.id, text: ({ id }) => id },
      cell: (found) => <a href={casePath(found)}>{found.id}</a>,
    },
    column("kind", labels.kind, ({ kind }) => kinds[kind]),
    column("status", labels.status, ({ status }) => wordOf(texts.cases.status, status)),
    {
      ...column<CaseFound>("tpp", labels.tpp, ({ tppName }) => nameOnPage(tppName, texts.lang)),
      cell: ({ tppName, tppId }) => (
        <a href={tppPath(tppId)}>
          <bdi>{nameOnPage(tppName, texts.lang)}</bdi>
        </a>
      ),
    },
    {
      ...column<CaseFound>("customer", labels.customer, ({ psuId = "–" }) => psuId),
      cell: ({ psuId }) => (psuId === undefined ? "–" : <a href={customerPath(psuId)}>{psuId}</a>),
    },
  ];
}

/** What is on record about a consent or payment. */
export function timelineColumns({ texts, timeZone }: Wording): readonly Column<TimelineEntry>[] {
  const { columns: labels } = texts.cases;
  const details = (entry: TimelineEntry) => detailsOf(texts, entry);
  return [
    {
      ...{ key: "when", label: labels.when, order: ({ at }) => at.getTime() },
      text: ({ at }) => at.toISOString(),
      cell: ({ at }) => (
        <time dateTime={at.toISOString()}>
          {texts.instant(at, timeZone)}
          <Detail>{at.toISOString()}</Detail>
        </time>
      ),
    },
    column("what", labels.what, (entry) => whatOf(texts, entry)),
    {
      ...{ key: "detail", label: labels.detail, text: (entry) => details(entry).join("; ") },
      cell: (entry) => details(entry).map((line) => <Detail key={line}>{line}</Detail>),
    },
    column("who", labels.who, ({ actor = "–" }) => actor),
    { key: "request", label: labels.request, text: ({ requestId = "–" }) => requestId },
  ];
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

/** Refusals by their X-Request-ID. */
export function refusedColumns({ texts, timeZone }: Wording): readonly Column<RefusedRequest>[] {
  const { columns: labels, refused, told: toldAs, codes, call } = texts.cases;
  return [
    {
      ...{ key: "when", label: labels.when, order: ({ at }) => at.getTime() },
      text: ({ at }) => texts.instant(at, timeZone),
    },
    column("what", labels.what, ({ code, status }) => refused(code, String(status))),
    {
      key: "detail",
      label: labels.detail,
      text: ({ code, told, method, route }) =>
        [codes[code], toldAs(told), call(method, route)].join(" "),
    },
    column("tpp", labels.tpp, ({ tppId }) => tppId),
  ];
}

/** A customer's permissions and payments. */
export function permissionColumns({ texts, timeZone }: Wording): readonly Column<Permission>[] {
  const { columns: labels, kinds, status } = texts.cases;
  const target = (permission: Permission) =>
    permission.kind === "payments"
      ? { kind: "PIS" as const, id: permission.payment.id, status: permission.payment.status }
      : {
          kind: permission.kind === "accounts" ? ("AIS" as const) : ("PIIS" as const),
          ...{ id: permission.consent.id, status: permission.consent.status },
        };
  return [
    {
      key: "requested",
      label: labels.requested,
      order: ({ requestedAt }) => requestedAt.getTime(),
      text: ({ requestedAt }) => texts.instant(requestedAt, timeZone),
    },
    {
      ...{ key: "id", label: labels.id, text: (permission) => target(permission).id },
      cell: (permission) => <a href={casePath(target(permission))}>{target(permission).id}</a>,
    },
    column("kind", labels.kind, (permission) => kinds[target(permission).kind]),
    column("status", labels.status, (permission) => status[target(permission).status]),
    column("tpp", labels.tpp, ({ tpp }) => nameOnPage(tpp.name, texts.lang)),
    column("ended", labels.ended, ({ endedAt }) =>
      endedAt === undefined ? "–" : texts.instant(endedAt, timeZone),
    ),
  ];
}

/** Sorted by what it says. */
function column<Row>(key: string, label: string, text: (row: Row) => string): Column<Row> {
  return { key, label, text, order: text };
}

/** The word in the language of the page; what this version does not know stays as it is. */
function wordOf(words: Readonly<Record<string, string | undefined>>, word: unknown): string {
  return words[String(word)] ?? String(word);
}
