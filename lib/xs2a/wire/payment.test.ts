import { describe, expect, it } from "vitest";
import type { PaymentProduct } from "@/lib/domain/payment/payment-product";
import { sentBody } from "../testing/answer";
import { DEBTOR, paymentBody, sepa } from "../testing/payment-request";
import { house, links, paymentOf } from "../testing/payments";
import { paymentInitiated, paymentRead } from "./payment";

describe("the answer to a new payment", () => {
  it("has its status, its id, the four links and the headers of the redirect approach", () => {
    const payment = paymentOf();
    const self = `${links.pisp}/payments/sepa-credit-transfers/${payment.id}`;
    const answer = paymentInitiated(payment, house);
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
  ])("tells the fee the payer bears: %s %j", (product, changed, fee) => {
    const sent = sentBody(paymentInitiated(paymentOf({}, { product, changed }), house));
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

  it("names accounts by IBANs in capitals, which the standard knows alone", () => {
    const debtorAccount = { iban: DEBTOR.toLowerCase(), currency: "EUR" };
    const sent = sentBody(paymentRead(paymentOf({}, { changed: { debtorAccount } })));
    expect(sent).toMatchObject({ debtorAccount: { iban: DEBTOR, currency: "EUR" } });
  });
});
