import { X509Certificate } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { reject, UnavailableError } from "@/lib/domain/errors";
import { requestContextsBy } from "@/lib/domain/testing/in-memory-bank";
import type { Psd2Role } from "@/lib/domain/tpp";
import type { TppId } from "@/lib/domain/values";
import { thumbprintOf } from "@/lib/eidas/certificate";
import { type RevocationMode, revocation } from "@/lib/eidas/revocation";
import { log } from "@/lib/log";
import { replyOf, type Xs2aPorts } from "./declaration";
import { endpoint } from "./endpoint";
import { responseOf } from "./http";
import { runRefusal } from "./pipeline";
import { newEcho, own, ports, refusal, run } from "./testing/requests";
import { certificatesOf, now, requestId, signedRequest } from "./testing/tpp";
import { noToken } from "./token";

describe("a TPP's request", () => {
  it("that is in order is answered, with the ids of the exchange", async () => {
    const interaction = "7d0f4bd2-1c9b-4d55-8a3c-0fb8a4f1f6aa";
    const headers = { "x-fapi-interaction-id": interaction };
    const response = await run(signedRequest(own, { body: '{"word":"yes"}', headers }));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ said: "yes", by: "PSDRO-NBR-1234567" });
    expect(response.headers.get("x-request-id")).toBe(requestId);
    expect(response.headers.get("x-fapi-interaction-id")).toBe(interaction);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("content-type")).toBe("application/json");
  });

  it("C2: without certificate is refused before anything else is checked", async () => {
    const request = signedRequest(own, { without: ["client-cert", "x-request-id", "signature"] });
    expect(await refusal(request)).toMatchObject({ status: 401, code: "CERTIFICATE_MISSING" });
    const unknown = await runRefusal(reject("RESOURCE_UNKNOWN", "nothing"), request, ports);
    expect(unknown.status).toBe(401);
  });

  it("C10: with something else in place of a certificate is refused", async () => {
    for (const value of ["x", ":AAAA:", `:${"A".repeat(40_000)}:`]) {
      const request = signedRequest(own, { forged: { "client-cert": value } });
      expect(await refusal(request)).toMatchObject({ status: 401, code: "CERTIFICATE_INVALID" });
    }
  });

  it("C4: with a certificate of an unknown issuer is refused", async () => {
    const request = signedRequest(own);
    expect(await refusal(request, { ...ports, trustAnchors: [] })).toMatchObject({
      status: 401,
      code: "CERTIFICATE_INVALID",
    });
  });

  it("C7: without the PSD2 role of the path is refused", async () => {
    const issuer = await certificatesOf("PSDRO-NBR-7", ["PSP_PI", "PSP_IC", "PSP_AS"]);
    expect(await refusal(signedRequest(issuer))).toMatchObject({
      status: 401,
      code: "ROLE_INVALID",
    });
  });

  it.each(["not-a-uuid", "99391c7e-ad88-49ec-a2ad-99ddcb1f772", "x".repeat(1_000)])(
    "S10: with X-Request-ID %s is refused, and gets a new one that is a UUID",
    async (value) => {
      const request = signedRequest(own, { headers: { "x-request-id": value } });
      const response = await run(request);
      expect(response.status).toBe(400);
      expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(await response.text()).not.toContain(value);
    },
  );

  it("S1: without signature is refused", async () => {
    expect(await refusal(signedRequest(own, { without: ["signature"] }))).toMatchObject({
      status: 401,
      code: "SIGNATURE_MISSING",
    });
  });

  it("S7: whose body is not the one that was signed is refused", async () => {
    const request = signedRequest(own, { body: '{"word":"yes"}' });
    const forged = new Request(request.url, {
      method: "POST",
      headers: request.headers,
      body: '{"word":"no!"}',
    });
    expect(await refusal(forged)).toMatchObject({
      status: 401,
      code: "SIGNATURE_INVALID",
      path: "Digest",
    });
  });

  it.each([["date"], ["digest date"], ["digest x-request-id"]])(
    "S2: whose signature verifies but covers %s alone is refused",
    async (signed) => {
      const request = signedRequest(own, { signed: signed.split(" ") });
      expect(await refusal(request)).toMatchObject({
        status: 401,
        code: "SIGNATURE_INVALID",
        text: expect.stringContaining("does not cover"),
      });
    },
  );

  it("S8: whose keyId names another certificate is refused", async () => {
    const sound = signedRequest(own).headers.get("signature") ?? "none";
    const signature = sound.replace(/SN=[0-9A-F]+/, "SN=9FA1");
    expect(await refusal(signedRequest(own, { forged: { signature } }))).toMatchObject({
      code: "SIGNATURE_INVALID",
      text: expect.stringContaining("keyId names serial 9FA1"),
    });
  });

  it.each([
    [-300, 200],
    [300, 200],
    [-301, 400],
    [301, 400],
  ])("S9: whose Date is %d s from the bank's clock gets %d", async (seconds, status) => {
    const date = new Date(now.getTime() + seconds * 1_000).toUTCString();
    expect((await run(signedRequest(own, { headers: { date } }))).status).toBe(status);
  });

  it("C13: sealed by another TPP than the certificate names is refused", async () => {
    const other = await certificatesOf("PSDRO-NBR-8");
    const mixed = { ...own, qsealPem: other.qsealPem, qsealKeyPem: other.qsealKeyPem };
    expect(await refusal(signedRequest(mixed))).toMatchObject({
      status: 401,
      code: "CERTIFICATE_INVALID",
      path: "TPP-Signature-Certificate",
    });
  });

  it("C8: sealed with the QWAC is refused", async () => {
    const mixed = { ...own, qsealPem: own.qwacPem, qsealKeyPem: own.qwacKeyPem };
    expect(await refusal(signedRequest(mixed))).toMatchObject({ code: "CERTIFICATE_INVALID" });
  });

  it("X8: that fails with an internal error shows nothing of it", async () => {
    const broken = {
      ...ports,
      requestContexts: { load: () => Promise.reject(new Error("connect ECONNREFUSED 10.0.0.1")) },
    };
    const response = await run(signedRequest(own), broken);
    expect(response.status).toBe(500);
    expect(await response.text()).toBe(
      '{"tppMessages":[{"category":"ERROR","code":"INTERNAL_SERVER_ERROR","text":"the request failed by a fault of ours"}],' +
        '"_links":{"help":{"href":"https://online.bank.example/docs/errors/INTERNAL_SERVER_ERROR"}}}',
    );
  });

  it("whose response does not match its schema is not sent", async () => {
    const request = signedRequest(own, { body: JSON.stringify({ word: "x".repeat(21) }) });
    const refused = { status: 500, code: "INTERNAL_SERVER_ERROR" };
    expect(await refusal(request, ports, newEcho())).toMatchObject(refused);
  });

  it("gets a problem document when it asks for that and not for JSON", async () => {
    const accept = "application/problem+json";
    const response = await run(signedRequest(own, { headers: { accept }, without: ["signature"] }));
    expect(response.headers.get("content-type")).toBe(accept);
    expect(await response.json()).toMatchObject({ status: 401, code: "SIGNATURE_MISSING" });
  });

  it("refused for a header gets its name in the standard's spelling", async () => {
    const headers = { "psu-ip-address": "localhost" };
    expect(await refusal(signedRequest(own, { headers }))).toMatchObject({
      status: 400,
      code: "FORMAT_ERROR",
      path: "PSU-IP-Address",
    });
  });
});

