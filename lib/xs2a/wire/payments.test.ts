import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import type { PaymentProduct } from "@/lib/domain/bank-profile";
import type { Rejection } from "@/lib/domain/errors";
import {
  type Payment,
  type PaymentRejection,
  type TransactionStatus,
  transactionTransitions,
} from "@/lib/domain/payment-order";
import { later } from "@/lib/domain/testing/samples";
import { parse } from "../parse";
import {
  type Asked,
  CREDITOR,
  DEBTOR,
  kept,
  otherTpp,
  PRODUCTS,
  payingTpp,
  paymentBank,
  paymentBody,
  paymentCall,
  paymentOf,
  replyPorts,
  schemaContext,
  sentBody,
  sepa,
} from "../testing/requests";
import { certificatesOf, links, now, requestId } from "../testing/tpp";
import {
  paymentAuthorisationPath,
  paymentInitiated,
  paymentPath,
  paymentRead,
  paymentStatusRead,
  unknownProduct,
} from "./payments";

describe("the path of a payment", () => {
  const id = "99391C7E-ad88-49ec-a2ad-99ddcb1f7721";
  const at = (paymentService: string, paymentProduct: string, more = {}) => ({
    paymentService,
    paymentProduct,
    paymentId: id,
    ...more,
  });
  const refusal = (segments: Readonly<Record<string, unknown>>) => {
    try {
      parse("path", paymentPath, segments, schemaContext);
    } catch (error) {
      const { status, faults } = error as Rejection;
      return { status, code: faults[0].code };
    }
    return undefined;
  };

  const unknown = [
    ["bulk-payments", "sepa-credit-transfers"],
    ["periodic-payments", "sepa-credit-transfers"],
    ["Payments", "sepa-credit-transfers"],
    ["payments", "pain.001-sepa-credit-transfers"],
    ["payments", "pain.001-instant-sepa-credit-transfers"],
    ["payments", "pain.001-target-2-payments"],
    ["payments", "pain.001-cross-border-credit-transfers"],
    ["payments", "SEPA-credit-transfers"],
    ["payments", "domestic"],
    ["payments", "constructor"],
    ["payments", "__proto__"],
    ["payments", ""],
  ] as const;

  it.each(PRODUCTS)("payments/%s is offered", (product) => {
    expect(unknownProduct(at("payments", product), replyPorts)).toBeUndefined();
    expect(parse("path", paymentPath, at("payments", product), schemaContext)).toEqual({
      product,
      paymentId: id.toLowerCase(),
    });
  });

  it.each(unknown)("%s/%s is not: 404 PRODUCT_UNKNOWN", (service, product) => {
    const wanted = { status: 404, code: "PRODUCT_UNKNOWN" };
    const rejection = unknownProduct(at(service, product), replyPorts);
    expect(rejection).toMatchObject({ status: 404, faults: [{ code: "PRODUCT_UNKNOWN" }] });
    expect(refusal(at(service, product))).toEqual(wanted);
    expect(refusal(at(service, product, { paymentId: "x" }))).toEqual(wanted);
  });

  it("of a product that is not offered any more leads to its payments, and to nothing new", () => {
    const products = { ...replyPorts.profile.payments.products };
    products["target-2-payments"] = { ...products["target-2-payments"], offered: false };
    const payments = { ...replyPorts.profile.payments, products };
    const ports = { profile: { ...replyPorts.profile, payments } };
    const { paymentId: _, ...start } = at("payments", "target-2-payments");
    expect(unknownProduct(start, ports)).toMatchObject({ faults: [{ code: "PRODUCT_UNKNOWN" }] });
    expect(unknownProduct(at("payments", "target-2-payments"), ports)).toBeUndefined();
    // Whose X-Request-ID was answered before is told the same again.
    expect(unknownProduct(start, ports, "POST")).toBeUndefined();
    expect(unknownProduct({ ...start, unknown: ["x"] }, ports, "POST")).toBeDefined();
  });

  it("of an authorisation has its id too", () => {
    const segments = at("payments", "target-2-payments", { authorisationId: "A" });
    expect(parse("path", paymentAuthorisationPath, segments, schemaContext)).toEqual({
      product: "target-2-payments",
      paymentId: id.toLowerCase(),
      authorisationId: "a",
    });
  });
});

