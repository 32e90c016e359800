import { expect, it } from "vitest";
import { newOrder } from "./order";

const payer = { userId: "p", password: "p", accounts: { EUR: "RO01", RON: "RO02" } };
const other = { userId: "o", password: "o", accounts: { EUR: "RO03", RON: "RO04" } };

it("both bodies of an order name its request and its account, and differ in the amount alone", () => {
  for (let times = 0; times < 200; times += 1) {
    const order = newOrder(payer, [other]);
    const [one, second] = order.bodies.map((body) => JSON.parse(Buffer.from(body).toString()));
    const { instructedAmount, ...rest } = one;
    expect(second).toEqual({ ...rest, instructedAmount: second.instructedAmount });
    expect(rest.remittanceInformationUnstructured).toBe(order.requestId);
    expect(rest.debtorAccount.iban).toBe(payer.accounts[order.currency]);
    expect(rest.creditorAccount.iban).not.toBe(rest.debtorAccount.iban);
    const amounts = [instructedAmount, second.instructedAmount].map(({ amount }) => amount);
    expect(amounts.map((amount) => BigInt(amount.replace(".", "")))).toEqual(order.amounts);
    expect(amounts[0]).toMatch(/^0\.\d\d$/);
    expect(amounts[1]).toMatch(/^1\.\d\d$/);
  }
});
