import { generateKeyPairSync, sign, X509Certificate } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import httpSignature from "http-signature";
import { beforeAll, describe, expect, it } from "vitest";
import { Rejection } from "@/lib/domain/errors";
import { readCertificate } from "@/lib/eidas/certificate";
import type { TrustAnchors } from "@/lib/eidas/trust";
import { inputs } from "@/lib/testing-inputs";
import { aspspProfile } from "@/lib/testing-profile";
import {
  checkCoveredHeaders,
  checkDate,
  checkDigest,
  checkVerifies,
  verifySignature,
} from "./signature";
import { checkKeyId, parseSignatureHeader, signingString } from "./signature-header";
import { run } from "./testing/requests";
import { corpus, meaningOf, type SignedHeader } from "./testing/signature-corpus";
import { BODY } from "./testing/signature-corpus-headers";
import {
  invalid,
  makeSealingTpp,
  now,
  own,
  portsOf,
  type Sealing,
  type SealingTpp,
  seal,
  sealedRequest,
  thrown,
} from "./testing/tpp";

describe("verify signature", () => {
  const signatures = Object.values(corpus).flat();
  let tpp: SealingTpp;
  beforeAll(async () => {
    tpp = await makeSealingTpp();
  });

  const sealed = new Map<Sealing, Request>();
  /** Of each sealing the same: it takes longer than to verify it. */
  function requestOf(sealing: Sealing): Request {
    const request = sealed.get(sealing) ?? sealedRequest(tpp, sealing);
    sealed.set(sealing, request);
    return request.clone();
  }

  /** The first fault with its status, undefined when the signature is accepted; a crash is one. */
  async function firstFault(sealing: Sealing, trustAnchors: TrustAnchors = tpp.anchors) {
    const request = requestOf(sealing);
    const body = new Uint8Array(await request.clone().arrayBuffer());
    try {
      verifySignature(request, body, tpp.qwac, { trustAnchors, profile: aspspProfile }, now);
      return undefined;
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      return { status: error.status, ...error.faults[0] };
    }
  }

  describe.each(Object.entries(corpus))("%s", (_theme, rows) => {
    it.each(rows)("$name", async ({ sealing, verdict }) => {
      expect(await firstFault(sealing)).toEqual(verdict === "accepted" ? undefined : verdict);
    });
  });

  describe("the corpus", () => {
    it("has at least 60 signatures, good and bad, each with a name of its own", () => {
      expect(signatures.length).toBeGreaterThanOrEqual(60);
      expect(new Set(signatures.map(({ name }) => name)).size).toBe(signatures.length);
      expect(signatures.filter(({ verdict }) => verdict === "accepted").length).toBeGreaterThan(30);
    });

    it("S11: says what is wrong in 500 characters, none of them a control", async () => {
      for (const { verdict } of signatures) {
        if (verdict !== "accepted") expect(verdict.text).toMatch(/^[^\p{Cc}]{1,500}$/u);
      }
    });
  });

  describe("C4: an unknown caller gets the same refusal, whatever else is wrong", () => {
    const untrusted = "certificate is not issued by a trusted issuer";

    it("about the client certificate", async () => {
      const testPorts = { ...(await portsOf()), trustAnchors: [] };
      const answers = new Set<string>();
      for (const { sealing } of signatures) {
        const response = await run(requestOf(sealing), testPorts);
        answers.add(`${response.status} ${await response.text()}`);
      }
      const message = { category: "ERROR", code: "CERTIFICATE_INVALID", text: untrusted };
      const help = { href: "https://online.bank.example/docs/errors/CERTIFICATE_INVALID" };
      const body = { tppMessages: [message], _links: { help } };
      expect([...answers]).toEqual([`401 ${JSON.stringify(body)}`]);
    });

    const legible = signatures.filter(
      ({ verdict }) =>
        verdict === "accepted" ||
        !/every request|no signature cert|not base64 of/.test(verdict.text),
    );
    it.each(legible)("about the seal: $name", async ({ sealing }) => {
      const path = "TPP-Signature-Certificate";
      const fault = { status: 401, code: "CERTIFICATE_INVALID", text: untrusted, path };
      expect(await firstFault(sealing, [])).toEqual(fault);
    });
  });
});

