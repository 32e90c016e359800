import { readFileSync } from "node:fs";
import path from "node:path";
import type { AspspProfile } from "@/lib/domain/bank-profile";

/** The guides of the developer portal by the name in their address, in the order of reading; `start` is `/docs`. */
export const guideFiles = {
  start: "docs/guides/start.md",
  "first-call": "docs/guides/first-call.md",
  consents: "docs/guides/consents.md",
  sca: "docs/guides/sca.md",
  payments: "docs/guides/payments.md",
  certificates: "docs/guides/certificates.md",
  // The list of codes is at `/docs/errors`.
  refusals: "docs/guides/errors.md",
  "going-live": "docs/guides/going-live.md",
  sandbox: "docs/sandbox.md",
  "time-travel": "docs/time-travel.md",
  tpp: "docs/tpp.md",
  changelog: "CHANGELOG.md",
} as const;

export type GuideName = keyof typeof guideFiles;
type Bank = {
  readonly config: {
    readonly WEB_URL: string;
    readonly XS2A_URL: string;
    readonly TPP_REQUESTS_PER_MINUTE?: number | undefined;
  };
  readonly profile: AspspProfile;
};
/** A section of a program that is run by a test. */
type Sample = { readonly language: string; readonly file: string; readonly code: string };
export type GuidePart =
  | { readonly kind: "text"; readonly markdown: string }
  | ({ readonly kind: "sample" } & Sample);
export type Guide = { readonly title: string; readonly parts: readonly GuidePart[] };

export function isGuideName(name: string): name is GuideName {
  return Object.hasOwn(guideFiles, name);
}

/** The address of a guide below the browser host. */
export function guidePath(name: GuideName): string {
  return name === "start" ? "/docs" : `/docs/${name}`;
}

/** The programs whose sections the guides show, by the name in their address below `/docs/programs`. */
export const programs = {
  "tpp.ts": "examples/tpp/typescript/tpp.ts",
  "tpp.py": "examples/tpp/python/tpp.py",
  "requirements.txt": "examples/tpp/python/requirements.txt",
  "Tpp.java": "examples/tpp/java/Tpp.java",
} as const;

export function readProgram(name: keyof typeof programs, bank: Pick<Bank, "config">): string {
  return addressed(fileText(programs[name]), bank);
}

function addressed(text: string, { config }: Pick<Bank, "config">): string {
  return text
    .replaceAll("http://localhost:3000", config.WEB_URL)
    .replaceAll("https://localhost:8443", config.XS2A_URL);
}

/** A line that is a list item with a link to a section, `- [Python](../../examples/tpp/python/tpp.py#pay)`. */
const SAMPLE = /^- \[(\w+)\]\((?:\.\.\/)+(examples\/[\w./]+)#(\w+)\)$/m;

/**
 * A guide as this bank shows it: with its addresses and figures, and with sections of the examples in place of links to
 * them.
 */
export function readGuide(name: GuideName, bank: Bank): Guide {
  const here = addressed(fileText(guideFiles[name]), bank);
  // What has changed once stays as it was said.
  const text = name === "changelog" ? here : withFigures(here, bank);
  const [first = "", ...lines] = text.split("\n");
  // Between two matches of an expression with three groups there are these three.
  const pieces = lines.join("\n").split(SAMPLE);
  const parts = pieces.flatMap((piece, at): readonly GuidePart[] => {
    if (at % 4 === 0) return piece.trim() === "" ? [] : [{ kind: "text", markdown: piece }];
    if (at % 4 !== 1) return [];
    const [file = "", section = ""] = pieces.slice(at + 1, at + 3);
    return [{ kind: "sample", language: piece, file, code: sectionOf(file, section) }];
  });
  return { title: first.replace(/^# /, ""), parts };
}

function withFigures(text: string, bank: Bank): string {
  return figuresOf(bank).reduce((said, [words, figure]) => {
    const [before = "", after = ""] = words.split("#");
    const anyFigure = new RegExp(`(?<=${before})(?<![\\d,])\\d[\\d,]*(?=${after})`, "g");
    return said.replaceAll(anyFigure, figure.toLocaleString("en"));
  }, text);
}

type Figure = readonly [words: string, figure: number];

/** The words in which guides say figures of the demo bank's profile, with # in their place. */
function figuresOf({ config, profile }: Bank): readonly Figure[] {
  const { accountConsent, oauth, payments, request, sca, staff } = profile;
  const requestsMax = config.TPP_REQUESTS_PER_MINUTE ?? profile.tppRequestsPerMinuteMax;
  return [
    ["# days at most", accountConsent.recurringDaysMax],
    ["at most # days ahead", accountConsent.recurringDaysMax],
    ["1 to #, for a one-off", accountConsent.frequencyPerDayMax],
    ["times in # hours", accountConsent.frequencyWindowHours],
    ["account in # hours", accountConsent.frequencyWindowHours],
    ["in rolling # hours", accountConsent.frequencyWindowHours],
    ["# days, for the list", accountConsent.historyDays],
    ["in the first # minutes", accountConsent.unlimitedHistoryMinutes],
    ["for its # minutes", accountConsent.oneOffMinutes],
    ["The PSU has # minutes", sca.windowMinutes],
    ["# minutes from the `POST`", sca.windowMinutes],
    ["up to # where the PSU asks", sca.windowMinutesMax],
    ["# of a TPP that no PSU", sca.openPerTppMax],
    ["within # seconds", oauth.codeSeconds],
    ["good for # minutes", oauth.accessTokenSeconds / 60],
    ["valid for # minutes", oauth.accessTokenSeconds / 60],
    ["consents # days from each use", profile.fundsConfirmation.refreshDays],
    ["up to # hours", payments.fundsWaitHours],
    ["waits # hours", payments.fundsWaitHours],
    ["for the # hours", payments.fundsWaitHours],
    ["# minutes off", request.dateSkewSeconds / 60],
    ["`received`, for # hours", request.consentAnswerHours],
    ["says for # days", staff.refusalsKeptDays],
    ["# days in the same words", staff.refusalsKeptDays],
    ["beyond # a minute", staff.refusalsPerTppAndMinuteMax],
    ["send # requests a minute", requestsMax],
    ["# a page, newest first", profile.transactionsPerPage],
  ];
}

/** What stands between `region NAME` and the next `endregion`, indented as its first line. */
function sectionOf(file: string, name: string): string {
  const lines = fileText(file).split("\n");
  const start = lines.findIndex((line) => new RegExp(`region ${name}$`).test(line));
  const end = lines.findIndex((line, at) => at > start && /\bendregion$/.test(line));
  if (start === -1 || end === -1) throw new Error(`${file} has no region ${name}`);
  const section = lines.slice(start + 1, end);
  const indent = /^ */.exec(section[0] ?? "none")?.[0].length ?? 0;
  return section.map((line) => line.slice(Math.min(indent, line.search(/\S|$/)))).join("\n");
}

function fileText(file: string): string {
  return readFileSync(path.join(process.cwd(), file), "utf8");
}