describe("unaccepted certificates", () => {
  /** What it takes to verify a signature. */
  const NEEDED = ["signature", "tpp-signature-certificate", "digest"];

  /** A signed request, and the headers and body that were read to verify its signature. */
  function watched(certificates = own, without: readonly string[] = []) {
    const request = signedRequest(certificates, { body: '{"word":"yes"}', without });
    const get = vi.spyOn(request.headers, "get");
    const reads = () => {
      const names = get.mock.calls.map(([name]) => name);
      const headers = NEEDED.filter((name) => names.includes(name));
      return request.bodyUsed || request.body?.locked ? [...headers, "body"] : headers;
    };
    return { request, reads };
  }

  const find = async (tppId: TppId) => ({ tppId, blockedAt: now, reason: "suspected of fraud" });
  const withContexts = (testPorts: Xs2aPorts) => ({
    ...testPorts,
    requestContexts: requestContextsBy(testPorts),
  });
  const portsAt = (time: string) => {
    return withContexts({ ...ports, clock: { now: async () => new Date(time) } });
  };
  const blocking = withContexts({ ...ports, stopList: { ...ports.stopList, find } });
  const revoked: Xs2aPorts = { ...ports, revocation: { check: async () => "revoked" } };

  it.each<readonly [string, Xs2aPorts]>([
    ["of an unknown issuer", { ...ports, trustAnchors: [] }],
    ["that has expired", portsAt("2046-01-01T00:00:00Z")],
    ["that is not valid yet", portsAt("2016-01-01T00:00:00Z")],
    ["that was revoked", revoked],
    ["of a blocked TPP", blocking],
  ])("X14: a certificate %s: neither signature nor body is read", async (_what, testPorts) => {
    const { request, reads } = watched();
    expect((await run(request, testPorts)).status).toBe(401);
    expect(reads()).toEqual([]);
  });

  it("X14: no certificate, or none for the role: neither signature nor body is read", async () => {
    const none = watched(own, ["client-cert"]);
    expect((await run(none.request)).status).toBe(401);
    const other = watched(await certificatesOf("PSDRO-NBR-7", ["PSP_PI"]));
    expect((await run(other.request)).status).toBe(401);
    expect([...none.reads(), ...other.reads()]).toEqual([]);
  });

  it("X14: at a path that is not offered no signature is verified", async () => {
    const { request, reads } = watched();
    const unknown = reject("RESOURCE_UNKNOWN", "nothing");
    expect((await runRefusal(unknown, request, ports)).status).toBe(404);
    expect(reads()).toEqual([]);
  });

  it("X14: an accepted certificate: signature and body are read", async () => {
    const { request, reads } = watched();
    expect((await run(request)).status).toBe(200);
    expect(reads()).toEqual([...NEEDED, "body"]);
  });

  const limited: Xs2aPorts = {
    ...ports,
    tppAllowance: { take: async () => ({ limit: 600, left: 0, resetSeconds: 41 }) },
  };

  it("X14: beyond its TPP's limit a request is 429 ACCESS_EXCEEDED, and neither signature nor body is read", async () => {
    const { request, reads } = watched();
    const answers = [
      await run(request, limited),
      responseOf(await runRefusal(reject("RESOURCE_UNKNOWN", "nothing"), request, limited)),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(429);
      expect(await answer.text()).toContain("ACCESS_EXCEEDED");
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "retry-after": "41",
        "ratelimit-limit": "600",
        "ratelimit-remaining": "0",
        "ratelimit-reset": "41",
      });
    }
    expect(reads()).toEqual([]);
  });

  it("X14: a certificate that is not accepted uses none of the limit of the TPP it names", async () => {
    const take = vi.fn<Xs2aPorts["tppAllowance"]["take"]>(async () => "admitted");
    for (const testPorts of [
      { ...ports, trustAnchors: [] },
      portsAt("2046-01-01T00:00:00Z"),
      revoked,
    ]) {
      expect((await run(watched().request, { ...testPorts, tppAllowance: { take } })).status).toBe(
        401,
      );
    }
    expect(take).not.toHaveBeenCalled();
    const counted = { ...ports, tppAllowance: { take } };
    await run(watched().request, counted);
    expect(take.mock.calls).toEqual([["PSDRO-NBR-1234567", now]]);
  });
});