describe("mutated headers", () => {
  const body = Buffer.from(BODY);
  let tpp: SealingTpp;
  /** As good as can be, of either kind of key. */
  let good: Readonly<Record<"rsa" | "ec", Request>>;
  beforeAll(async () => {
    tpp = await makeSealingTpp();
    const sealed = (seal: "rsa" | "ec") => sealedRequest(tpp, { body: BODY, seal });
    good = { rsa: sealed("rsa"), ec: sealed("ec") };
  });

  /** Believed, or refused with a text that may leave the bank; anything else is a crash. */
  function isAccepted(headers: Headers): boolean {
    const request = new Request(good.rsa.url, { method: "POST", headers });
    try {
      verifySignature(
        request,
        body,
        tpp.qwac,
        { trustAnchors: tpp.anchors, profile: aspspProfile },
        now,
      );
      return true;
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      expect(error.faults[0].text).toMatch(/^[^\p{Cc}]{1,500}$/u);
      return false;
    }
  }

  /** Octets that may stand in a header: all but those that end it. */
  const inserted = fc
    .uint8Array({ maxLength: 4 })
    .map((bytes) =>
      Buffer.from(bytes.filter((byte) => ![0, 10, 13].includes(byte))).toString("latin1"),
    );
  const meant = fc.string({ maxLength: 4, unit: fc.constantFrom(...'=",: -_/+AaZz09%\\()') });
  const mutation = fc.record({
    at: fc.nat(4_000),
    removed: fc.nat(4),
    inserted: fc.oneof(inserted, meant),
  });
  type Mutation = { readonly at: number; readonly removed: number; readonly inserted: string };

  function mutate(value: string, mutations: readonly Mutation[]): string {
    return mutations.reduce((text, { at, removed, inserted: letters }) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + letters + text.slice(place + removed);
    }, value);
  }

  const seal = fc.constantFrom("rsa", "ec");
  const header = fc.constantFrom<SignedHeader>("signature", "digest", "tpp-signature-certificate");
  const mutations = fc.array(mutation, { minLength: 1, maxLength: 3 });

  it("each request is accepted as it was sent", () => {
    expect(isAccepted(good.rsa.headers)).toBe(true);
    expect(isAccepted(good.ec.headers)).toBe(true);
  });

  it("C10: of mutated headers that mean something else 0 are accepted, none is a crash", () => {
    fc.assert(
      fc.property(seal, header, mutations, (key, name, list) => {
        const sent = good[key].headers.get(name) ?? "nothing";
        const mutated = mutate(sent, list);
        const headers = new Headers(good[key].headers);
        headers.set(name, mutated);
        const accepted = isAccepted(headers);
        // What says the same in another way may pass, and is none of them.
        fc.pre(meaningOf(name, mutated) !== meaningOf(name, sent));
        expect(accepted).toBe(false);
      }),
      { seed: 20_261_120, numRuns: inputs(10_000) },
    );
  });
});

describe("what the signature covers", () => {
  const all = ["digest", "x-request-id", "date", "psu-id", "psu-corporate-id", "tpp-redirect-uri"];
  const headers = new Headers(all.map((name): [string, string] => [name, "x"]));
  const subsets = Array.from({ length: 2 ** all.length - 1 }, (_, bits) =>
    all.filter((_name, index) => (bits & (2 ** index)) > 0),
  );

  it.each(subsets.map((subset) => [subset.join(" ")]))("S2: %j alone is not enough", (subset) => {
    const error = thrown(() => checkCoveredHeaders(subset.split(" "), headers));
    expect(error).toMatchObject(invalid("does not cover"));
  });

  it("is everything that has to be covered, in any order, and more if the TPP likes", () => {
    const more = new Headers([...headers, ["psu-ip-address", "192.0.2.1"]]);
    const signed = ["(request-target)", "psu-ip-address", ...all.toReversed()];
    expect(thrown(() => checkCoveredHeaders(signed, more))).toBeUndefined();
  });

  it("S3: a listed header that the request does not have is refused", () => {
    const error = thrown(() => checkCoveredHeaders([...all, "psu-ip-address"], headers));
    expect(error).toMatchObject(invalid("the request has no PSU-IP-Address"));
  });

  it.each([
    ["https://tpp.example.evil.example/nok"],
    ["https://tpp.example:8443/nok"],
    ["http://tpp.example/nok"],
    ["javascript:alert(1)"],
  ])("O12: an unsigned TPP-Nok-Redirect-URI does not lead to another host: %s", (nok) => {
    const sent = withUris(nok);
    expect(thrown(() => checkCoveredHeaders(all, sent))).toMatchObject(
      invalid("does not cover tpp-nok-redirect-uri"),
    );
    const signed = [...all, "tpp-nok-redirect-uri"];
    expect(thrown(() => checkCoveredHeaders(signed, sent))).toBeUndefined();
  });

  it("may be without a TPP-Nok-Redirect-URI on the host of the signed URI", () => {
    const sent = withUris("https://tpp.example/nok?reason=1");
    expect(thrown(() => checkCoveredHeaders(all, sent))).toBeUndefined();
  });

  function withUris(nok: string): Headers {
    const sent = new Headers(headers);
    sent.set("tpp-redirect-uri", "https://tpp.example/ok");
    sent.set("tpp-nok-redirect-uri", nok);
    return sent;
  }
});

