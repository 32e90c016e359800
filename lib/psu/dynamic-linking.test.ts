import { describe, expect, it } from "vitest";
import type { Iban } from "@/lib/domain/iban";
import type { PaymentOrder } from "@/lib/domain/payment/payment";
import { money } from "@/lib/domain/payment/product-terms";
import { account, multiEur, RON } from "@/lib/domain/testing/samples";
import { atFunds, atPayment } from "./testing/at-payment";
import { browser } from "./testing/browser";
import { savings } from "./testing/desk";
import { order } from "./testing/resources";

const elsewhere = "RO09BCYP0000001234567890" as Iban;

describe("P7: what the PSU sees is what the code is for (RTS art. 5)", () => {
  it("page and text message name the same amount and payee", async () => {
    const { ours, view } = await atPayment();
    const { amount, creditor } = view.payment.order;
    const said = ours.bank.texts.at(-1)?.text;
    expect(said).toContain('pay 1234.50 RON to "Shop SRL", RO49AAAA1B31007593840000');
    expect({ amount, name: creditor.name, iban: creditor.iban }).toEqual({
      amount: money("RON", 123_450n),
      name: "Shop SRL",
      iban: "RO49AAAA1B31007593840000",
    });
  });

  it("what a form says of amount, payee or account changes nothing", async () => {
    const { ours, psu } = await atPayment();
    const edited = [
      ["amount", "0.01"],
      ["creditorIban", elsewhere],
      ["account", savings.id],
      ["code", psu.lastCode()],
    ] as const;
    await psu.send("confirm", edited);
    expect(ours.payment()).toMatchObject({ status: "ACCP", order });
    expect(ours.payment().debit).toMatchObject({ accountId: "current", amount: order.amount });
  });

  it("a second tab shows the same, and its code is the last one sent", async () => {
    const { ours, psu, view } = await atPayment();
    const second = browser(ours);
    for (const [name, value] of psu.jar.cookies) second.jar.cookies.set(name, value);
    expect(await second.look()).toMatchObject({ page: "payment", payment: view.payment });
    await second.send("code");
    await psu.send("confirm", [["code", psu.lastCode()]]);
    expect(await psu.look()).toMatchObject({ page: "continue" });
  });

  const changes: Readonly<Record<string, Partial<PaymentOrder>>> = {
    amount: { amount: money("RON", 123_451n) },
    currency: { amount: money("EUR", 123_450n) },
    "payee's IBAN": { creditor: { ...order.creditor, iban: elsewhere } },
    "payee's name": { creditor: { ...order.creditor, name: "Shop SRI" } },
    "debtor account": { debtor: { iban: savings.iban } },
    "debtor currency": { debtor: { ...order.debtor, currency: RON } },
    remittance: { remittance: "another" },
  };
  it.each(Object.entries(changes))(
    "another %s between page and code: the code does not fit",
    async (_what, changed) => {
      const { ours, psu } = await atPayment();
      ours.bank.payments.set(ours.payment().id, {
        ...ours.payment(),
        order: { ...order, ...changed },
      });
      await psu.send("confirm", [["code", psu.lastCode()]]);
      expect(await psu.look()).toMatchObject({ outcome: { outcome: "wrong-code" } });
      expect(ours.payment().status).toBe("RCVD");
    },
  );

  it("the same digits for another payment do not fit either", async () => {
    const { ours: one, psu } = await atPayment();
    const { ours: other, psu: otherPsu } = await atPayment();
    expect(psu.lastCode()).toBe(otherPsu.lastCode());
    const { challenge } = one.authorisation();
    if (challenge === undefined) throw new Error("no code was sent");
    other.change({ challenge });
    await otherPsu.send("confirm", [["code", psu.lastCode()]]);
    expect(await otherPsu.look()).toMatchObject({ outcome: { outcome: "wrong-code" } });
  });

  it("another account of a funds consent: the code does not fit", async () => {
    const { ours, psu } = await atFunds();
    const changed = { ...ours.consent(), account: { iban: savings.iban } };
    ours.bank.fundsConsents.set(changed.id, changed);
    await psu.send("confirm", [["code", psu.lastCode()]]);
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "wrong-code" } });
    expect(ours.consent().status).toBe("received");
  });

  it("the sub-account in the payment's currency is debited where the TPP names none", async () => {
    const iban = multiEur.iban;
    const { view } = await atPayment({
      order: { amount: money("EUR", 100n), debtor: { iban }, product: "sepa-credit-transfers" },
    });
    expect(view.payment.account).toEqual(account("multi-eur", iban, multiEur.currency));
  });
});