describe("blocked tpp", () => {
  const blocked = {
    status: 401,
    code: "CERTIFICATE_BLOCKED",
    text: "PSDRO-NBR-1234567 is blocked by the bank",
    entries: 1,
  };

  function withList(find: Xs2aPorts["stopList"]["find"]): Xs2aPorts {
    const stopList = { ...ports.stopList, find };
    return { ...ports, stopList, requestContexts: requestContextsBy({ ...ports, stopList }) };
  }

  /** A bank that has blocked these TPPs, and which TPPs were looked up. */
  function bank(...tppIds: readonly string[]) {
    const asked: string[] = [];
    const find = async (tppId: TppId) => {
      asked.push(tppId);
      return tppIds.includes(tppId)
        ? { tppId, blockedAt: now, reason: "suspected of fraud" }
        : undefined;
    };
    return { testPorts: withList(find), asked };
  }

  describe("C6: a TPP that the bank has blocked", () => {
    it("is refused before its role, the signature or anything else is checked, without the reason", async () => {
      const { testPorts } = bank("PSDRO-NBR-1234567");
      expect(await refusal(signedRequest(own), testPorts)).toMatchObject(blocked);
      const without = ["signature", "digest", "date", "x-request-id", "tpp-signature-certificate"];
      const answer = await refusal(signedRequest(own, { without }), testPorts);
      expect(answer).toMatchObject(blocked);
      expect(JSON.stringify(answer)).not.toContain("fraud");
      const noRole = await certificatesOf(undefined, ["PSP_IC"]);
      expect(await refusal(signedRequest(noRole), testPorts)).toMatchObject(blocked);
    });

    it("does not learn that a path is not offered", async () => {
      const unknown = reject("RESOURCE_UNKNOWN", "nothing");
      const refused = await runRefusal(
        unknown,
        signedRequest(own),
        bank("PSDRO-NBR-1234567").testPorts,
      );
      expect(refused.status).toBe(401);
      expect(refused.body).toContain("CERTIFICATE_BLOCKED");
      expect((await runRefusal(unknown, signedRequest(own), bank().testPorts)).status).toBe(404);
    });

    it("is blocked with every certificate it has, and alone", async () => {
      const { testPorts } = bank("PSDRO-NBR-1234567");
      const renewed = await certificatesOf();
      expect(await refusal(signedRequest(renewed), testPorts)).toMatchObject(blocked);
      const other = await certificatesOf("PSDRO-NBR-12345678");
      expect((await run(signedRequest(other), testPorts)).status).toBe(200);
    });

    it("is accepted at the first call after the block is lifted: nothing is cached", async () => {
      const { testPorts, asked } = bank();
      for (let time = 0; time < 2; time += 1) {
        expect((await run(signedRequest(own), testPorts)).status).toBe(200);
      }
      expect(asked).toEqual(["PSDRO-NBR-1234567", "PSDRO-NBR-1234567"]);
    });
  });

  describe("C6: callers that the list is not consulted for", () => {
    it("an unknown caller is not looked up", async () => {
      const { testPorts, asked } = bank("PSDRO-NBR-1234567");
      const answer = await refusal(signedRequest(own), { ...testPorts, trustAnchors: [] });
      expect(answer).toMatchObject({ code: "CERTIFICATE_INVALID" });
      expect(asked).toEqual([]);
    });

    it("a revoked certificate is refused as revoked, and not as its TPP's block", async () => {
      const { testPorts } = bank("PSDRO-NBR-1234567");
      const revoked = thumbprintOf(new X509Certificate(own.qwacPem).raw);
      const revocation: Xs2aPorts["revocation"] = {
        check: async ({ certificate }) => (certificate.thumbprint === revoked ? "revoked" : "good"),
      };
      const answer = await refusal(signedRequest(own), { ...testPorts, revocation });
      expect(answer).toMatchObject({ code: "CERTIFICATE_REVOKED", entries: 1 });
    });
  });

  it("C6: a list that cannot be read ends the request: no TPP is accepted unchecked", async () => {
    const find = () => Promise.reject(new Error("ECONNREFUSED"));
    const answer = await refusal(signedRequest(own), withList(find));
    expect(answer).toMatchObject({ status: 500, code: "INTERNAL_SERVER_ERROR" });
  });
});