describe("Date", () => {
  const at = new Date("2026-11-20T10:00:00Z");
  it.each([
    "2026-11-20T10:00:00Z",
    "Fri, 20 Nov 2026 10:00:00 +0000",
    "Fri, 20 Nov 2026 10:00:00 UTC",
    "fri, 20 nov 2026 10:00:00 gmt",
    "Mon, 20 Nov 2026 10:00:00 GMT",
    "Friday, 20-Nov-26 10:00:00 GMT",
    "Fri Nov 20 10:00:00 2026",
    "Fri, 20 Nov 2026 09:59:60 GMT",
    "Fri, 20 Nov 2026 10:00:00 GMT, Fri, 20 Nov 2026 10:00:00 GMT",
    "yesterday",
    "",
  ])("%j is not a date of RFC 7231: TIMESTAMP_INVALID", (date) =>
    expect(thrown(() => checkDate(date, at, 300))).toMatchObject({
      status: 400,
      faults: [{ code: "TIMESTAMP_INVALID" }],
    }),
  );

  it.each([
    [0, 300, true],
    [0, 301, false],
    [0, -300, true],
    [0, -301, false],
  ])(
    "sent again is judged by the clock of its own request: %i s, then %i s",
    (first, then, fits) => {
      const date = at.toUTCString();
      const when = (seconds: number) => new Date(at.getTime() + seconds * 1_000);
      expect(() => checkDate(date, when(first), 300)).not.toThrow();
      const again = expect(() => checkDate(date, when(then), 300));
      if (fits) again.not.toThrow();
      else again.toThrow("the bank's clock");
    },
  );

  it("that is wrong is not right because the one before it was", () => {
    const wrong = "Fri, 20 Nov 2026 10:00:00 +0000";
    for (const date of [at.toUTCString(), wrong, at.toUTCString(), wrong]) {
      const judged = expect(() => checkDate(date, at, 300));
      if (date === wrong) judged.toThrow("is not a date of RFC 7231");
      else judged.not.toThrow();
    }
  });

  it("that is missing is a fault of the signature", () => {
    expect(thrown(() => checkDate(null, at, 300))).toMatchObject(invalid("Date is missing"));
  });
});

