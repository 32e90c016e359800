import { createHash, X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { formatClientCert } from "@/lib/eidas/client-cert";
import { checkQwac } from "@/lib/eidas/qwac";
import { own, ports, run } from "@/lib/xs2a/testing/echo";
import { now, signedRequest } from "@/lib/xs2a/testing/tpp";
import { verifySignature } from "@/lib/xs2a/verify-signature";
import { explain } from "./explain";
import { refusalIn, type Step } from "./step";
import { presentedBy, rawText } from "./testing/raw";

const means = { ...ports, now };
const body = '{"word":"hello"}';
const post = { body, headers: { "tpp-redirect-uri": "https://tpp.example/back" } };

const walk = async (request: Request) => explain(presentedBy(await rawText(request)), means);
const der = (pem: string) => new X509Certificate(pem).raw;
const clientCert = (pem: string) => ({ "client-cert": formatClientCert(der(pem)) });
const titled = (steps: readonly Step[], title: string): Step => {
  const found = steps.find((step) => step.title === title);
  if (found === undefined) throw new Error(`no step ${title}`);
  return found;
};
const fact = (step: Step, label: string) =>
  step.facts.find((found) => found.label === label)?.value;

describe("a request that is accepted", () => {
  it("passes every step, and the server goes on with it", async () => {
    const request = signedRequest(own, post);
    const steps = await walk(request);
    expect(steps.filter(({ verdict }) => verdict.kind !== "passed")).toEqual([]);
    expect(refusalIn(steps)).toBeUndefined();
    expect((await run(request)).status).toBe(200);
  });

  it("S6: with the algorithm by its name in Java shows what that is read as", async () => {
    const sent = signedRequest(own, post);
    const java = String(sent.headers.get("signature")).replace("rsa-sha256", "SHA256withRSA");
    const steps = await walk(signedRequest(own, { ...post, forged: { signature: java } }));
    const signing = titled(steps, "Signature over the signing string");
    expect(signing.verdict.kind).toBe("passed");
    expect(fact(signing, "Algorithm")).toBe("sha256withrsa, read as rsa-sha256");
  });

  it("shows what the server saw", async () => {
    const steps = await walk(signedRequest(own, post));
    const qwac = titled(steps, "Client certificate (QWAC)");
    expect(fact(qwac, "Subject")).toContain("PSDRO-NBR-1234567");
    expect(fact(qwac, "QcType")).toBe("web");
    expect(fact(qwac, "PSD2 roles")).toBe("PSP_AI");
    expect(fact(qwac, "Competent authority")).toBe("National Bank of Romania (RO-NBR)");
    const digest = createHash("sha256").update(body).digest("base64");
    expect(fact(titled(steps, "Digest"), "Expected")).toBe(`SHA-256=${digest}`);
    expect(fact(titled(steps, "Digest"), "Bytes of the body")).toBe("16");
    expect(fact(titled(steps, "Date"), "Difference")).toBe("0 s");
    const covered = titled(steps, "Covered headers").facts;
    expect(covered.map(({ label, value }) => `${label} ${value}`).toSorted()).toEqual([
      "date has to be covered, and is",
      "digest has to be covered, and is",
      "tpp-redirect-uri has to be covered, and is",
      "x-request-id has to be covered, and is",
    ]);
    const signing = titled(steps, "Signature over the signing string");
    expect(fact(signing, "Signing string")).toBe(
      [
        `digest: SHA-256=${digest}`,
        "x-request-id: 99391c7e-ad88-49ec-a2ad-99ddcb1f7721",
        `date: ${now.toUTCString()}`,
        "tpp-redirect-uri: https://tpp.example/back",
      ].join("↵\n"),
    );
  });

  it("may have its QWAC beside it, as TLS does", async () => {
    const text = await rawText(signedRequest(own, { ...post, without: ["client-cert"] }));
    const steps = await explain(presentedBy(text, der(own.qwacPem)), means);
    expect(refusalIn(steps)).toBeUndefined();
    expect(refusalIn(await explain(presentedBy(text), means))?.code).toBe("CERTIFICATE_MISSING");
  });
});

describe("the walk goes on after a step that failed", () => {
  it("a certificate that is not believed is read all the same, and so is what follows", async () => {
    const steps = await walk(signedRequest(own, { ...post, forged: clientCert(own.qsealPem) }));
    expect(titled(steps, "Client certificate (QWAC)").verdict.kind).toBe("failed");
    expect(titled(steps, "Revocation of the client certificate").verdict.kind).toBe("not judged");
    expect(titled(steps, "PSD2 role").verdict.kind).toBe("passed");
    const seal = titled(steps, "Seal certificate (QSealC)");
    expect(fact(seal, "Organisation of the QWAC")).toBe("PSDRO-NBR-1234567");
    const after = [
      "Digest",
      "Date",
      "Covered headers",
      "keyId",
      "Signature over the signing string",
    ];
    for (const title of after) expect(titled(steps, title).verdict.kind).toBe("passed");
  });

  it("each further fault is told in the server's own words", async () => {
    const request = signedRequest(own, {
      ...post,
      signed: ["date"],
      forged: { digest: "SHA-256=AAAA" },
    });
    const kinds = (await walk(request)).flatMap(({ title, verdict }) =>
      verdict.kind === "failed" ? [title] : [],
    );
    expect(kinds).toEqual(["Digest", "Covered headers"]);
  });

  it("without a client certificate the seal is held against itself", async () => {
    const steps = await walk(signedRequest(own, { ...post, without: ["client-cert"] }));
    expect(titled(steps, "Seal certificate (QSealC)").verdict.kind).toBe("passed");
    expect(titled(steps, "PSD2 role").verdict.kind).toBe("not judged");
  });

  it("a Signature that cannot be read leaves the rest to be judged", async () => {
    const steps = await walk(signedRequest(own, { ...post, forged: { signature: "x" } }));
    expect(titled(steps, "Digest").verdict.kind).toBe("passed");
    for (const title of ["Covered headers", "keyId", "Signature over the signing string"]) {
      expect(titled(steps, title).verdict.kind).toBe("not judged");
    }
  });

  it.each(["/token", "/open-banking/v3.1/cards/v1/x"])(
    "%s is no signed service: only the certificate is judged",
    async (path) => {
      const steps = await walk(signedRequest(own, { url: `https://bank.example${path}` }));
      expect(refusalIn(steps)).toBeUndefined();
      expect(steps.at(-1)?.verdict.kind).toBe("not judged");
    },
  );

  it("a method that no client sends ends it", async () => {
    const steps = await explain(presentedBy("CONNECT /open-banking/v3.1/aisp/v1/x\n\n"), means);
    expect(steps.at(-1)?.verdict.kind).toBe("not judged");
  });
});

it("the server's own signature check says the same of the whole", async () => {
  const request = signedRequest(own, post);
  const qwac = checkQwac(der(own.qwacPem), ports.trustAnchors, now);
  expect(() => verifySignature(request, Buffer.from(body), qwac, ports, now)).not.toThrow();
});
