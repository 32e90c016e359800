import { createHash, createPrivateKey, sign, X509Certificate } from "node:crypto";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { routes } from "@/app/(xs2a)/routes";
import { requestContextsBy } from "@/lib/domain/testing/in-memory-bank";
import { addTime, type TppId } from "@/lib/domain/values";
import { formatClientCert } from "@/lib/eidas/client-certificate";
import { checkQwac } from "@/lib/eidas/qwac-qsealc";
import type { TppCertificates } from "@/lib/sandbox/tpp-certificates";
import { inputs } from "@/lib/testing-inputs";
import { verifySignature } from "@/lib/xs2a/signature";
import { own, ports, refusal, run } from "@/lib/xs2a/testing/requests";
import { certificatesOf, now, requestId, signedRequest } from "@/lib/xs2a/testing/tpp";
import type { WorkshopContext } from "./context";
import { explain, roleForPath } from "./explain";
import { withoutSecrets } from "./raw-request";
import { readPaste } from "./read-paste";
import { refusalIn, type Step } from "./step";
import { presentedBy, rawText } from "./testing";

describe("an explanation", () => {
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

  describe("the explanation continues after a failed step", () => {
    it("a certificate that is not trusted is read all the same, and so are the next steps", async () => {
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

    it("each further fault has the server's own text", async () => {
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

    it("without a client certificate the QSealC is checked alone", async () => {
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
});

describe("the first step that fails is what the server answers", () => {
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
  async function answerTo(request: Request, testPorts = ports) {
    const response = await run(request, testPorts);
    const { tppMessages } = (await response.json()) as {
      tppMessages: readonly [{ code: string; path?: string; text: string }];
    };
    const [{ code, text, path }] = tppMessages;
    return { status: response.status, code, text, ...(path !== undefined && { path }) };
  }

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
        signedRequest(own, {
          forged: { signature: "x" },
          without: ["tpp-signature-certificate"],
        }),
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
        signedRequest(own, {
          ...post,
          forged: { "tpp-redirect-uri": "https://tpp.example/else" },
        }),
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
    for (const word of ["revoked", "unknown"] as const) {
      const revocation: typeof ports.revocation = {
        check: async ({ certificate }) =>
          certificate.keyUsage.includes("nonRepudiation") ? word : "good",
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
    const late = addTime(now, 731, "day");
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

describe("explained to a person", () => {
  const means = { ...ports, now };
  const body = '{"word":"hello"}';
  const post = { body, headers: { "tpp-redirect-uri": "https://tpp.example/back" } };

  const walk = async (request: Request) => explain(presentedBy(await rawText(request)), means);
  const titled = (steps: readonly Step[], title: string): Step => {
    const found = steps.find((step) => step.title === title);
    if (found === undefined) throw new Error(`no step ${title}`);
    return found;
  };
  const fact = (step: Step, label: string) =>
    step.facts.find((found) => found.label === label)?.value;

  describe("hints for the reader of an explanation", () => {
    it("a signature covers the access token: it is hidden, and once hidden not verified", async () => {
      const signed = ["digest", "x-request-id", "date", "authorization"];
      const headers = { authorization: "Bearer ey.J.x" };
      const text = await rawText(signedRequest(own, { signed, headers }));
      const steps = await explain(presentedBy(text), means);
      expect(refusalIn(steps)).toBeUndefined();
      expect(JSON.stringify(steps)).not.toContain("ey.J.x");
      const signing = titled(steps, "Signature over the signing string");
      expect(fact(signing, "Signing string")).toMatch(/\nauthorization: Bearer \(hidden\)$/);
      const again = await explain(presentedBy(withoutSecrets(text)), means);
      expect(refusalIn(again)).toBeUndefined();
      expect(titled(again, "Signature over the signing string").verdict.kind).toBe("not judged");
    });

    it("an access token in the address is hidden", async () => {
      const steps = await explain(
        presentedBy("GET /open-banking/v3.1/aisp/v1/x?access_token=token-in-address"),
        means,
      );
      expect(JSON.stringify(steps)).not.toContain("token-in-address");
    });

    it("a request without a certificate: the explanation says where it may be", async () => {
      const steps = await walk(signedRequest(own, { without: ["client-cert"] }));
      const none = "none, neither in the header Client-Cert nor beside the request";
      expect(fact(titled(steps, "Client certificate (QWAC)"), "Certificate")).toBe(none);
    });

    it("the body is not the bytes that were sent: both lengths are shown", async () => {
      const request = signedRequest(own, { ...post, headers: { "content-length": "20" } });
      expect(fact(titled(await walk(request), "Request"), "Bytes of the body")).toBe(
        "16, where Content-Length says 20",
      );
    });

    it("the request is older than a signature may be: it can be checked at another time", async () => {
      const text = await rawText(signedRequest(own, post));
      const late = (seconds: number) => ({ ...means, now: addTime(now, seconds, "second") });
      const said = async (seconds: number) =>
        fact(
          titled(await explain(presentedBy(text), late(seconds)), "Date"),
          "If it was sent then",
        );
      expect(await said(300)).toBeUndefined();
      expect(await said(301)).toContain("say when it arrived");
    });
  });

  it("any pasted text ends in steps or in a fault, never in an exception", async () => {
    const text = await rawText(signedRequest(own, post));
    const lines = text.split("\r\n");
    const line = fc.oneof(fc.constantFrom(...lines), fc.string({ unit: "binary" }), fc.string());
    const defective = fc.record({ at: fc.nat(text.length), with: fc.string({ unit: "binary" }) });
    const pasted = fc.oneof(
      fc.array(line, { maxLength: 14 }).map((all) => all.join("\r\n")),
      defective.map((one) => text.slice(0, one.at) + one.with + text.slice(one.at + 1)),
    );
    await fc.assert(
      fc.asyncProperty(pasted, fc.option(fc.string()), async (request, certificate) => {
        const paste = { request: Buffer.from(request), certificate: certificate ?? undefined };
        const read = readPaste(paste);
        if ("fault" in read) expect(read.fault.text).not.toBe("");
        else expect((await explain(read.presented, means)).length).toBeGreaterThan(1);
      }),
      { numRuns: inputs(500) },
    );
  });
});

describe("the stop list", () => {
  const TITLE = "Stop list of the bank";

  /** A bank that has blocked each TPP it is asked for, and which these were. */
  function bank() {
    const asked: string[] = [];
    const find = async (tppId: TppId) => {
      asked.push(tppId);
      return { tppId, blockedAt: now, reason: "suspected of fraud" };
    };
    const stopList = { ...ports.stopList, find };
    const requestContexts = requestContextsBy({ ...ports, stopList });
    return { asked, testPorts: { ...ports, stopList, requestContexts } };
  }

  const walk = async (means: WorkshopContext, pem = own.qwacPem) => {
    const text = await rawText(signedRequest(own, { without: ["client-cert"] }));
    return explain(presentedBy(text, new X509Certificate(pem).raw), means);
  };

  describe("C6: a blocked TPP's request", () => {
    it("is explained as it is answered", async () => {
      const { testPorts } = bank();
      const steps = await walk({ ...testPorts, now });
      const answer = await refusal(signedRequest(own), testPorts);
      expect(answer).toMatchObject({ ...refusalIn(steps), code: "CERTIFICATE_BLOCKED" });
      expect(steps.find(({ title }) => title === TITLE)?.verdict.kind).toBe("failed");
      expect(JSON.stringify(steps)).not.toContain("fraud");
    });

    it("is not looked up for a certificate that the bank does not trust", async () => {
      const { testPorts, asked } = bank();
      const seal = await walk({ ...testPorts, now }, own.qsealPem);
      const stranger = await walk({ ...testPorts, trustAnchors: [], now });
      for (const steps of [seal, stranger]) {
        expect(steps.find(({ title }) => title === TITLE)?.verdict.kind).toBe("not judged");
      }
      expect(asked).toEqual([]);
    });

    it("is looked up for the TPP of the certificate alone", async () => {
      const { testPorts, asked } = bank();
      await walk({ ...testPorts, now }, (await certificatesOf("PSDRO-NBR-8")).qwacPem);
      expect(asked).toEqual(["PSDRO-NBR-8"]);
    });
  });

  it("without the bank's list there is no such step", async () => {
    const { stopList: _, ...rest } = ports;
    const steps = await walk({ ...rest, now });
    expect(steps.find(({ title }) => title === TITLE)?.verdict).toEqual({
      kind: "not judged",
      because: "Only the bank knows whom it has blocked.",
    });
    expect(refusalIn(steps)).toBeUndefined();
  });
});

describe("the role of a path", () => {
  const declared = Object.entries(routes).flatMap(([path, handlers]) =>
    Object.values(handlers).flatMap(({ declaration }) =>
      declaration === undefined ? [] : [{ path, role: declaration.role }],
    ),
  );

  it.each(declared)("$path is open to $role, as its route declares", ({ path, role }) => {
    expect(roleForPath(path)).toBe(role);
  });

  it.each([
    "/token",
    "/open-banking/v3.1/cards/v1/cards",
    "/open-banking/v3.1/aisp",
    "/open-banking/v3.1/constructor/v1",
  ])("%s is open to no role", (path) => {
    expect(roleForPath(path)).toBeUndefined();
  });
});