describe("the answer to a new payment", () => {
  it("has its status, its id, the four links and the headers of the redirect approach", () => {
    const payment = paymentOf();
    const self = `${links.pisp}/payments/sepa-credit-transfers/${payment.id}`;
    const answer = paymentInitiated(payment, replyPorts);
    expect(answer).toMatchObject({
      status: 201,
      headers: { location: self, "aspsp-sca-approach": "REDIRECT" },
    });
    expect(answer.headers).not.toHaveProperty("aspsp-notification-support");
    expect(sentBody(answer)).toEqual({
      transactionStatus: "RCVD",
      paymentId: payment.id,
      transactionFeeIndicator: false,
      _links: {
        scaOAuth: { href: links.scaOAuth },
        self: { href: self },
        status: { href: `${self}/status` },
        scaStatus: { href: `${self}/authorisations/${payment.authorisationId}` },
      },
    });
  });

  it.each<readonly [PaymentProduct, object, string | undefined]>([
    ["sepa-credit-transfers", {}, undefined],
    ["instant-sepa-credit-transfers", {}, undefined],
    ["target-2-payments", {}, "6.00"],
    ["target-2-payments", { chargeBearer: "DEBT" }, "6.00"],
    ["target-2-payments", { chargeBearer: "CRED" }, undefined],
    ["cross-border-credit-transfers", {}, "10.00"],
  ])("has the fee the payer bears: %s %j", (product, changed, fee) => {
    const sent = sentBody(paymentInitiated(paymentOf({}, { product, changed }), replyPorts));
    const fees =
      fee === undefined
        ? { transactionFeeIndicator: false }
        : {
            transactionFeeIndicator: true,
            transactionFees: { currency: "EUR", amount: fee },
          };
    expect(sent).toMatchObject(fees);
    expect("transactionFees" in sent).toBe(fee !== undefined);
  });
});

describe("the payment", () => {
  it("has the instruction as it was sent and where it stands, no id and no link", () => {
    const changed = {
      instructedAmount: { amount: "0012.5", currency: "EUR" },
      creditorAddress: { country: "DE" },
      remittanceInformationUnstructured: "  Order 4711 ",
    };
    const instruction = paymentBody(sepa, changed);
    const sent = sentBody(paymentRead(paymentOf({ status: "ACSP" }, { changed })));
    expect(sent).toEqual({ ...instruction, transactionStatus: "ACSP" });
  });

  it("names accounts by IBANs in capitals, the only form of the standard", () => {
    const debtorAccount = { iban: DEBTOR.toLowerCase(), currency: "EUR" };
    const sent = sentBody(paymentRead(paymentOf({}, { changed: { debtorAccount } })));
    expect(sent).toMatchObject({ debtorAccount: { iban: DEBTOR, currency: "EUR" } });
  });
});

describe("the status of a payment", () => {
  type Sent = { readonly psuMessage?: string; readonly tppMessages?: unknown };
  const read = (given: Partial<Payment>) => sentBody<Sent>(paymentStatusRead(paymentOf(given)));
  const noFunds = [
    {
      category: "WARNING",
      code: "FUNDS_NOT_AVAILABLE",
      text: "there are not sufficient funds for this payment",
    },
  ];
  const statuses = Object.keys(transactionTransitions) as TransactionStatus[];
  const reasons: readonly PaymentRejection[] = [
    "cancelled",
    "too-many-tries",
    "psu-blocked",
    "window-over",
    "withdrawn-by-tpp",
    "not-own-account",
    "account-gone",
    "last-day-over",
    "tpp-blocked",
    "opted-out",
    "customer-blocked",
    "account-blocked",
    "psu-limit",
    "day-limit",
    "no-funds",
    "creditor-account-closed",
  ];

  it.each(statuses)("%s alone, before funds are checked", (status) => {
    const expected = { transactionStatus: status };
    expect(read({ status })).toEqual(
      status === "PDNG" ? { ...expected, tppMessages: noFunds } : expected,
    );
  });

  it.each(statuses)(
    "%s has fundsAvailable after the check and before the execution only",
    (status) => {
      const told = status === "ACTC" || status === "ACCP";
      expect("fundsAvailable" in read({ status, fundsAvailable: true })).toBe(told);
      expect(read({ status, fundsAvailable: false })).toEqual({
        transactionStatus: status,
        ...(told && { fundsAvailable: false }),
        ...((told || status === "PDNG") && { tppMessages: noFunds }),
      });
    },
  );

  it("RJCT for want of funds says so to the TPP, RJCT for another reason does not", () => {
    for (const reason of reasons) {
      const { tppMessages } = read({ status: "RJCT", reason });
      expect([reason, tppMessages]).toEqual([reason, reason === "no-funds" ? noFunds : undefined]);
    }
  });

  it("RJCT has a sentence for the PSU, with no account, name, or figure in it", () => {
    for (const reason of reasons) {
      const { psuMessage } = read({ status: "RJCT", reason });
      expect(psuMessage).toMatch(/^[A-Z][^0-9]{10,498}\.$/);
      for (const personal of [DEBTOR, CREDITOR, "Merchant GmbH", "EUR", reason]) {
        expect(psuMessage).not.toContain(personal);
      }
    }
  });

  it("never names an owner", () => {
    const sent = read({ status: "ACSC" });
    expect(Object.keys(sent)).toEqual(["transactionStatus"]);
  });
});

