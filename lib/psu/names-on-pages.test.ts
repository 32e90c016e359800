import { describe, expect, it } from "vitest";
import { tpp } from "@/lib/domain/testing/samples";
import { browser } from "./testing/browser";
import { paymentDesk } from "./testing/desk";
import { atPermissions } from "./testing/own-desk";
import { order } from "./testing/resources";

/** A Cyrillic letter each, and what reads on to the right of the quotation. */
const posing = { tpp: "P\u0430yPal", payee: 'Sh\u043Ep" \u202Eyours' };

function atPosingPayment() {
  const creditor = { ...order.creditor, name: posing.payee };
  const ours = paymentDesk({ order: { creditor } });
  const find = async () => ({ ...tpp, name: posing.tpp });
  return { ...ours, house: { ...ours.house, tppRegister: { ...ours.house.tppRegister, find } } };
}

describe("P4: a name that poses as another", () => {
  it("is shown as such on the page of the payment and in its text message, in quotation marks", async () => {
    const ours = atPosingPayment();
    const view = await browser(ours).signIn();
    if (view.page !== "payment") throw new Error(`at ${view.page}`);
    expect(view.tpp.name).toBe("P[U+0430]yPal");
    expect(view.payment.order.creditor.name).toBe("Sh[U+043E]p' [U+202E]yours");
    const text = ours.bank.texts.at(-1)?.text;
    expect(text).toContain(`to "Sh[U+043E]p' [U+202E]yours", ${order.creditor.iban}`);
    expect(text).toContain('asked by "P[U+0430]yPal"');
  });

  it("is shown as such among the permissions", async () => {
    const { ours, psu, payment: target } = await atPermissions();
    for (const [id, payment] of ours.bank.payments) {
      const creditor = { ...order.creditor, name: posing.payee };
      ours.bank.payments.set(id, { ...payment, order: { ...order, creditor } });
    }
    const view = await psu.details(target);
    const payee = { name: "Sh[U+043E]p' [U+202E]yours" };
    expect(view).toMatchObject({ permission: { payment: { order: { creditor: payee } } } });
    const list = await psu.list();
    expect(
      JSON.stringify(list, (_name, value) => (typeof value === "bigint" ? "" : value)),
    ).toContain(payee.name);
  });
});
