import { describe, expect, it } from "vitest";
import { inMemoryBank } from "../testing/in-memory-bank";
import { newRequestId, now, tpp } from "../testing/samples";
import { answerAgain } from "./answer-again";

const answer = { status: 201, headers: { location: "/1" }, body: "{}" };
const first = { answer, bodyDigest: "digest" };
const key = { tppId: tpp.id, requestId: newRequestId() };

describe("a request that was answered", () => {
  it("B9: gets that answer, and its bytes are the same: nothing to see", async () => {
    const { bank, ports } = inMemoryBank();
    expect(await answerAgain(ports, { first, key, bodyDigest: "digest", now })).toEqual(answer);
    expect(bank.audited).toEqual([]);
  });

  it("B9: gets that answer with another body too, and the bank keeps that it was asked", async () => {
    const { bank, ports } = inMemoryBank();
    for (const bodyDigest of ["another", "", "DIGEST"]) {
      expect(await answerAgain(ports, { first, key, bodyDigest, now })).toEqual(answer);
    }
    const event = { kind: "idempotency-mismatch", ...key, at: now };
    expect(bank.audited).toEqual([event, event, event]);
  });

  it("is not answered when what the bank has to keep cannot be kept", async () => {
    const broken = { auditLog: { record: () => Promise.reject(new Error("full")) } };
    const call = answerAgain(broken, { first, key, bodyDigest: "another", now });
    await expect(call).rejects.toThrow("full");
  });
});
