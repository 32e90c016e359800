import { createPrivateKey, X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { own } from "@/lib/xs2a/testing/requests";
import { type Paste, readPaste } from "./read-paste";

const request = Buffer.from("GET /a HTTP/1.1\nHost: bank\n\n");
const read = (paste: Partial<Paste> = {}) => readPaste({ request, ...paste });
const bytes = (text: string) => Buffer.from(text);
const base64 = (text: string) => bytes(text).toString("base64");

describe("what a person pastes", () => {
  it("is a request; certificate and instant are given when they are not empty", () => {
    const plain = read();
    expect(plain).toMatchObject({ presented: { request: { target: "/a" } } });
    expect(read({ certificate: " ", at: " " })).toEqual(plain);
  });

  it("may have the QWAC in PEM, with text around it or without", () => {
    const { raw } = new X509Certificate(own.qwacPem);
    for (const certificate of [
      own.qwacPem,
      `QWAC:\n${own.qwacPem}\nand more`,
      base64(own.qwacPem),
    ]) {
      const found = read({ certificate });
      expect("presented" in found && raw.equals(found.presented.qwac ?? Buffer.of())).toBe(true);
    }
  });

  it("may name the instant to judge it by", () => {
    const found = read({ at: "2027-05-20T10:00:00+02:00" });
    expect(found).toMatchObject({ at: new Date("2027-05-20T08:00:00Z") });
  });

  it.each<readonly [string, Partial<Paste>, string, string]>([
    ["nothing", { request: bytes(" \n") }, "request", "Paste a request."],
    [
      "no request",
      { request: bytes("hello") },
      "request",
      "The first line is not a request line, as in GET /path HTTP/1.1.",
    ],
    [
      "the headers of a request that has a body",
      { request: bytes("POST /a HTTP/1.1\nContent-Length: 12\n\n\n") },
      "request",
      "The body is missing, of which Content-Length says 12 bytes: paste it below the headers and a blank line.",
    ],
    ["no certificate", { certificate: "no" }, "certificate", "That is no certificate in PEM."],
    ["no instant", { at: "yesterday" }, "at", "That is no instant, as in 2027-05-20T10:00:00Z."],
    [
      "no day of the calendar",
      { at: "2027-13-40T10:00:00Z" },
      "at",
      "That is no instant, as in 2027-05-20T10:00:00Z.",
    ],
  ])("%s is reported", (_name, paste, field, text) => {
    expect(read(paste)).toEqual({ fault: { field, text } });
  });

  it.each<readonly [string, Partial<Paste>]>([
    ["a request", { request: bytes(`GET /a\n\n${"x".repeat(65_536)}`) }],
    ["all together", { certificate: "x".repeat(65_536) }],
    ["an instant", { at: "x".repeat(65_536) }],
  ])("more than 64 KiB is not taken, and not sent back: %s", (_name, paste) => {
    const forget = ["request", "certificate", "at"];
    const text = "That is more than 65536 bytes.";
    expect(read(paste)).toEqual({ fault: { field: "request", text, forget } });
  });

  const { d = "", ...jwk } = createPrivateKey(own.qsealKeyPem).export({ format: "jwk" });
  const der = (type: "pkcs1" | "pkcs8") =>
    createPrivateKey(own.qsealKeyPem).export({ type, format: "der" }).toString("base64");
  it.each([
    ["in PEM", own.qsealKeyPem],
    ["of an older form", "-----BEGIN RSA PRIVATE KEY-----\nMIIE"],
    ["of EC", "-----BEGIN EC PRIVATE KEY-----\nMHcC"],
    ["encrypted", "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIF"],
    ["in base64 of the PEM", `TPP-Signature-Certificate: ${base64(own.qsealKeyPem)}`],
    ["in base64 of the DER", `TPP-Signature-Certificate: ${der("pkcs8")}`],
    ["in base64 of the DER of an older form", der("pkcs1")],
    ["as a JWK", JSON.stringify({ ...jwk, d })],
  ])("a private key %s is refused wherever it stands, and not read any further", (_name, key) => {
    const text = expect.stringContaining("private key");
    const inRequest = { request: bytes(`GET /a\n\n${key}`) };
    const inCertificate = { certificate: `${own.qwacPem}${key}` };
    expect(read(inRequest)).toEqual({ fault: { field: "request", text, forget: ["request"] } });
    expect(read(inCertificate)).toEqual({
      fault: { field: "certificate", text, forget: ["certificate"] },
    });
    const everywhere = read({ ...inRequest, ...inCertificate, at: key });
    expect(everywhere).toMatchObject({ fault: { forget: ["request", "certificate", "at"] } });
  });

  it.each([
    ["its PEM", base64(own.qsealPem)],
    ["its DER", new X509Certificate(own.qsealPem).raw.toString("base64")],
  ])("a certificate in base64 of %s is no key", (_name, certificate) => {
    const text = `GET /a\nTPP-Signature-Certificate: ${certificate}\n\n`;
    expect("presented" in read({ request: bytes(text) })).toBe(true);
  });
});
