import { beforeAll, describe, expect, it } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { Rejection } from "@/lib/domain/rejection";
import type { TrustAnchors } from "@/lib/eidas/trust";
import { run } from "./testing/echo";
import { type Sealing, sealedRequest } from "./testing/sealing";
import { makeSealingTpp, type SealingTpp } from "./testing/sealing-tpp";
import { corpus } from "./testing/signature-corpus";
import { now, portsOf } from "./testing/tpp";
import { verifySignature } from "./verify-signature";

const signatures = Object.values(corpus).flat();
let tpp: SealingTpp;
beforeAll(async () => {
  tpp = await makeSealingTpp();
});

/** The first fault with its status, undefined when the signature is believed; a crash is one. */
async function told(sealing: Sealing, trustAnchors: TrustAnchors = tpp.anchors) {
  const request = sealedRequest(tpp, sealing);
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
    expect(await told(sealing)).toEqual(verdict === "accepted" ? undefined : verdict);
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

describe("C4: to whom it does not trust the bank says the same, whatever else is wrong", () => {
  const untrusted = "certificate is not issued by a trusted issuer";

  it("about the client certificate", async () => {
    const house = { ...(await portsOf()), trustAnchors: [] };
    const answers = new Set<string>();
    for (const { sealing } of signatures) {
      const response = await run(sealedRequest(tpp, sealing), house);
      answers.add(`${response.status} ${await response.text()}`);
    }
    const message = { category: "ERROR", code: "CERTIFICATE_INVALID", text: untrusted };
    expect([...answers]).toEqual([`401 ${JSON.stringify({ tppMessages: [message] })}`]);
  });

  const legible = signatures.filter(
    ({ verdict }) =>
      verdict === "accepted" || !/every request|no signature cert|not base64 of/.test(verdict.text),
  );
  it.each(legible)("about the seal: $name", async ({ sealing }) => {
    const path = "TPP-Signature-Certificate";
    const fault = { status: 401, code: "CERTIFICATE_INVALID", text: untrusted, path };
    expect(await told(sealing, [])).toEqual(fault);
  });
});
