import { describe, expect, it } from "vitest";
import type { TppId } from "../identifiers";
import { asked, order, paymentHouse } from "../testing/payments";
import { later, newRequestId, now, tpp } from "../testing/samples";
import type { Tpp } from "../tpp/tpp";
import { initiatePayment } from "./initiate-payment";
import { money } from "./product-terms";

const tooMuch = { ...order, amount: money("EUR", 1_500_001n) };

describe("the initiation of a payment", () => {
  it("keeps the order, the instruction word for word and the authorisation that begins with it", async () => {
    const { bank, start } = paymentHouse();
    const requestId = newRequestId();
    const wayBack = {
      redirectUri: "https://tpp.example/cb",
      nokRedirectUri: "https://tpp.example",
    };
    const answer = await start({ requestId, wayBack, loginHint: "ana" });
    const [payment] = bank.payments.values();
    const [authorisation] = bank.authorisations.values();
    expect(answer).toEqual({ status: 201, headers: { location: payment?.id }, body: "RCVD" });
    expect(payment).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      authorisationId: authorisation?.id,
      tppId: tpp.id,
      order,
      instruction: { as: "sent" },
      createdAt: now,
      status: "RCVD",
      statusAt: now,
    });
    expect(authorisation).toMatchObject({
      kind: "PIS",
      resourceId: payment?.id,
      tppId: tpp.id,
      requestId,
      scaStatus: "received",
      wayBack,
      loginHint: "ana",
      expiresAt: later(15),
    });
  });

  it("makes the TPP known, also when it is refused", async () => {
    for (const given of [{}, { order: tooMuch }]) {
      const { ports } = paymentHouse();
      const known: string[] = [];
      const remember = async ({ id }: Tpp) => {
        known.push(id);
      };
      const tppRegister = { ...ports.tppRegister, remember };
      await initiatePayment({ ...ports, tppRegister }, asked(given));
      expect(known).toEqual([tpp.id]);
    }
  });

  it("above the bank's limit is refused, and the refusal is the answer for good", async () => {
    const { bank, start } = paymentHouse();
    const requestId = newRequestId();
    const refusal = { status: 400, headers: {}, body: "PAYMENT_FAILED" };
    expect(await start({ requestId, order: tooMuch })).toEqual(refusal);
    expect(await start({ requestId })).toEqual(refusal);
    expect([bank.payments.size, bank.authorisations.size]).toEqual([0, 0]);
  });
});

describe("the same X-Request-ID again", () => {
  it("B9: starts no further payment and gets the first answer, whatever is asked", async () => {
    const { bank, start } = paymentHouse();
    const requestId = newRequestId();
    const first = await start({ requestId });
    const other = { ...order, amount: money("EUR", 9_900n) };
    for (const given of [{}, { order: other, bodyDigest: "another" }, { order: tooMuch }]) {
      expect(await start({ requestId, ...given })).toEqual(first);
    }
    expect([bank.payments.size, bank.authorisations.size]).toEqual([1, 1]);
  });

  it("B9: is an audit event when the body differs, of the time of the repeat", async () => {
    const { bank, start } = paymentHouse();
    const requestId = newRequestId();
    await start({ requestId });
    await start({ requestId, now: later(1) });
    expect(bank.audited).toEqual([]);
    await start({ requestId, bodyDigest: "another", now: later(2) });
    expect(bank.audited).toEqual([
      { kind: "idempotency-mismatch", tppId: tpp.id, requestId, at: later(2) },
    ]);
  });

  it("O1: of another TPP is another request", async () => {
    const { bank, start } = paymentHouse();
    const requestId = newRequestId();
    const first = await start({ requestId });
    const other = { ...tpp, id: "PSDDE-BAFIN-1" as TppId };
    expect(await start({ requestId, tpp: other, bodyDigest: "another" })).not.toEqual(first);
    expect(bank.payments.size).toBe(2);
    expect(bank.audited).toEqual([]);
  });
});
