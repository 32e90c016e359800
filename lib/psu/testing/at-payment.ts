import { browser } from "./browser";
import { fundsDesk, paymentDesk } from "./desk";

/** A PSU who has signed in for a payment; the code is on its way. */
export async function atPayment(given: Parameters<typeof paymentDesk>[0] = {}) {
  const ours = paymentDesk(given);
  const psu = browser(ours);
  const view = await psu.signIn();
  if (view.page !== "payment") throw new Error(`at ${view.page}`);
  return { ours, psu, view };
}

/** The same for a confirmation of funds consent. */
export async function atFunds(given: Parameters<typeof fundsDesk>[0] = {}) {
  const ours = fundsDesk(given);
  const psu = browser(ours);
  const view = await psu.signIn();
  if (view.page !== "funds") throw new Error(`at ${view.page}`);
  return { ours, psu, view };
}
