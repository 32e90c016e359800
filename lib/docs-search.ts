import { slugify } from "markdown-to-jsx/react";
import { messageCodes } from "@/lib/domain/errors";
import { errorHelp } from "@/lib/xs2a/error-help";
import type { OpenApi } from "@/lib/xs2a/openapi/document";
import { callsOf, ownParameters } from "@/lib/xs2a/openapi/reading";
import { meaningOf } from "@/lib/xs2a/refusals";
import { type Guide, type GuideName, guidePath } from "./guides";

/** What can be found: a section of a guide, a call, or an error code. */
export type Entry = { readonly href: string; readonly title: string; readonly text: string };

const WORDS_MAX = 10;
const RESULTS_MAX = 20;

/** The entries that hold every word of the query, those with a word in the title first. */
export function search(entries: readonly Entry[], query: string): readonly Entry[] {
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

export function guideEntries(name: GuideName, { title, parts }: Guide): readonly Entry[] {
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

export function referenceEntries(api: OpenApi): readonly Entry[] {
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

export function errorEntries(): readonly Entry[] {
  return (Object.keys(messageCodes) as (keyof typeof messageCodes)[]).map((code) => ({
    href: `/docs/errors/${code}`,
    title: code,
    text: `${meaningOf[code]} ${errorHelp[code].toDo}`,
  }));
}
