import { describe, expect, it } from "vitest";
import { reject } from "@/lib/domain/rejection";
import { runRefusal } from "./pipeline";
import { newEcho, own, ports, refusal, run } from "./testing/echo";
import { certificatesOf, now, requestId, signedRequest } from "./testing/tpp";

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

  it("C2: without certificate is refused before anything else is looked at", async () => {
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

  it("X8: that meets a fault of ours learns nothing of it", async () => {
    const broken = {
      ...ports,
      arrivals: { look: () => Promise.reject(new Error("connect ECONNREFUSED 10.0.0.1")) },
    };
    const response = await run(signedRequest(own), broken);
    expect(response.status).toBe(500);
    expect(await response.text()).toBe(
      '{"tppMessages":[{"category":"ERROR","code":"INTERNAL_SERVER_ERROR","text":"the request failed by a fault of ours"}]}',
    );
  });

  it("whose answer does not fit its own form does not leave the house", async () => {
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

  it("told about a header by its name in the standard's spelling", async () => {
    const headers = { "psu-ip-address": "localhost" };
    expect(await refusal(signedRequest(own, { headers }))).toMatchObject({
      status: 400,
      code: "FORMAT_ERROR",
      path: "PSU-IP-Address",
    });
  });
});
