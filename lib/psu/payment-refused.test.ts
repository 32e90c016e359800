import { describe, expect, it } from "vitest";
import type { BankRefusal } from "@/lib/domain/payment/bank-refusal";
import { atPayment } from "./testing/at-payment";
import { refusedAt, there } from "./testing/at-summary";
import { browser } from "./testing/browser";
import { uid, WEB_URL } from "./testing/desk";
import { html } from "./testing/rendered";

/** A PSU whose payment the bank has refused after the right code. */
async function refused(reason: BankRefusal = "day-limit") {
  const { ours, psu } = await atPayment({ nok: "https://tpp.example/nok" });
  ours.bank.paymentFinalisation = "rejected";
  const code = psu.lastCode();
  const answer = await psu.send("confirm", [["code", code]]);
  ours.bank.payments.set(ours.payment().id, { ...ours.payment(), reason });
  return { ours, psu, code, answer };
}

describe("a payment that a rule of the bank refuses after the right code", () => {
  it.each([
    ["psu-limit", "above-your-limit", "above your limit"],
    ["day-limit", "above-day-limit", "above your limit for today"],
    ["account-blocked", "account-blocked", "Your account is blocked"],
  ] as const)("%s: a page says so, and that nothing was paid", async (reason, page, heading) => {
    const { psu, answer } = await refused(reason);
    expect(answer.status).toBe(303);
    expect(there(answer)).toBe(`/authorise/${uid}`);
    const view = await psu.look();
    expect(view).toMatchObject({ page, decided: true });
    expect(html(view)).toContain(heading);
    expect(html(view)).toContain("Nothing was paid.");
  });

  it("P10: its one button leads to the Nok URI with access_denied", async () => {
    const { ours, psu } = await refused();
    await psu.look();
    expect(there(await psu.send("cancel"))).toBe(refusedAt("/nok"));
    expect(ours.calls).toEqual([`refuse ${uid}`]);
    expect(ours.payment()).toMatchObject({ status: "RJCT", reason: "day-limit" });
  });

  it("a second click on that button leads there too, though the interaction is gone", async () => {
    const { psu } = await refused();
    await psu.look();
    await psu.send("cancel");
    expect(there(await psu.send("cancel"))).toBe(refusedAt("/nok"));
  });

  it("P8: reload, second tab and double click lead to the same page, and never to a code", async () => {
    const { ours, psu, code } = await refused();
    for (let time = 0; time < 2; time += 1) {
      expect(await psu.look()).toMatchObject({ page: "above-day-limit" });
    }
    expect(there(await psu.send("confirm", [["code", code]]))).toBe(`/authorise/${uid}`);
    await psu.send("code");
    expect(await psu.look()).toMatchObject({ page: "above-day-limit" });
    expect(ours.calls).toEqual([]);
  });

  it("P8: nor does a Confirm that another one has overtaken", async () => {
    const { ours, psu } = await atPayment();
    const { finalisePayment } = ours.house.authorisations;
    const overtaken = async (decision: Parameters<typeof finalisePayment>[0]) => {
      await finalisePayment(decision);
      return "too-late" as const;
    };
    ours.bank.paymentFinalisation = "rejected";
    Object.assign(ours.house.authorisations, { finalisePayment: overtaken });
    expect(there(await psu.send("confirm", [["code", psu.lastCode()]]))).toBe(`/authorise/${uid}`);
    expect(ours.calls).toEqual([]);
  });

  it("the page is there when the session has run out, too", async () => {
    const { ours, psu } = await refused();
    ours.wait(6);
    expect(await psu.look()).toMatchObject({ page: "above-day-limit" });
    expect(ours.calls).toEqual([]);
  });

  it("P1: another browser is not told why", async () => {
    const { ours } = await refused();
    expect(await browser(ours).look()).toMatchObject({ page: "already-confirmed" });
  });
});

it("a payment that fails only when it is executed still hands out its code", async () => {
  const { ours, psu } = await atPayment();
  await psu.send("confirm", [["code", psu.lastCode()]]);
  const failed = { ...ours.payment(), status: "RJCT", reason: "no-funds" } as const;
  ours.bank.payments.set(failed.id, failed);
  expect(await psu.look()).toEqual({ page: "continue", location: `${WEB_URL}/auth/${uid}` });
});
