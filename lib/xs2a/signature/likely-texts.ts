import { createHash } from "node:crypto";
import { shown } from "@/lib/eidas/shown";
import { headerName } from "../header-names";
import type { HttpHead } from "../http";
import { type SignedLine, signedLines } from "./signing-string";

/** A text that may have been signed in place of the right one, and the mistake that it shows. */
export type LikelyText = { readonly mistake: string; readonly text: Uint8Array };

type Signed = {
  readonly signedHeaders: readonly string[];
  readonly request: HttpHead;
  readonly body: Uint8Array;
};

/** The order in which the standard names them, which many sign in whatever they list. */
const USUAL_ORDER = [
  "(request-target)",
  "digest",
  "x-request-id",
  "psu-id",
  "psu-corporate-id",
  "date",
  "tpp-redirect-uri",
];
/** Of five headers there are 120 orders, of six 720. */
const ORDERED_HEADERS_MAX = 5;

/** What TPPs are seen to sign by mistake, the frequent ones first; made one by one as asked for. */
export function* likelyTexts({ signedHeaders, request, body }: Signed): Generator<LikelyText> {
  const lines = signedLines(signedHeaders, request);
  const text = written(lines);
  yield* otherTargets(lines, request);
  yield likely("the text ends in a line feed, and must not", `${text}\n`);
  yield likely("its lines end in CRLF, and must in LF", written(lines, "\r\n"));
  yield likely("its lines lack the blank after the colon", written(lines, "\n", ":"));
  yield* otherOrders(lines);
  const digest = lines.find(([name]) => name === "digest");
  if (digest) yield likely("the value of Digest was signed alone", digest[1]);
  yield likely("its header names are in capitals, and must be in small letters", capitals(lines));
  yield likely("its last line ends in CRLF, as do the others", `${written(lines, "\r\n")}\r\n`);
  yield likely(
    "its values have a blank after them, and must be trimmed",
    `${written(lines, " \n")} `,
  );
  yield likely("it has two blanks after each colon, not one", written(lines, "\n", ":  "));
  yield likely(
    "its header names are missing",
    written(
      lines.map(([, value]) => ["", value]),
      "\n",
      "",
    ),
  );
  yield likely("the body was signed in place of the headers", Buffer.from(body).toString("latin1"));
  yield likely("the text was hashed before it was signed", sha256(text).toString("latin1"));
  yield likely("the hexadecimal hash of the text was signed", sha256(text).toString("hex"));
  if (lines.length > ORDERED_HEADERS_MAX) return;
  for (const order of permutations(lines)) yield inOrder(order);
}

function* otherTargets(lines: readonly SignedLine[], request: HttpHead): Generator<LikelyText> {
  const target = lines.find(([name]) => name === "(request-target)")?.[1];
  if (target === undefined) return;
  const { pathname, search, href } = new URL(request.url);
  const small = request.method.toLowerCase();
  const others: readonly SignedLine[] = [
    ["the query, which it lacks", `${small} ${pathname}`],
    ["the method in small letters", `${request.method} ${pathname}${search}`],
    ["the query, and the method in small letters", `${request.method} ${pathname}`],
    ["the path alone, not the whole URL", `${small} ${href}`],
    ["the method, which it lacks", `${pathname}${search}`],
  ];
  for (const [mistake, other] of others) {
    if (other === target) continue;
    const changed = lines.map(
      ([name, value]): SignedLine => [name, name === "(request-target)" ? other : value],
    );
    yield likely(`(request-target) must have ${mistake}`, written(changed));
  }
}

function* otherOrders(lines: readonly SignedLine[]): Generator<LikelyText> {
  const place = ([name]: SignedLine) =>
    USUAL_ORDER.includes(name) ? USUAL_ORDER.indexOf(name) : USUAL_ORDER.length;
  yield inOrder(lines.toSorted((one, other) => place(one) - place(other)));
  yield inOrder(lines.toReversed());
  yield inOrder(lines.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function* permutations(lines: readonly SignedLine[]): Generator<readonly SignedLine[]> {
  if (lines.length === 0) yield [];
  for (const [index, line] of lines.entries()) {
    for (const rest of permutations(lines.toSpliced(index, 1))) yield [line, ...rest];
  }
}

function inOrder(lines: readonly SignedLine[]): LikelyText {
  const names = shown(lines.map(([name]) => name).join(" "), 150);
  return likely(`its lines are in the order ${names}, headers lists another`, written(lines));
}

function capitals(lines: readonly SignedLine[]): string {
  return written(lines.map(([name, value]) => [headerName(name), value]));
}

function written(lines: readonly SignedLine[], lineEnd = "\n", colon = ": "): string {
  return lines.map(([name, value]) => `${name}${colon}${value}`).join(lineEnd);
}

function likely(mistake: string, text: string): LikelyText {
  return { mistake, text: Buffer.from(text, "latin1") };
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text, "latin1").digest();
}
