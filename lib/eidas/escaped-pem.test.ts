import { X509Certificate } from "node:crypto";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { formatClientCert, parseClientCert } from "./client-cert";
import { formatEscapedPem, parseEscapedPem } from "./escaped-pem";
import { startIssuing } from "./testing/issuing";

/** The same mutations every time. */
const seed = 20_261_121;
const bytes = fc.uint8Array({ minLength: 1, maxLength: 4_000 });

let der: Uint8Array;
beforeAll(async () => {
  der = await (await startIssuing()).qwac();
});

/** Beginning and end of what nginx writes, with this between them. */
function within(content: string): string {
  return `-----BEGIN%20CERTIFICATE-----%0A${content}%0A-----END%20CERTIFICATE-----%0A`;
}

describe("a certificate as nginx writes it", () => {
  it("is read as it was written, whatever its bytes are", () => {
    fc.assert(
      fc.property(bytes, (some) => {
        expect(parseEscapedPem(formatEscapedPem(some))).toEqual(Buffer.from(some));
      }),
    );
  });

  it("is the PEM of OpenSSL, percent-encoded", () => {
    const pem = new X509Certificate(der).toString();
    expect(parseEscapedPem(encodeURIComponent(pem))).toEqual(Buffer.from(der));
  });

  it("C1: is read in one form only: of 10,000 mutated ones none is read as the same", () => {
    const whole = formatEscapedPem(der);
    const letters = fc.string({ maxLength: 4, unit: fc.constantFrom(..."-%02ABDEFabf+/= \n,:") });
    const mutation = fc.record({ at: fc.nat(5_000), removed: fc.nat(4), inserted: letters });
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 3 }), (list) => {
        const mutated = list.reduce((text, { at, removed, inserted }) => {
          const place = at % (text.length + 1);
          return text.slice(0, place) + inserted + text.slice(place + removed);
        }, whole);
        fc.pre(mutated !== whole);
        const read = parseEscapedPem(mutated);
        // Another letter of its base64 is another certificate, whose signature will not verify.
        expect(read).not.toEqual(Buffer.from(der));
        if (read !== undefined) expect(formatEscapedPem(read)).toBe(mutated);
      }),
      { seed, numRuns: 10_000 },
    );
  });

  it("C1: is nothing that RFC 9440 would write, and the reverse: no value has two meanings", () => {
    fc.assert(
      fc.property(bytes, (some) => {
        expect(parseEscapedPem(formatClientCert(some))).toBeUndefined();
        expect(parseClientCert(formatEscapedPem(some))).toBeUndefined();
      }),
    );
  });

  it.each([
    ["nothing", ""],
    ["nothing between its lines", within("")],
    ["base64 alone", "AAAA"],
    ["a PEM that is not escaped", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"],
    ["its line breaks as blanks", within("AAAA").replaceAll("%0A", "%20")],
    ["its line breaks left out", within("AAAA").replaceAll("%0A", "")],
    ["Windows' line breaks", within("AAAA").replaceAll("%0A", "%0D%0A")],
    ["no line break at its end", within("AAAA").slice(0, -3)],
    ["a blank behind it", `${within("AAAA")} `],
    ["a comma behind it, as two headers are joined", `${within("AAAA")},`],
    ["two certificates", within("AAAA") + within("AAAA")],
    ["two joined as headers are", `${within("AAAA")}, ${within("AAAA")}`],
    ["two within one frame", within("AAAA%0A-----END%20CERTIFICATE-----%0AAAAA")],
    ["another kind of PEM", within("AAAA").replaceAll("CERTIFICATE", "PUBLIC%20KEY")],
    ["a trusted certificate of OpenSSL", within("AAAA").replaceAll("CERT", "TRUSTED%20CERT")],
    ["escapes in small letters", within("AA%2bA")],
    ["a character that need not be escaped", within("%41AAA")],
    ["a plus that is not escaped", within("AA+A")],
    ["an escape of an escape", within("AA%252B")],
    ["an escape cut short", within("AAA%2")],
    ["an empty line", within("AAAA%0A")],
    ["a line that is too short", within("AAAA%0AAAAA")],
    ["a line that is too long", within("A".repeat(68))],
    ["base64url", within("AA_-")],
    ["no padding", within("AAA")],
    ["bits beyond the last octet", within("AAB%3D")],
    ["the headers of RFC 1421", within("Proc-Type: 4%0A%0AAAAA")],
  ])("C1: is not read with %s", (_name, value) => {
    expect(parseEscapedPem(value)).toBeUndefined();
  });

  it("C10: is not read above 16 KiB", () => {
    expect(parseEscapedPem(formatEscapedPem(new Uint8Array(16_384)))).toHaveLength(16_384);
    expect(parseEscapedPem(formatEscapedPem(new Uint8Array(16_385)))).toBeUndefined();
  });
});
