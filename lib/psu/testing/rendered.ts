import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { AuthorisationPage } from "@/app/(psu)/authorise/authorisation-page";
import { money } from "@/lib/domain/bank-profile";
import type { CodePurpose } from "@/lib/domain/dynamic-linking";
import type { Iban, IsoDate } from "@/lib/domain/values";
import type { View } from "../authorisation-view";
import { pagePath } from "../paths";
import { english, type Texts } from "../texts/en";
import { sampleUid } from "./authorisation";

export function html(view: View): string {
  return htmlIn(english, view);
}

export function htmlIn(texts: Texts, view: View): string {
  if (view.page === "continue") throw new Error("no page");
  const props = { texts, bankName: "Drawbridge Bank", path: pagePath(sampleUid), view };
  return renderToStaticMarkup(createElement(AuthorisationPage, props));
}

/** The accessible name a label gives its field: its text without tags. */
export function labels(page: string): readonly string[] {
  return [...page.matchAll(/<label[^>]*>(.*?)<\/label>/g)].map(([, inside]) => textOf(inside));
}

/** Of what the page asks; the switch of languages stands above it. */
export function buttons(page: string): readonly string[] {
  const [, asked = ""] = /<main[^>]*>(.*)<\/main>/s.exec(page) ?? [];
  return [...asked.matchAll(/<button[^>]*>(.*?)<\/button>/g)].map(([, inside]) => textOf(inside));
}

export const textOf = (markup = "") => markup.replace(/<[^>]*>/g, "");
export const titleOf = (page: string) => /<title>(.*?)<\/title>/.exec(page)?.[1];

/** What the page says under a label of its terms. */
export function term(page: string, label: string): string | undefined {
  const found = new RegExp(`<dt[^>]*>${label}</dt><dd[^>]*>(.*?)</dd>`).exec(page);
  return found?.[1]?.replace(/<br\/>|<small[^>]*>/g, "|").replace(/<[^>]*>/g, "");
}

const TPP = "Example TPP";
const BANK = "Drawbridge Bank";
const at = [new Date("2026-11-21T14:05:00Z"), "Europe/Bucharest"];
const until = "2026-11-21" as IsoDate;
const everything = { balances: true, transactions: true, ownerName: true };
const [lei, euro] = [money("RON", 123_450n), money("EUR", 1_000n)];
const iban = "RO49AAAA1B31007593840000" as Iban;
const rate = { from: "EUR", to: "RON", rate: "5.090000", source: BANK };
const counts = [1, 2, 19, 20, 101, 120];
const purposes: readonly CodePurpose[] = [
  { kind: "AIS", accounts: 1, until },
  { kind: "AIS", accounts: 20, until: undefined },
  { kind: "PIIS", iban, until },
  { kind: "PIIS", iban, until: undefined },
  { kind: "PIS", amount: lei, creditor: { name: "Shop SRL", iban } },
];
const ended = ["AIS", "PIIS", "PIS"].flatMap((kind) =>
  [1, 15].map((blockMinutes) => [{ kind, tpp: TPP, bankName: BANK, blockMinutes }]),
);

/** What the texts that take something are given. Whatever is not in the list takes names only. */
const given: readonly (readonly [RegExp, readonly (readonly unknown[])[]])[] = [
  [/^frame\.step$/, [[1, 3]]],
  [/^frame\.inactivity$|^timeLimit\.signedOut$/, counts.map((count) => [count])],
  [/^frame\.(openUntil|clockMoved)$/, [at]],
  [/^accounts\.lead$/, [[TPP, everything]]],
  [/^summary\.heading$/, counts.map((count) => [TPP, count])],
  [/^summary\.(dataIn|onlyData)$/, [[everything]]],
  [/^summary\.transactions$/, counts.map((count) => [count, count])],
  [/^summary\.untilOneOff$/, counts.map((count) => [count])],
  [/^summary\.perDay$/, counts.map((count) => [TPP, count])],
  [
    /^summary\.consequences$/,
    [
      [TPP, BANK, true],
      [TPP, BANK, false],
    ],
  ],
  [/^payment\.heading$/, [[lei, "Shop SRL"]]],
  [/^payment\.converted$/, [[lei, rate], [lei]]],
  [/^payment\.refusals\./, [[{ onePayment: euro, day: lei, usedToday: euro }], []]],
  [/^payment\.address$/, [[["Calea Unirii 1"], "DE"]]],
  [
    /^payment\.fee$/,
    [
      [euro, euro],
      [euro, lei],
    ],
  ],
  [
    /^signIn\.inactivity$|^permissions\.(pastShown|history\.lead)$|^passkeys\.(noMore|signInFirst)$/,
    counts.map((count) => [count]),
  ],
  [/^(signIn|approval)\.blockNotices\./, counts.map((count) => [count, BANK])],
  [/^signIn\.codeMessage\(\)$/, [[{ code: "123456", reference: "4F9C" }]]],
  [/^passkeys\.removing$/, [["code"], ["passkey"], ["oidc"]].map((means) => ["My phone", means])],
  [/^instant$/, [at]],
  [/^day$|^passkeys\.(added|lastUsed)$/, [[until]]],
  [/^money$/, [[lei]]],
  [/^code\.hint$/, [[6, ...at]]],
  [/^codeMessage$/, purposes.map((purpose) => [{ code: "123456", tppName: TPP, purpose }])],
  [/^ends\..*\.lead$/, ended],
  [
    /(^|\.)outcomes\./,
    [undefined, ...counts].map((left) => [left, { bankName: BANK, blockMinutes: left ?? 15 }]),
  ],
];

type Said = readonly [place: string, text: string];

/** Every text of a catalogue as it may be read, by its place there. */
export function saidIn(texts: Texts): ReadonlyMap<string, string> {
  return new Map(saidAt(texts, ""));
}

function saidAt(catalogue: object, path: string): readonly Said[] {
  return Object.entries(catalogue).flatMap(([name, value]: readonly [string, unknown]) =>
    saidBy(value, `${path}${name}`),
  );
}

function saidBy(value: unknown, place: string): readonly Said[] {
  if (typeof value === "string") return [[place, value]];
  if (typeof value === "object" && value !== null) return saidAt(value, `${place}.`);
  if (typeof value !== "function") return [];
  const [, values = [[TPP, BANK]]] = given.find(([places]) => places.test(place)) ?? [];
  return values.flatMap((taken, nth) => {
    const said: unknown = Reflect.apply(value, undefined, taken);
    const where = values.length === 1 ? place : `${place} ${nth + 1}`;
    return saidBy(said, typeof said === "function" ? `${where}()` : where);
  });
}