describe("revocation", () => {
  const revoked = { status: 401, code: "CERTIFICATE_REVOKED", entries: 1 };
  const thumbprint = (pem: string) => thumbprintOf(new X509Certificate(pem).raw);

  /** A bank whose issuers have revoked these certificates, and what it has asked them. */
  function bank(...revokedPems: readonly string[]) {
    const asked: { readonly thumbprint: string; readonly hard: boolean }[] = [];
    const bad = revokedPems.map(thumbprint);
    const testPorts: Xs2aPorts = {
      ...ports,
      revocation: {
        check: async ({ certificate }, { hard }) => {
          asked.push({ thumbprint: certificate.thumbprint, hard });
          return bad.includes(certificate.thumbprint) ? "revoked" : "good";
        },
      },
    };
    return { testPorts, asked };
  }

  /** An endpoint of this role that answers 200 to every accepted request. */
  const yes = (role: Psd2Role) =>
    endpoint({
      operationId: "yes",
      summary: "Says yes.",
      role,
      token: noToken,
      headers: z.object({}),
      body: z.undefined(),
      handle: async () => "yes",
      reply: replyOf({ status: 200, description: "Yes.", body: z.string() }, (value: string) => ({
        value,
      })),
    });

  describe("C5: a revoked QWAC", () => {
    it("is refused before its role, the signature or anything else is checked", async () => {
      const { testPorts } = bank(own.qwacPem);
      expect(await refusal(signedRequest(own), testPorts)).toMatchObject(revoked);
      const without = ["signature", "digest", "date", "x-request-id", "tpp-signature-certificate"];
      expect(await refusal(signedRequest(own, { without }), testPorts)).toMatchObject(revoked);
      const other = await certificatesOf("PSDRO-NBR-9", ["PSP_IC"]);
      const answer = await refusal(signedRequest(other), bank(other.qwacPem).testPorts);
      expect(answer).toMatchObject(revoked);
      expect(answer).not.toHaveProperty("path");
    });

    it("does not learn that a path is not offered", async () => {
      const { testPorts } = bank(own.qwacPem);
      const unknown = reject("RESOURCE_UNKNOWN", "nothing");
      expect((await runRefusal(unknown, signedRequest(own), testPorts)).status).toBe(401);
      expect((await runRefusal(unknown, signedRequest(own), bank().testPorts)).status).toBe(404);
    });
  });

  describe("C5: a revoked seal", () => {
    it("is refused with its header's name", async () => {
      const { testPorts } = bank(own.qsealPem);
      const path = "TPP-Signature-Certificate";
      expect(await refusal(signedRequest(own), testPorts)).toMatchObject({ ...revoked, path });
    });

    it("X6: is asked about only when the signature was made with it", async () => {
      const { testPorts, asked } = bank(own.qsealPem);
      const forged = { digest: `SHA-256=${"A".repeat(43)}=` };
      const answer = await refusal(signedRequest(own, { forged }), testPorts);
      expect(answer).toMatchObject({ code: "SIGNATURE_INVALID" });
      expect(asked).toEqual([{ thumbprint: thumbprint(own.qwacPem), hard: false }]);
    });
  });

  it("X6: no issuer is asked about the certificate of an unknown caller", async () => {
    const { testPorts, asked } = bank();
    const answer = await refusal(signedRequest(own), { ...testPorts, trustAnchors: [] });
    expect(answer).toMatchObject({ code: "CERTIFICATE_INVALID" });
    expect(asked).toEqual([]);
  });

  it("X8: an error of the check is an internal error, and ends the request", async () => {
    const check = () => Promise.reject(new Error("EMFILE /etc/issuers"));
    const answer = await refusal(signedRequest(own), { ...ports, revocation: { check } });
    expect(answer).toMatchObject({ status: 500, code: "INTERNAL_SERVER_ERROR" });
  });

  describe("C5: when the status is unknown", () => {
    const silent = (mode: RevocationMode): Xs2aPorts => {
      const fetch = () => Promise.reject(new Error("no answer"));
      return { ...ports, revocation: revocation({ mode, fetch, onFault: () => undefined }) };
    };

    it.each([
      ["hard", "PSP_AI", 401],
      ["hard", "PSP_PI", 401],
      ["soft", "PSP_AI", 200],
      ["soft", "PSP_IC", 200],
      ["soft", "PSP_PI", 401],
      ["off", "PSP_PI", 200],
    ] as const)("REVOCATION=%s, endpoint of %s: %d", async (mode, role, status) => {
      const tpp = await certificatesOf("PSDRO-NBR-10", ["PSP_AI", "PSP_PI", "PSP_IC"]);
      const response = await yes(role)(signedRequest(tpp), {}, silent(mode));
      expect(response.status).toBe(status);
      if (status === 401) expect(response.body).toContain("whether it is revoked");
    });

    it("payments ask hard about both certificates, the rest about neither", async () => {
      const tpp = await certificatesOf("PSDRO-NBR-10", ["PSP_AI", "PSP_PI"]);
      for (const [role, hard] of [["PSP_PI", true] as const, ["PSP_AI", false] as const]) {
        const { testPorts, asked } = bank();
        await yes(role)(signedRequest(tpp), {}, testPorts);
        const both = [tpp.qwacPem, tpp.qsealPem].map(thumbprint);
        expect(asked).toEqual(both.map((one) => ({ thumbprint: one, hard })));
      }
      expect((await run(signedRequest(own), bank().testPorts)).status).toBe(200);
    });
  });
});

