import { sha256 } from "./sealing";
import { type CorpusSignature, faulty, refused } from "./signature-corpus-row";

const notInQuotes = (text: string) => text.replace(/keyId="([^"]*)"/, "keyId=$1");
const without = (name: string) => (header: string) =>
  header.replace(new RegExp(`${name}="[^"]*",?`), "").replace(/,$/, "");

const missing: readonly CorpusSignature[] = [
  faulty(
    "S1: no Signature",
    { afterwards: { signature: undefined } },
    {
      code: "SIGNATURE_MISSING",
      text: "Signature is missing: every request has to be signed",
      path: "Signature",
    },
  ),
  ...["keyId", "algorithm", "headers", "signature"].map((name) =>
    refused(`S2: no ${name}`, { rewritten: without(name) }, `Signature lacks ${name}`),
  ),
  refused("S2: an empty list of headers", { list: "" }, "Signature lacks headers"),
  refused("S2: Signature empty", { afterwards: { signature: "" } }, "Signature lacks keyId"),
];

const uncovered: readonly CorpusSignature[] = [
  refused("S2: date alone", { covered: ["date"] }, "Signature does not cover digest, x-request-id"),
  refused(
    "S2: all but digest",
    { covered: ["x-request-id", "date"] },
    "Signature does not cover digest",
  ),
  refused(
    "S2: all but x-request-id",
    { covered: ["digest", "date"] },
    "Signature does not cover x-request-id",
  ),
  refused(
    "S2: all but date",
    { covered: ["digest", "x-request-id"] },
    "Signature does not cover date",
  ),
  ...["psu-id", "psu-corporate-id", "tpp-redirect-uri"].map((name) =>
    refused(
      `S2: ${name} sent and not signed`,
      { headers: { [name]: "https://tpp.example" }, covered: ["digest", "x-request-id", "date"] },
      `Signature does not cover ${name}`,
    ),
  ),
  refused(
    "S3: a header signed that is not sent",
    { covered: ["digest", "x-request-id", "date", "psu-ip-address"] },
    "Signature covers psu-ip-address, but the request has no PSU-IP-Address",
  ),
  refused(
    "S4: a header listed twice",
    { covered: ["digest", "x-request-id", "date", "date"] },
    "headers names date twice",
  ),
  refused(
    "S4: a header listed twice in another case",
    { list: "digest x-request-id date Date" },
    "headers names date twice",
  ),
];

const unread: readonly CorpusSignature[] = [
  refused(
    "S5: keyId twice",
    { rewritten: (header) => `keyId="SN=1,CA=CN=x",${header}` },
    "Signature gives keyId twice",
  ),
  refused(
    "S5: signature twice",
    { rewritten: (header) => `${header},signature="AAAA"` },
    "Signature gives signature twice",
  ),
  ...['created="1763632800"', "created=1763632800"].map((parameter) =>
    refused(
      `S5: a parameter of a later draft, ${parameter}`,
      { rewritten: (header) => `${header},${parameter}` },
      "Signature has the parameter created, which is not part of this profile: it has keyId, algorithm, headers, signature",
    ),
  ),
  refused(
    "the word Signature before it",
    { rewritten: (header) => `Signature ${header}` },
    'Signature begins with the word "Signature", as Authorization would',
  ),
  refused(
    "in the form of RFC 9421",
    { rewritten: () => `sig1=:${sha256("x")}:` },
    "Signature is in the form of RFC 9421, here it is that of draft-cavage-http-signatures-10",
  ),
  refused(
    "keyId not in quotation marks",
    { rewritten: notInQuotes },
    "Signature gives keyId without quotation marks",
  ),
  refused(
    "no parameters at all",
    { rewritten: () => "c2lnbmF0dXJl" },
    'Signature is not a list of name="value" with commas between, from here on: c2lnbmF0dXJl',
  ),
  refused(
    "two blanks between the names",
    { list: "digest  x-request-id date" },
    'headers is a list of header names, one blank between and nothing else; it says "digest  x-request-id date"',
  ),
  refused(
    "commas between the names",
    { list: "digest,x-request-id,date" },
    'headers is a list of header names, one blank between and nothing else; it says "digest,x-request-id,date"',
  ),
  refused(
    "a name of a later draft in the list",
    { list: "(created) digest x-request-id date" },
    "headers names (created), which is no header to sign here",
  ),
];

const date = (name: string, value: string, text: string) =>
  faulty(
    name,
    { headers: { date: value } },
    { code: "TIMESTAMP_INVALID", text, path: "Date" },
    400,
  );
const form = (written: string) => `Date is not a date of RFC 7231, which is written ${written}`;
const clock = "the bank's clock, which says Fri, 20 Nov 2026 10:00:00 GMT; 300 s are allowed";
const now = "Fri, 20 Nov 2026 10:00:00 GMT";

const dates: readonly CorpusSignature[] = [
  faulty(
    "S9: no Date",
    { afterwards: { date: undefined } },
    { code: "SIGNATURE_INVALID", text: "Date is missing", path: "Date" },
  ),
  date("S9: a Date 301 s behind", "Fri, 20 Nov 2026 09:54:59 GMT", `Date is 301 s behind ${clock}`),
  date(
    "S9: a Date 6 minutes ahead",
    "Fri, 20 Nov 2026 10:06:00 GMT",
    `Date is 360 s ahead of ${clock}`,
  ),
  date("S9: a Date of ISO 8601", "2026-11-20T10:00:00Z", form(now)),
  date("S9: a Date with +0000 for GMT", "Fri, 20 Nov 2026 10:00:00 +0000", form(now)),
  date(
    "S9: a Date of a day that is none",
    "Fri, 31 Nov 2026 10:00:00 GMT",
    form("Tue, 01 Dec 2026 10:00:00 GMT"),
  ),
  date("S9: a Date with another day of the week", "Mon, 20 Nov 2026 10:00:00 GMT", form(now)),
  date("S9: a Date that is a word", "yesterday", form(now)),
];

/** What is missing, not covered or not to be read. */
export const unsoundHeaders = [...missing, ...uncovered, ...unread, ...dates];