describe("Digest", () => {
  const empty256 = "SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
  const empty512 =
    "SHA-512=z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==";
  const nothing = new Uint8Array();

  it.each([
    ...[empty256, empty512, empty256.replace("SHA", "sha"), `${empty256}, ${empty512}`],
    ...[`${empty256},MD5=1B2M2Y8AsgTpgAmY7PhCfg==`, `UNIXsum=30637, ${empty512}`],
  ])("of a request without body is over zero bytes: %s", (header) =>
    expect(thrown(() => checkDigest(header, nothing))).toBeUndefined(),
  );

  it.each([
    [null, "missing"],
    ["", '"" is not of the form SHA-256=base64'],
    ["SHA-256", '"SHA-256" is not of the form SHA-256=base64'],
    ["MD5=1B2M2Y8AsgTpgAmY7PhCfg==", "SHA-256 or SHA-512"],
    ["MD5=1B2M2Y8AsgTpgAmY7PhCfg==,SHA=AAAA", "SHA-256 or SHA-512, not MD5"],
    [`MD5=1B2M2Y8AsgTpgAmY7PhCfg==,SHA-512=AAAA`, "does not match"],
    [`${empty256},SHA-512=AAAA`, "does not match"],
    ["SHA-256=RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=", "covers {} but the body is empty"],
  ])("S7: %s is refused", (header, text) => {
    expect(thrown(() => checkDigest(header, nothing))).toMatchObject(invalid(text));
  });

  it("S7: one bit, a line feed or a byte order mark more is another body", () => {
    const header = "SHA-256=LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=";
    expect(thrown(() => checkDigest(header, Buffer.from("hello")))).toBeUndefined();
    for (const other of ["hellp", "hello\n", "hello\r\n", "\uFEFFhello"]) {
      expect(thrown(() => checkDigest(header, Buffer.from(other)))).toMatchObject(invalid());
    }
  });
});

describe("the signature itself", () => {
  const signed = Buffer.from("digest: x");

  it.each(["hmac-sha256", "none", "rsa-sha1", "hs2019", "ecdsa-sha256"])(
    "S6: algorithm %s is refused with an RSA key",
    (algorithm) => {
      const error = thrown(() => checkVerifies({ algorithm, signature: signed, signed }, seal));
      expect(error).toMatchObject(invalid("algorithm"));
    },
  );

  it.each(["sha256", "sha512"])(
    "of an EC key with %s is accepted, over other bytes it is not",
    (hash) => {
      const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const signature = sign(hash, signed, privateKey);
      const call = (bytes: Uint8Array) =>
        thrown(() =>
          checkVerifies({ algorithm: `ecdsa-${hash}`, signature, signed: bytes }, { publicKey }),
        );
      expect(call(signed)).toBeUndefined();
      expect(call(Buffer.from("digest: y"))).toMatchObject(invalid("does not verify"));
    },
  );

  it("made by another library is accepted", () => {
    const headers: Record<string, string> = {
      digest: "SHA-256=abc",
      date: "Fri, 20 Nov 2026 10:00:00 GMT",
    };
    const request = {
      getHeader: (name: string) => headers[name.toLowerCase()],
      setHeader: (name: string, value: string) => {
        headers[name.toLowerCase()] = value;
      },
      method: "GET",
      path: "/v1/accounts?withBalance=true",
    };
    httpSignature.sign(
      request as never,
      {
        key: own.qsealKeyPem,
        keyId: "SN=1,CA=CN=x",
        algorithm: "rsa-sha256",
        headers: ["(request-target)", "digest", "date"],
        authorizationHeaderName: "signature",
      } as never,
    );
    const value = (headers["signature"] ?? "none").replace(/^Signature /, "");
    const { algorithm, signedHeaders, signature } = parseSignatureHeader(value);
    const received = new Request("https://bank.example/v1/accounts?withBalance=true", { headers });
    const text = signingString(signedHeaders, received);
    expect(
      thrown(() => checkVerifies({ algorithm, signature, signed: text }, seal)),
    ).toBeUndefined();
  });

  const example = fileURLToPath(
    new URL("../../../shared/standard/signing-example", import.meta.url),
  );
  // Elsewhere the standard's files are not at hand.
  if (existsSync(example))
    it("of the worked example is accepted, byte for byte", () => {
      const read = (name: string) => readFileSync(path.join(example, name), "utf8");
      const worked = JSON.parse(read("worked-example.json"));
      const certificate = readCertificate(new X509Certificate(read("qseal.pem")).raw);
      const request = new Request("https://bank.example/", { headers: worked.headers });
      checkDigest(worked.headers.digest, Buffer.from(read("body.json")));
      const { algorithm, signedHeaders, signature, keyId } = parseSignatureHeader(worked.signature);
      const signedText = signingString(signedHeaders, request);
      expect(Buffer.from(signedText).toString()).toBe(worked.signingString);
      checkKeyId(keyId, certificate);
      checkVerifies({ algorithm, signature, signed: signedText }, certificate);
    });
});
