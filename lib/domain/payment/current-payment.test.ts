import { describe, expect, it } from "vitest";
import { paymentHouse } from "../testing/payments";
import { later } from "../testing/samples";
import { currentPayment } from "./current-payment";
import type { Payment } from "./payment";

describe("a payment that nobody has authorised", () => {
  it("is RCVD until the end of its window, then RJCT, whether or not a job has passed by", async () => {
    const { bank, ports, started } = paymentHouse();
    const payment = await started();
    expect(await currentPayment(ports, payment, later(14.99))).toEqual(payment);
    const settled = await currentPayment(ports, payment, later(15));
    expect(settled).toMatchObject({ status: "RJCT", reason: "window-over", statusAt: later(15) });
    expect(bank.payments.get(payment.id)).toEqual(settled);
    expect(bank.authorisations.get(payment.authorisationId)?.scaStatus).toBe("failed");
    expect(await currentPayment(ports, payment, later(20))).toEqual(settled);
  });
});

describe("a payment that was authorised", () => {
  it("stays what it is when the window of its authorisation is over", async () => {
    const { bank, ports, started } = paymentHouse();
    const payment: Payment = { ...(await started()), status: "PDNG" };
    bank.payments.set(payment.id, payment);
    expect(await currentPayment(ports, payment, later(60))).toEqual(payment);
    expect(bank.authorisations.get(payment.authorisationId)?.scaStatus).toBe("received");
  });

  it("a moment after it was read is told as it stands then", async () => {
    const { bank, ports, started } = paymentHouse();
    const before = await started();
    const { id, authorisationId } = before;
    const authorisation = await ports.authorisations.find(authorisationId);
    if (authorisation === undefined) throw new Error("no authorisation");
    bank.authorisations.set(authorisationId, { ...authorisation, scaStatus: "finalised" });
    bank.payments.set(id, { ...before, status: "ACCP", fundsAvailable: true });
    expect(await currentPayment(ports, before, later(1))).toMatchObject({ status: "ACCP" });
  });
});