describe("the body and media types of a TPP's request", () => {
  it.each([
    ["text/plain", undefined],
    ["application/xml", undefined],
    ["application/json; charset=utf-16", undefined],
    ["application/json", "gzip"],
  ])("with Content-Type %s and Content-Encoding %s is refused with 415", async (type, encoding) => {
    const headers = {
      "content-type": type,
      ...(encoding === undefined ? {} : { "content-encoding": encoding }),
    };
    expect(await refusal(signedRequest(own, { body: '{"word":"yes"}', headers }))).toMatchObject({
      status: 415,
      code: "UNSUPPORTED_MEDIA_TYPE",
    });
  });

  it.each([
    "application/xml",
    "text/plain",
    "application/json;q=0",
    "application/json;q=0, */*",
    "*/*, application/*;q=0.000",
  ])("with Accept %s is refused with 406", async (accept) => {
    expect(await refusal(signedRequest(own, { headers: { accept } }))).toMatchObject({
      status: 406,
      code: "REQUESTED_FORMATS_INVALID",
    });
  });

  it.each([
    "*/*;q=0, application/json",
    "text/plain, application/*",
    "application/problem+json",
    "application/xml;q=0, */*;q=0.1",
  ])("with Accept %s is answered", async (accept) => {
    expect((await run(signedRequest(own, { headers: { accept } }))).status).toBe(200);
  });

  it("X1: with a body over 64 KiB is refused with 413, whatever its Content-Length", async () => {
    const body = JSON.stringify({ word: "x".repeat(65_536) });
    expect(await refusal(signedRequest(own, { body }))).toMatchObject({
      status: 413,
      code: "PAYLOAD_TOO_LARGE",
    });
    const lying = signedRequest(own, { body, headers: { "content-length": "10" } });
    expect(await refusal(lying)).toMatchObject({ status: 413 });
  });
});

