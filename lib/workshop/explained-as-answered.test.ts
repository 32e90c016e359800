import { createHash, createPrivateKey, sign, X509Certificate } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { after } from "@/lib/domain/clock";
import { formatClientCert } from "@/lib/eidas/client-cert";
import { checkQwac } from "@/lib/eidas/qwac";
import type { TppCertificates } from "@/lib/sandbox/tpp-certificates";
import { own, ports, run } from "@/lib/xs2a/testing/echo";
import { certificatesOf, now, requestId, signedRequest } from "@/lib/xs2a/testing/tpp";
import { explain } from "./explain";
import { refusalIn } from "./step";
import { presentedBy, rawText } from "./testing/raw";

const means = { ...ports, now };
const post = {
  body: '{"word":"hello"}',
  headers: { "tpp-redirect-uri": "https://tpp.example/back" },
};

let other: TppCertificates;
let payer: TppCertificates;
beforeAll(async () => {
  other = await certificatesOf("PSDRO-NBR-7654321");
  payer = await certificatesOf(undefined, ["PSP_PI"]);
});

const walk = async (request: Request) => explain(presentedBy(await rawText(request)), means);
const der = (pem: string) => new X509Certificate(pem).raw;
const clientCert = (pem: string) => ({ "client-cert": formatClientCert(der(pem)) });
const sealCert = (pem: string) => ({ "tpp-signature-certificate": der(pem).toString("base64") });

/** The server's answer, from its pipeline. */
async function answerTo(request: Request, house = ports) {
  const response = await run(request, house);
  const { tppMessages } = (await response.json()) as {
    tppMessages: readonly [{ code: string; path?: string; text: string }];
  };
  const [{ code, text, path }] = tppMessages;
  return { status: response.status, code, text, ...(path !== undefined && { path }) };
}

