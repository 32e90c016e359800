import { slugify } from "markdown-to-jsx/react";
import { api } from "@/app/(xs2a)/routes";
import { messageCodes } from "@/lib/domain/errors";
import {
  type Guide,
  type GuideName,
  guideFiles,
  guidePath,
  isGuideName,
  readGuide,
} from "@/lib/guides";
import { services } from "@/lib/services";
import { errorHelp } from "@/lib/xs2a/error-help";
import type { OpenApi } from "@/lib/xs2a/openapi/document";
import { callsOf, ownParameters } from "@/lib/xs2a/openapi/reading";
import { meaningOf } from "@/lib/xs2a/refusals";
import { DocsPage } from "../../docs-page";

const EXCERPT_CHARACTERS = 200;
const BEFORE_CHARACTERS = 60;

type Props = { readonly searchParams: Promise<Readonly<Record<string, string | string[]>>> };

export default async function SearchPage({ searchParams }: Props) {
  const { q } = await searchParams;
  const query = typeof q === "string" ? q.slice(0, 100) : "";
  const bank = services();
  const guides = Object.keys(guideFiles).filter(isGuideName);
  const entries = [
    ...errorEntries(),
    ...referenceEntries(api().document),
    ...guides.flatMap((name) => guideEntries(name, readGuide(name, bank))),
  ];
  const found = search(entries, query);
  return (
    <DocsPage title={query === "" ? "Search" : `Search: ${query}`} query={query}>
      {found.length === 0 && query !== "" && <p>Nothing holds all of these words.</p>}
      <ol>
        {found.map(({ href, title, text }) => (
          <li key={href}>
            <a href={href}>{title}</a>
            <span className="detail">{excerpt(text.trim(), query)}</span>
          </li>
        ))}
      </ol>
    </DocsPage>
  );
}

/** From a word before the first one that was searched for; from the beginning where that is in the title. */
function excerpt(text: string, query: string): string {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const start = first <= BEFORE_CHARACTERS ? 0 : text.indexOf(" ", first - BEFORE_CHARACTERS) + 1;
  return `${start > 0 ? "… " : ""}${text.slice(start, start + EXCERPT_CHARACTERS)}`;
}

/** What can be found: a section of a guide, a call, or an error code. */
type Entry = { readonly href: string; readonly title: string; readonly text: string };

const WORDS_MAX = 10;
const RESULTS_MAX = 20;

/** The entries that hold every word of the query, those with a word in the title first. */
function search(entries: readonly Entry[], query: string): readonly Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, WORDS_MAX);
  if (words.length === 0) return [];
  const inTitle = ({ title }: Entry) => words.some((word) => title.toLowerCase().includes(word));
  const found = entries.filter(({ title, text }) => {
    const all = `${title} ${text}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  // What has changed comes last: it names everything.
  const rank = (entry: Entry) =>
    entry.href.startsWith(guidePath("changelog")) ? 2 : inTitle(entry) ? 0 : 1;
  const sorted = found.toSorted((one, other) => rank(one) - rank(other));
  return sorted.slice(0, RESULTS_MAX);
}

function guideEntries(name: GuideName, { title, parts }: Guide): readonly Entry[] {
  const text = parts.map((part) => (part.kind === "text" ? part.markdown : part.code)).join("\n");
  return text.split(/^(?=##+ )/m).map((section) => {
    const [, heading] = /^##+ (.+)\n/.exec(section) ?? [];
    const words = section.replace(/^##+ .+\n/, "").replaceAll(/\]\([^)]*\)|[`*[|]/g, "");
    return heading === undefined
      ? { href: guidePath(name), title, text: words }
      : {
          href: `${guidePath(name)}#${slugify(heading)}`,
          title: `${title}: ${heading}`,
          text: words,
        };
  });
}

function referenceEntries(api: OpenApi): readonly Entry[] {
  const calls = api.tags.flatMap(({ name }) => callsOf(api, name));
  return calls.map((call) => ({
    href: `/docs/reference#${call.operationId}`,
    title: call.summary,
    text: [
      `${call.method.toUpperCase()} ${call.path}`,
      ...ownParameters(call).map(({ name, description }) => `${name}: ${description}`),
    ].join(" "),
  }));
}

function errorEntries(): readonly Entry[] {
  return (Object.keys(messageCodes) as (keyof typeof messageCodes)[]).map((code) => ({
    href: `/docs/errors/${code}`,
    title: code,
    text: `${meaningOf[code]} ${errorHelp[code].toDo}`,
  }));
}