describe("unavailable", () => {
  const unavailable = async () => {
    const cause = new UnavailableError("the database is away (ECONNREFUSED)");
    throw new Error("Failed query: select 1", { cause });
  };
  const withoutDatabase = { ...ports, requestContexts: { load: unavailable } };

  it("a service that the bank needs is unavailable: 503 SERVICE_UNAVAILABLE with Retry-After, without the reason", async () => {
    const answer = await run(signedRequest(own), withoutDatabase);
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("2");
    expect(await answer.json()).toEqual({
      tppMessages: [
        {
          category: "ERROR",
          code: "SERVICE_UNAVAILABLE",
          text: "the bank cannot answer at the moment, try again",
        },
      ],
      _links: { help: { href: "https://online.bank.example/docs/errors/SERVICE_UNAVAILABLE" } },
    });
  });

  it("the log names the unavailable service and the request id, and no value of the query", async () => {
    const warn = vi.spyOn(log, "warn");
    await run(signedRequest(own), withoutDatabase);
    expect(warn.mock.lastCall?.[0]).toEqual({
      requestId: expect.any(String),
      interactionId: expect.any(String),
      reason: "the database is away (ECONNREFUSED)",
    });
  });

  it("as a problem document, when the TPP accepts nothing else", async () => {
    const headers = { accept: "application/problem+json" };
    const answer = await run(signedRequest(own, { headers }), withoutDatabase);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ status: 503, code: "SERVICE_UNAVAILABLE" });
  });

  it("any other internal error is a 500 without Retry-After", async () => {
    const broken = async () => Promise.reject(new Error("a mistake"));
    const answer = await run(signedRequest(own), { ...ports, requestContexts: { load: broken } });
    expect(answer.status).toBe(500);
    expect(answer.headers.get("retry-after")).toBeNull();
  });
});
