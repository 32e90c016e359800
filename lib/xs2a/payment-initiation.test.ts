import { describe, expect, it } from "vitest";
import { later } from "@/lib/domain/testing/samples";
import {
  type Asked,
  kept,
  otherTpp,
  payingTpp,
  paymentCall,
  paymentHouse,
} from "./testing/start-payment";
import { certificatesOf, now, requestId } from "./testing/tpp";

const tooMuch = { instructedAmount: { currency: "EUR", amount: "15000.01" } };
const codeOf = (text: string) => JSON.parse(text).tppMessages[0];

describe("a payment initiation", () => {
  it("starts a payment of its TPP that waits for its PSU", async () => {
    const { bank, start } = await paymentHouse();
    const headers = {
      "tpp-nok-redirect-uri": "https://tpp.example/nok",
      "psu-id": "ana",
      "tpp-rejection-nofunds-preferred": "true",
    };
    const { status, text } = await start({ headers });
    const { paymentId, transactionStatus } = JSON.parse(text);
    expect([status, transactionStatus]).toEqual([201, "RCVD"]);
    const payment = bank.payments.get(paymentId);
    expect(payment).toMatchObject({
      tppId: "PSDRO-NBR-1234567",
      status: "RCVD",
      instruction: { creditorName: "Merchant GmbH" },
      order: { rejectWithoutFunds: true, amount: { minorUnits: 1_250n } },
    });
    expect(bank.authorisations.get(payment?.authorisationId as string)).toMatchObject({
      kind: "PIS",
      resourceId: paymentId,
      requestId,
      scaStatus: "received",
      loginHint: "ana",
      wayBack: {
        redirectUri: "https://tpp.example/cb",
        nokRedirectUri: "https://tpp.example/nok",
      },
    });
  });

  it("waits for funds unless TPP-Rejection-NoFunds-Preferred is true", async () => {
    const preferred = async (headers: Asked["headers"] = {}) => {
      const { bank, start } = await paymentHouse();
      const { status, text } = await start({ headers });
      const [payment] = bank.payments.values();
      return payment === undefined ? [status, codeOf(text).path] : payment.order.rejectWithoutFunds;
    };
    const header = (value: string) => ({ "tpp-rejection-nofunds-preferred": value });
    expect(await preferred()).toBe(false);
    expect(await preferred(header("false"))).toBe(false);
    expect(await preferred(header("true"))).toBe(true);
    for (const value of ["TRUE", "1", "yes", "true, true"]) {
      expect(await preferred(header(value))).toEqual([400, "TPP-Rejection-NoFunds-Preferred"]);
    }
  });

  it.each([
    ["psu-ip-address", 400, "FORMAT_ERROR", "PSU-IP-Address"],
    ["x-request-id", 400, "FORMAT_ERROR", "X-Request-ID"],
    ["signature", 401, "SIGNATURE_MISSING", "Signature"],
  ])("without %s is refused and leaves nothing", async (name, status, code, path) => {
    const { bank, start, send } = await paymentHouse();
    const refused = await start({ without: [name] });
    expect(refused.status).toBe(status);
    expect(codeOf(refused.text)).toMatchObject({ code, path });
    expect([bank.payments.size, bank.firstAnswers.size]).toEqual([0, 0]);
    expect((await send(paymentCall())).status).toBe(201);
  });

  it("C7: of a TPP without the role PSP_PI is refused", async () => {
    const { bank, start } = await paymentHouse();
    const from = await certificatesOf("PSDRO-NBR-7", ["PSP_AI", "PSP_IC", "PSP_AS"]);
    const { status, text } = await start({ from });
    expect([status, codeOf(text).code]).toEqual([401, "ROLE_INVALID"]);
    expect(bank.firstAnswers.size).toBe(0);
  });

  it("whose body is refused leaves nothing: mended, it is accepted under the same id", async () => {
    const { bank, start } = await paymentHouse();
    const refused = await start({ changed: { creditorName: "" } });
    expect(codeOf(refused.text)).toMatchObject({ code: "FORMAT_ERROR", path: "creditorName" });
    expect(bank.firstAnswers.size).toBe(0);
    expect((await start()).status).toBe(201);
    expect(bank.audited).toEqual([]);
  });

  it("above the bank's limit is 400 PAYMENT_FAILED and starts no payment", async () => {
    const { bank, start } = await paymentHouse();
    const { status, text } = await start({ changed: tooMuch });
    expect(status).toBe(400);
    expect(codeOf(text)).toMatchObject({ code: "PAYMENT_FAILED", path: "instructedAmount.amount" });
    expect([bank.payments.size, bank.authorisations.size]).toEqual([0, 0]);
  });
});

