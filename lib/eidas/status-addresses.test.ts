import { beforeAll, describe, expect, it } from "vitest";
import {
  AuthorityInfoAccessExtension,
  CRLDistributionPointsExtension,
  Extension,
} from "@/lib/sandbox/x509";
import { readCertificate } from "./certificate";
import { certificateLimits } from "./limits";
import { checkQwac } from "./qwac";
import { type Issuing, now, startIssuing } from "./testing/issuing";
import { refusal } from "./testing/refusal";

let issuing: Issuing;
beforeAll(async () => {
  issuing = await startIssuing();
});

type Extensions = Readonly<Record<string, Extension>>;

const addresses = async (extensions: Extensions) => {
  const { ocspUrls, crlUrls } = readCertificate(await issuing.qwac({ extensions }));
  return { ocspUrls, crlUrls };
};
const told = async (extensions: Extensions) => {
  const der = await issuing.qwac({ extensions });
  return refusal(() => checkQwac(der, issuing.anchors, now));
};
const ocsp = (...urls: string[]) => ({ ocsp: new AuthorityInfoAccessExtension({ ocsp: urls }) });
const lists = (...urls: string[]) => ({ lists: new CRLDistributionPointsExtension(urls) });
const OCSP = "http://ocsp.example/";
const LIST = "https://lists.example/ca.crl";

describe("where a certificate says its status is told", () => {
  it("is nowhere when it does not say", async () => {
    expect(await addresses({})).toEqual({ ocspUrls: [], crlUrls: [] });
  });

  it("is every http and https address, in its order, each once", async () => {
    const other = "HTTPS://ocsp.example/other";
    expect(await addresses({ ...ocsp(OCSP, other, OCSP), ...lists(LIST) })).toEqual({
      ocspUrls: [OCSP, other],
      crlUrls: [LIST],
    });
  });

  it("passes over directories, whatever they look like, and where the issuer's certificate lies", async () => {
    const ldap = `ldap://directory.example/CN=Some CA,${"O=x".repeat(300)}?list`;
    const access = new AuthorityInfoAccessExtension({
      ocsp: [ldap, OCSP],
      caIssuers: ["http://issuer.example/ca.cer"],
    });
    expect(await addresses({ access, ...lists(ldap, LIST) })).toEqual({
      ocspUrls: [OCSP],
      crlUrls: [LIST],
    });
  });

  it("passes over a list that is cut by reason or signed by another", async () => {
    const uri = Buffer.from(`86${hex(LIST)}`, "hex");
    const name = tagged("a0", tagged("a0", uri));
    const reasons = Buffer.from("810206c0", "hex");
    const whole = new Extension("2.5.29.31", false, seq(seq(name)));
    const cut = new Extension("2.5.29.31", false, seq(seq(name, reasons)));
    expect((await addresses({ whole })).crlUrls).toEqual([LIST]);
    expect((await addresses({ cut })).crlUrls).toEqual([]);
  });

  it("is four addresses of a kind at most", async () => {
    const many = (count: number) => Array.from({ length: count }, (_, one) => `${OCSP}${one}`);
    const { statusAddressesMax: most } = certificateLimits;
    expect(await told({ ...ocsp(...many(most)), ...lists(...many(most)) })).toBeUndefined();
    const refused = { code: "CERTIFICATE_INVALID", text: expect.stringContaining("too many") };
    expect(await told(ocsp(...many(most + 1)))).toMatchObject(refused);
    expect(await told(lists(...many(most + 1)))).toMatchObject(refused);
  });

  it.each([
    ["a blank", "http://ocsp.example/a b"],
    ["a line break", "http://ocsp.example/\nlevel=error"],
    ["no host", "http:ocsp"],
    ["no end", `http://ocsp.example/${"x".repeat(481)}`],
  ])("X6: is not an address with %s", async (_what, url) => {
    const refused = { code: "CERTIFICATE_INVALID", text: expect.stringContaining("address") };
    expect(await told(ocsp(url))).toMatchObject(refused);
    expect(await told(lists(url))).toMatchObject(refused);
  });

  it.each(["1.3.6.1.5.5.7.1.1", "2.5.29.31"])("has to be readable: %s", async (id) => {
    for (const content of ["", "00", "0500", "3003020101", "30053003060100"]) {
      const odd = new Extension(id, false, Buffer.from(content, "hex"));
      expect(await told({ odd })).toMatchObject({ code: "CERTIFICATE_INVALID" });
    }
  });
});

/** DER with one octet of length. */
function tagged(tag: string, ...content: readonly Uint8Array[]): Buffer {
  const all = Buffer.concat(content);
  return Buffer.concat([Buffer.from(tag, "hex"), Uint8Array.of(all.length), all]);
}

function seq(...content: readonly Uint8Array[]): Buffer<ArrayBuffer> {
  return Buffer.from(tagged("30", ...content));
}

function hex(text: string): string {
  return Buffer.concat([Uint8Array.of(text.length), Buffer.from(text)]).toString("hex");
}