describe("payment initiation", () => {
  const tooMuch = { instructedAmount: { currency: "EUR", amount: "15000.01" } };
  const codeOf = (text: string) => JSON.parse(text).tppMessages[0];

  describe("a payment initiation", () => {
    it("starts a payment of its TPP that waits for its PSU", async () => {
      const { bank, start } = await paymentBank();
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
        redirectUris: {
          redirectUri: "https://tpp.example/cb",
          nokRedirectUri: "https://tpp.example/nok",
        },
      });
    });

    it("waits for funds unless TPP-Rejection-NoFunds-Preferred is true", async () => {
      const preferred = async (headers: Asked["headers"] = {}) => {
        const { bank, start } = await paymentBank();
        const { status, text } = await start({ headers });
        const [payment] = bank.payments.values();
        return payment === undefined
          ? [status, codeOf(text).path]
          : payment.order.rejectWithoutFunds;
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
      const { bank, start, send } = await paymentBank();
      const refused = await start({ without: [name] });
      expect(refused.status).toBe(status);
      expect(codeOf(refused.text)).toMatchObject({ code, path });
      expect([bank.payments.size, bank.firstAnswers.size]).toEqual([0, 0]);
      expect((await send(paymentCall())).status).toBe(201);
    });

    it("C7: of a TPP without the role PSP_PI is refused", async () => {
      const { bank, start } = await paymentBank();
      const from = await certificatesOf("PSDRO-NBR-7", ["PSP_AI", "PSP_IC", "PSP_AS"]);
      const { status, text } = await start({ from });
      expect([status, codeOf(text).code]).toEqual([401, "ROLE_INVALID"]);
      expect(bank.firstAnswers.size).toBe(0);
    });

    it("whose body is refused leaves nothing: corrected, it is accepted under the same id", async () => {
      const { bank, start } = await paymentBank();
      const refused = await start({ changed: { creditorName: "" } });
      expect(codeOf(refused.text)).toMatchObject({ code: "FORMAT_ERROR", path: "creditorName" });
      expect(bank.firstAnswers.size).toBe(0);
      expect((await start()).status).toBe(201);
      expect(bank.events).toEqual([]);
    });

    it("B9: of a product that was withdrawn since gets the first answer, and a new one 404", async () => {
      const { ports, start, send } = await paymentBank();
      const [product, headers] = ["target-2-payments", { "x-request-id": randomUUID() }] as const;
      const first = await start({ product, headers });
      expect(first.status).toBe(201);
      const { products } = ports.profile.payments;
      Object.assign(products[product], { offered: false });
      onTestFinished(() => void Object.assign(products[product], { offered: true }));
      expect(kept(await start({ product, headers }))).toEqual(kept(first));
      const another = await send(paymentCall({ product }), undefined, product);
      expect([another.status, codeOf(another.text).code]).toEqual([404, "PRODUCT_UNKNOWN"]);
    });

    it("above the bank's limit is 400 PAYMENT_FAILED and starts no payment", async () => {
      const { bank, start } = await paymentBank();
      const { status, text } = await start({ changed: tooMuch });
      expect(status).toBe(400);
      expect(codeOf(text)).toMatchObject({
        code: "PAYMENT_FAILED",
        path: "instructedAmount.amount",
      });
      expect([bank.payments.size, bank.authorisations.size]).toEqual([0, 0]);
    });
  });

  describe("a repeated payment initiation", () => {
    it.each<readonly [string, Asked, Asked]>([
      ["the same", {}, {}],
      [
        "another amount",
        {},
        { changed: { instructedAmount: { currency: "EUR", amount: "99.00" } } },
      ],
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
        const { bank, start } = await paymentBank();
        const answer = await start(first);
        const payments = bank.payments.size;
        const again = await start(second);
        expect(kept(again)).toEqual(kept(answer));
        expect([bank.payments.size, bank.firstAnswers.size]).toEqual([payments, 1]);
      },
    );

    it("B9: with another body is an event, with the same body none", async () => {
      const { bank, start } = await paymentBank();
      await start();
      await start();
      expect(bank.events).toEqual([]);
      await start({ changed: { creditorName: "Somebody else" } });
      expect(bank.events).toEqual([
        { kind: "idempotency-mismatch", tppId: "PSDRO-NBR-1234567", requestId },
      ]);
    });

    it("B9: of a problem document is that document again, whatever is accepted now", async () => {
      const { start } = await paymentBank();
      const asked = { changed: tooMuch, headers: { accept: "application/problem+json, */*" } };
      const answer = await start(asked);
      expect(answer.status).toBe(400);
      expect(answer.headers.get("content-type")).toBe("application/problem+json");
      expect(kept(await start({ changed: tooMuch }))).toEqual(kept(answer));
    });

    it("B9: has the ids of its own exchange", async () => {
      const { start } = await paymentBank();
      const interaction = "7d0f4bd2-1c9b-4d55-8a3c-0fb8a4f1f6aa";
      await start();
      const again = await start({ headers: { "x-fapi-interaction-id": interaction } });
      expect(again.headers.get("x-request-id")).toBe(requestId);
      expect(again.headers.get("x-fapi-interaction-id")).toBe(interaction);
      expect(again.headers.get("cache-control")).toBe("no-store");
    });

    it("O1: from another TPP starts a new payment, and shows nothing of the first", async () => {
      const { bank, start } = await paymentBank();
      const own = JSON.parse((await start()).text);
      const other = JSON.parse((await start({ from: otherTpp })).text);
      expect(other.paymentId).not.toBe(own.paymentId);
      expect(JSON.stringify(other)).not.toContain(own.paymentId);
      expect([...bank.payments.values()].map(({ tppId }) => tppId).sort()).toEqual([
        "PSDRO-NBR-1234567",
        "PSDRO-NBR-7654321",
      ]);
      expect(bank.events).toEqual([]);
    });

    it("S9: replayed as it was gets the first answer within five minutes of its Date, and nothing after", async () => {
      const { bank, send } = await paymentBank();
      const request = paymentCall({ from: payingTpp });
      const first = await send(request, now);
      for (const minutes of [0, 4]) {
        expect(kept(await send(request, later(minutes)))).toEqual(kept(first));
      }
      const late = await send(request, later(6));
      expect([late.status, codeOf(late.text).code]).toEqual([400, "TIMESTAMP_INVALID"]);
      expect(bank.payments.size).toBe(1);
    });

    it.each<readonly [string, Asked]>([
      ["certificate", { without: ["client-cert"] }],
      ["signature", { without: ["signature"] }],
      ["X-Request-ID", { without: ["x-request-id"] }],
      ["media type", { headers: { "content-type": "text/plain" } }],
      ["header", { headers: { "psu-ip-address": "x" } }],
    ])("does not get the first answer with an invalid %s", async (_, asked) => {
      const { bank, start } = await paymentBank();
      const first = await start();
      const refused = await start(asked);
      expect([400, 401, 415]).toContain(refused.status);
      expect(refused.text).not.toBe(first.text);
      expect([bank.payments.size, bank.events]).toEqual([1, []]);
    });

    it("is checked before the stored answer is sent: a forged repeat is refused", async () => {
      const { bank, send, start } = await paymentBank();
      await start();
      const sound = paymentCall();
      const forged = new Request(sound.url, {
        method: "POST",
        headers: sound.headers,
        body: "{}",
      });
      const { status, text } = await send(forged);
      expect([status, codeOf(text).code]).toEqual([401, "SIGNATURE_INVALID"]);
      expect(bank.events).toEqual([]);
    });
  });
});