describe("a repeated payment initiation", () => {
  it.each<readonly [string, Asked, Asked]>([
    ["the same", {}, {}],
    ["another amount", {}, { changed: { instructedAmount: { currency: "EUR", amount: "99.00" } } }],
    ["a body that is refused by itself", {}, { changed: { creditorName: "" } }],
    ["no JSON", {}, { body: "{" }],
    ["no body", {}, { body: "" }],
    ["an amount above the limit", {}, { changed: tooMuch }],
    ["what was refused by a rule of the bank", { changed: tooMuch }, { changed: tooMuch }],
    ["an amount below the limit after one above it", { changed: tooMuch }, {}],
    ["another product", {}, { product: "target-2-payments" }],
    ["another spelling of the id", {}, { headers: { "x-request-id": requestId.toUpperCase() } }],
  ])(
    "B9: with %s gets the first answer, byte for byte, and starts nothing",
    async (_, first, second) => {
      const { bank, start } = await paymentHouse();
      const answer = await start(first);
      const payments = bank.payments.size;
      const again = await start(second);
      expect(kept(again)).toEqual(kept(answer));
      expect([bank.payments.size, bank.firstAnswers.size]).toEqual([payments, 1]);
    },
  );

  it("B9: with another body is an audit event, with the same body none", async () => {
    const { bank, start } = await paymentHouse();
    await start();
    await start();
    expect(bank.audited).toEqual([]);
    await start({ changed: { creditorName: "Somebody else" } });
    expect(bank.audited).toEqual([
      { kind: "idempotency-mismatch", tppId: "PSDRO-NBR-1234567", requestId, at: now },
    ]);
  });

  it("B9: of a problem document is that document again, whatever is accepted now", async () => {
    const { start } = await paymentHouse();
    const asked = { changed: tooMuch, headers: { accept: "application/problem+json, */*" } };
    const answer = await start(asked);
    expect(answer.status).toBe(400);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(kept(await start({ changed: tooMuch }))).toEqual(kept(answer));
  });

  it("B9: has the ids of its own exchange", async () => {
    const { start } = await paymentHouse();
    const interaction = "7d0f4bd2-1c9b-4d55-8a3c-0fb8a4f1f6aa";
    await start();
    const again = await start({ headers: { "x-fapi-interaction-id": interaction } });
    expect(again.headers.get("x-request-id")).toBe(requestId);
    expect(again.headers.get("x-fapi-interaction-id")).toBe(interaction);
    expect(again.headers.get("cache-control")).toBe("no-store");
  });

  it("O1: of another TPP is a payment of its own, and shows nothing of the first", async () => {
    const { bank, start } = await paymentHouse();
    const own = JSON.parse((await start()).text);
    const other = JSON.parse((await start({ from: otherTpp })).text);
    expect(other.paymentId).not.toBe(own.paymentId);
    expect(JSON.stringify(other)).not.toContain(own.paymentId);
    expect([...bank.payments.values()].map(({ tppId }) => tppId).sort()).toEqual([
      "PSDRO-NBR-1234567",
      "PSDRO-NBR-7654321",
    ]);
    expect(bank.audited).toEqual([]);
  });

  it("S9: replayed as it was gets the first answer within five minutes of its Date, and nothing after", async () => {
    const { bank, send } = await paymentHouse();
    const request = paymentCall({ from: payingTpp });
    const first = await send(request, now);
    for (const minutes of [0, 4]) {
      expect(kept(await send(request, later(minutes)))).toEqual(kept(first));
    }
    const late = await send(request, later(6));
    expect([late.status, codeOf(late.text).code]).toEqual([400, "TIMESTAMP_INVALID"]);
    expect(bank.payments.size).toBe(1);
  });

  it("is answered by nothing but its own checks first: a forged repeat hears nothing", async () => {
    const { bank, send, start } = await paymentHouse();
    await start();
    const sound = paymentCall();
    const forged = new Request(sound.url, {
      method: "POST",
      headers: sound.headers,
      body: "{}",
    });
    const { status, text } = await send(forged);
    expect([status, codeOf(text).code]).toEqual([401, "SIGNATURE_INVALID"]);
    expect(bank.audited).toEqual([]);
  });
});
