import { X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { TppId } from "@/lib/domain/identifiers";
import { reject } from "@/lib/domain/rejection";
import { arrivalsBy } from "@/lib/domain/testing/in-memory-arrivals";
import { thumbprintOf } from "@/lib/eidas/certificate";
import { runRefusal } from "./pipeline";
import type { Xs2aPorts } from "./ports";
import { own, ports, refusal, run } from "./testing/echo";
import { certificatesOf, now, signedRequest } from "./testing/tpp";

const blocked = {
  status: 401,
  code: "CERTIFICATE_BLOCKED",
  text: "PSDRO-NBR-1234567 is blocked by the bank",
  entries: 1,
};

function withList(find: Xs2aPorts["stopList"]["find"]): Xs2aPorts {
  const stopList = { ...ports.stopList, find };
  return { ...ports, stopList, arrivals: arrivalsBy({ ...ports, stopList }) };
}

/** A bank that has blocked these TPPs, and whom it has looked up. */
function bank(...tppIds: readonly string[]) {
  const asked: string[] = [];
  const find = async (tppId: TppId) => {
    asked.push(tppId);
    return tppIds.includes(tppId)
      ? { tppId, blockedAt: now, reason: "suspected of fraud" }
      : undefined;
  };
  return { house: withList(find), asked };
}

describe("C6: a TPP that the bank has blocked", () => {
  it("is told before its role, the signature or anything else is looked at, and not why", async () => {
    const { house } = bank("PSDRO-NBR-1234567");
    expect(await refusal(signedRequest(own), house)).toMatchObject(blocked);
    const without = ["signature", "digest", "date", "x-request-id", "tpp-signature-certificate"];
    const answer = await refusal(signedRequest(own, { without }), house);
    expect(answer).toMatchObject(blocked);
    expect(JSON.stringify(answer)).not.toContain("fraud");
    const noRole = await certificatesOf(undefined, ["PSP_IC"]);
    expect(await refusal(signedRequest(noRole), house)).toMatchObject(blocked);
  });

  it("learns not even that a path is not offered", async () => {
    const unknown = reject("RESOURCE_UNKNOWN", "nothing");
    const refused = await runRefusal(unknown, signedRequest(own), bank("PSDRO-NBR-1234567").house);
    expect(refused.status).toBe(401);
    expect(refused.body).toContain("CERTIFICATE_BLOCKED");
    expect((await runRefusal(unknown, signedRequest(own), bank().house)).status).toBe(404);
  });

  it("is blocked with every certificate it has, and alone", async () => {
    const { house } = bank("PSDRO-NBR-1234567");
    const renewed = await certificatesOf();
    expect(await refusal(signedRequest(renewed), house)).toMatchObject(blocked);
    const other = await certificatesOf("PSDRO-NBR-12345678");
    expect((await run(signedRequest(other), house)).status).toBe(200);
  });

  it("is let in at the first call after the block is lifted: nothing is remembered", async () => {
    const { house, asked } = bank();
    for (let time = 0; time < 2; time += 1) {
      expect((await run(signedRequest(own), house)).status).toBe(200);
    }
    expect(asked).toEqual(["PSDRO-NBR-1234567", "PSDRO-NBR-1234567"]);
  });
});

describe("C6: whom the list does not concern", () => {
  it("a stranger is not looked up", async () => {
    const { house, asked } = bank("PSDRO-NBR-1234567");
    const answer = await refusal(signedRequest(own), { ...house, trustAnchors: [] });
    expect(answer).toMatchObject({ code: "CERTIFICATE_INVALID" });
    expect(asked).toEqual([]);
  });

  it("a revoked certificate is told so, and not that its TPP is blocked too", async () => {
    const { house } = bank("PSDRO-NBR-1234567");
    const revoked = thumbprintOf(new X509Certificate(own.qwacPem).raw);
    const revocation: Xs2aPorts["revocation"] = {
      check: async ({ certificate }) => (certificate.thumbprint === revoked ? "revoked" : "counts"),
    };
    const answer = await refusal(signedRequest(own), { ...house, revocation });
    expect(answer).toMatchObject({ code: "CERTIFICATE_REVOKED", entries: 1 });
  });
});

it("C6: a list that cannot be read ends the request: nobody is let in unseen", async () => {
  const find = () => Promise.reject(new Error("ECONNREFUSED"));
  const answer = await refusal(signedRequest(own), withList(find));
  expect(answer).toMatchObject({ status: 500, code: "INTERNAL_SERVER_ERROR" });
});
