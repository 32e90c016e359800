import { X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { reject } from "@/lib/domain/rejection";
import type { Psd2Role } from "@/lib/domain/tpp/tpp";
import { thumbprintOf } from "@/lib/eidas/certificate";
import { type RevocationMode, revocation } from "@/lib/eidas/revocation/revocation";
import { answering } from "./answers";
import { endpoint } from "./endpoint";
import { runRefusal } from "./pipeline";
import type { Xs2aPorts } from "./ports";
import { own, ports, refusal, run } from "./testing/echo";
import { certificatesOf, signedRequest } from "./testing/tpp";
import { noToken } from "./token";
import { noPath, noQuery } from "./wire/path";

const revoked = { status: 401, code: "CERTIFICATE_REVOKED", entries: 1 };
const thumbprint = (pem: string) => thumbprintOf(new X509Certificate(pem).raw);

/** A bank whose issuers have revoked these certificates, and what it has asked them. */
function bank(...revokedPems: readonly string[]) {
  const asked: { readonly thumbprint: string; readonly hard: boolean }[] = [];
  const bad = revokedPems.map(thumbprint);
  const house: Xs2aPorts = {
    ...ports,
    revocation: {
      check: async ({ certificate }, { hard }) => {
        asked.push({ thumbprint: certificate.thumbprint, hard });
        return bad.includes(certificate.thumbprint) ? "revoked" : "counts";
      },
    },
  };
  return { house, asked };
}

/** An endpoint of this role that says yes to whoever gets so far. */
const yes = (role: Psd2Role) =>
  endpoint({
    operationId: "yes",
    summary: "Says yes.",
    role,
    token: noToken,
    headers: z.object({}),
    path: noPath,
    query: noQuery,
    body: z.undefined(),
    refuses: {},
    handle: async () => "yes",
    reply: answering({ status: 200, description: "Yes.", body: z.string() }, (value: string) => ({
      value,
    })),
  });

describe("C5: a revoked QWAC", () => {
  it("is told before its role, the signature or anything else is looked at", async () => {
    const { house } = bank(own.qwacPem);
    expect(await refusal(signedRequest(own), house)).toMatchObject(revoked);
    const without = ["signature", "digest", "date", "x-request-id", "tpp-signature-certificate"];
    expect(await refusal(signedRequest(own, { without }), house)).toMatchObject(revoked);
    const other = await certificatesOf("PSDRO-NBR-9", ["PSP_IC"]);
    const answer = await refusal(signedRequest(other), bank(other.qwacPem).house);
    expect(answer).toMatchObject(revoked);
    expect(answer).not.toHaveProperty("path");
  });

  it("learns not even that a path is not offered", async () => {
    const { house } = bank(own.qwacPem);
    const unknown = reject("RESOURCE_UNKNOWN", "nothing");
    expect((await runRefusal(unknown, signedRequest(own), house)).status).toBe(401);
    expect((await runRefusal(unknown, signedRequest(own), bank().house)).status).toBe(404);
  });
});

describe("C5: a revoked seal", () => {
  it("is told with its header's name", async () => {
    const { house } = bank(own.qsealPem);
    const path = "TPP-Signature-Certificate";
    expect(await refusal(signedRequest(own), house)).toMatchObject({ ...revoked, path });
  });

  it("X6: is asked about only when the signature was made with it", async () => {
    const { house, asked } = bank(own.qsealPem);
    const forged = { digest: `SHA-256=${"A".repeat(43)}=` };
    const answer = await refusal(signedRequest(own, { forged }), house);
    expect(answer).toMatchObject({ code: "SIGNATURE_INVALID" });
    expect(asked).toEqual([{ thumbprint: thumbprint(own.qwacPem), hard: false }]);
  });
});

it("X6: nobody is asked about a stranger's certificate", async () => {
  const { house, asked } = bank();
  const answer = await refusal(signedRequest(own), { ...house, trustAnchors: [] });
  expect(answer).toMatchObject({ code: "CERTIFICATE_INVALID" });
  expect(asked).toEqual([]);
});

it("X8: what goes wrong while asking is a fault of ours, and ends the request", async () => {
  const check = () => Promise.reject(new Error("EMFILE /etc/issuers"));
  const answer = await refusal(signedRequest(own), { ...ports, revocation: { check } });
  expect(answer).toMatchObject({ status: 500, code: "INTERNAL_SERVER_ERROR" });
});

describe("C5: when nobody can tell", () => {
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
      const { house, asked } = bank();
      await yes(role)(signedRequest(tpp), {}, house);
      const both = [tpp.qwacPem, tpp.qsealPem].map(thumbprint);
      expect(asked).toEqual(both.map((one) => ({ thumbprint: one, hard })));
    }
    expect((await run(signedRequest(own), bank().house)).status).toBe(200);
  });
});