describe("the first step that fails is what the server answers", () => {
  const date = (minutes: number) => new Date(now.getTime() + minutes * 60_000).toUTCString();
  const cases: readonly (readonly [string, () => Request])[] = [
    ["no client certificate", () => signedRequest(own, { ...post, without: ["client-cert"] })],
    [
      "two client certificates",
      () => signedRequest(own, { forged: { "client-cert": ":AA==:, :AA==:" } }),
    ],
    ["a seal for a QWAC", () => signedRequest(own, { forged: clientCert(own.qsealPem) })],
    ["the role PSP_PI alone", () => signedRequest(payer, post)],
    ["no X-Request-ID", () => signedRequest(own, { ...post, without: ["x-request-id"] })],
    [
      "an X-Request-ID that is none",
      () => signedRequest(own, { headers: { "x-request-id": "1" } }),
    ],
    ["no Signature", () => signedRequest(own, { ...post, without: ["signature"] })],
    [
      "no Signature and no seal",
      () => signedRequest(own, { without: ["signature", "tpp-signature-certificate"] }),
    ],
    ["a Signature that is none", () => signedRequest(own, { forged: { signature: "nonsense" } })],
    ["no seal", () => signedRequest(own, { ...post, without: ["tpp-signature-certificate"] })],
    [
      "a seal that is no certificate",
      () => signedRequest(own, { forged: { "tpp-signature-certificate": "bm8=" } }),
    ],
    ["a QWAC for a seal", () => signedRequest(own, { forged: sealCert(own.qwacPem) })],
    ["the seal of another TPP", () => signedRequest(own, { forged: sealCert(other.qsealPem) })],
    [
      "no seal, and a Signature that is none",
      () =>
        signedRequest(own, { forged: { signature: "x" }, without: ["tpp-signature-certificate"] }),
    ],
    ["no Digest", () => signedRequest(own, { ...post, without: ["digest"] })],
    [
      "the digest of {} over nothing",
      () => {
        const digest = createHash("sha256").update("{}").digest("base64");
        return signedRequest(own, { headers: { digest: `SHA-256=${digest}` } });
      },
    ],
    [
      "a digest of MD5",
      () => signedRequest(own, { headers: { digest: "MD5=1B2M2Y8AsgTpgAmY7PhCfg==" } }),
    ],
    ["a date of six minutes ago", () => signedRequest(own, { headers: { date: date(-6) } })],
    ["a date of nobody", () => signedRequest(own, { headers: { date: "yesterday" } })],
    ["no Date", () => signedRequest(own, { ...post, without: ["date"] })],
    ["a Signature over the date alone", () => signedRequest(own, { ...post, signed: ["date"] })],
    [
      "a Signature that leaves out the redirect URI",
      () => signedRequest(own, { ...post, signed: ["digest", "x-request-id", "date"] }),
    ],
    [
      "a covered header that is not there",
      () =>
        signedRequest(own, {
          headers: { "psu-id": "ana" },
          signed: ["digest", "x-request-id", "date", "psu-id"],
          without: ["psu-id"],
        }),
    ],
    [
      "a header changed after signing",
      () =>
        signedRequest(own, { ...post, forged: { "tpp-redirect-uri": "https://tpp.example/else" } }),
    ],
    [
      "a keyId of the QWAC",
      () => {
        const serial = (pem: string) => new X509Certificate(pem).serialNumber;
        const good = String(signedRequest(own).headers.get("signature"));
        const signature = good.replace(serial(own.qsealPem), serial(own.qwacPem));
        return signedRequest(own, { forged: { signature } });
      },
    ],
    [
      "text for a body",
      () => signedRequest(own, { ...post, forged: { "content-type": "text/plain" } }),
    ],
    ["no JSON wanted", () => signedRequest(own, { headers: { accept: "text/html" } })],
  ];
  it.each(cases)("%s", async (_name, make) => {
    const answer = await answerTo(make());
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(refusalIn(await walk(make()))).toEqual(answer);
  });

  it("a text signed that ends in a line feed", async () => {
    const text = `digest: ${signedRequest(own).headers.get("digest")}\nx-request-id: ${requestId}\ndate: ${now.toUTCString()}\n`;
    const value = sign("sha256", Buffer.from(text), createPrivateKey(own.qsealKeyPem));
    const good = String(signedRequest(own).headers.get("signature"));
    const signature = good.replace(/signature="[^"]+"/, `signature="${value.toString("base64")}"`);
    const make = () => signedRequest(own, { forged: { signature } });
    const answer = await answerTo(make());
    expect(answer.text).toContain("line feed");
    expect(refusalIn(await walk(make()))).toEqual(answer);
  });

  it("a seal that is revoked, or whose issuer cannot tell", async () => {
    for (const word of ["revoked", "untold"] as const) {
      const revocation: typeof ports.revocation = {
        check: async ({ certificate }) =>
          certificate.keyUsage.includes("nonRepudiation") ? word : "counts",
      };
      const answer = await answerTo(signedRequest(own, post), { ...ports, revocation });
      expect(answer.path).toBe("TPP-Signature-Certificate");
      const raw = presentedBy(await rawText(signedRequest(own, post)));
      expect(refusalIn(await explain(raw, { ...means, revocation }))).toEqual(answer);
    }
  });

  it("a body above the limit", async () => {
    const large = { body: JSON.stringify({ word: "x".repeat(70_000) }) };
    const answer = await answerTo(signedRequest(own, large));
    expect(answer.status).toBe(413);
    expect(refusalIn(await walk(signedRequest(own, large)))).toEqual(answer);
  });

  it("a QWAC that has ended", async () => {
    const late = after(now, 731, "day");
    const raw = presentedBy(await rawText(signedRequest(own, post)));
    const steps = await explain(raw, { ...means, now: late });
    expect(() => checkQwac(der(own.qwacPem), ports.trustAnchors, late)).toThrow(
      refusalIn(steps)?.text,
    );
  });

  it.each(["Digest", "X-Request-ID", "x_request_id"])("the header %s once more", async (name) => {
    const text = (await rawText(signedRequest(own, post))).replace("\r\n", `\r\n${name}: 1\r\n`);
    const refused = refusalIn(await explain(presentedBy(text), means));
    expect(refused).toMatchObject({ status: 400, code: "FORMAT_ERROR" });
  });
});
