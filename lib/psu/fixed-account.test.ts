import { describe, expect, it } from "vitest";
import { ana } from "@/lib/domain/testing/samples";
import { refusedAt, there } from "./testing/at-summary";
import { browser } from "./testing/browser";
import { savings as another, fundsDesk, paymentDesk, uid, WEB_URL } from "./testing/desk";

const kinds = [
  { kind: "a payment", page: "payment", deskWith: paymentDesk },
  { kind: "a funds consent", page: "funds", deskWith: fundsDesk },
] as const;

describe.each(kinds)("the PSU's journey for $kind", ({ page, deskWith }) => {
  const signedIn = async (given: Parameters<typeof deskWith>[0] = {}) => {
    const ours = deskWith(given);
    const psu = browser(ours);
    return { ours, psu, view: await psu.signIn() };
  };

  it("goes login, then the page with the code, and on to the TPP's code", async () => {
    const ours = deskWith();
    const psu = browser(ours);
    expect(await psu.look()).toMatchObject({ page: "login" });
    expect(await psu.signIn()).toMatchObject({ page, code: { digits: 6, expired: false } });
    expect(ours.bank.texts).toHaveLength(1);
    const answer = await psu.send("confirm", [["code", psu.lastCode()]]);
    expect(there(answer)).toBe(`${WEB_URL}/auth/${uid}`);
    expect(ours.authorisation()).toMatchObject({ scaStatus: "finalised", selection: ["current"] });
    expect(ours.calls).toEqual([`accept ${uid}`]);
    expect([...ours.sessions.values()].map(({ revoked }) => revoked)).toEqual([true]);
  });

  it("who signs in again goes on with the code that was sent before", async () => {
    const { ours, psu } = await signedIn();
    ours.wait(1);
    expect(await psu.signIn()).toMatchObject({ page });
    expect(ours.bank.texts).toHaveLength(1);
  });

  it("there is no question of accounts: neither its link nor its form changes anything", async () => {
    const { ours, psu } = await signedIn();
    expect(await psu.look("accounts")).toMatchObject({ page });
    expect(there(await psu.send("accounts", [["account", "second"]]))).toBe(`/authorise/${uid}`);
    expect(ours.authorisation().selection).toEqual(["current"]);
    expect(ours.bank.texts).toHaveLength(1);
  });

  it("a text message that was not delivered is told, and another can be sent", async () => {
    const ours = deskWith();
    ours.bank.delivers = false;
    const psu = browser(ours);
    expect(await psu.signIn()).toMatchObject({ page, outcome: { outcome: "not-delivered" } });
    ours.bank.delivers = true;
    await psu.send("code");
    expect(await psu.look()).toMatchObject({ page, outcome: { outcome: "new-code-sent" } });
  });

  it("without a code yet, one can be sent", async () => {
    const ours = deskWith();
    ours.change({ scaStatus: "psuAuthenticated", psuId: ana });
    const psu = browser(ours);
    const { startChallenge } = ours.house.authorisations;
    Object.assign(ours.house.authorisations, { startChallenge: async () => false });
    const view = await psu.signIn();
    expect(view).toMatchObject({ page });
    expect("code" in view && view.code.sentAt).toBeUndefined();
    Object.assign(ours.house.authorisations, { startChallenge });
    await psu.send("code");
    expect(await psu.look()).toMatchObject({ page, code: { sentAt: expect.any(Date) } });
    expect(ours.bank.texts).toHaveLength(1);
  });

  it("four codes at most", async () => {
    const { ours, psu } = await signedIn();
    for (let time = 0; time < 4; time += 1) await psu.send("code");
    expect(await psu.look()).toMatchObject({
      outcome: { outcome: "too-many-codes" },
      code: { newCodePossible: false },
    });
    expect(ours.bank.texts).toHaveLength(4);
  });

  it("an account that is none of the PSU's ends it: the page says so, and leads to the Nok URI", async () => {
    const ours = deskWith({ nok: "https://tpp.example/nok" });
    ours.bank.accountsOf.set(ana, [another]);
    const psu = browser(ours);
    expect(await psu.signIn()).toMatchObject({ page: "not-your-account", decided: true });
    expect(ours.authorisation()).toMatchObject({ failedBecause: "not-own-account" });
    expect(ours.bank.texts).toHaveLength(0);
    expect(there(await psu.send("cancel"))).toBe(refusedAt("/nok"));
  });

  it("an account that is lost on the page: it says so, and Cancel still decides", async () => {
    const { ours, psu } = await signedIn();
    ours.bank.accountsOf.set(ana, [another]);
    expect(await psu.look()).toMatchObject({ page: "account-gone", decided: false });
    expect(there(await psu.send("cancel"))).toBe(refusedAt());
    expect(ours.authorisation()).toMatchObject({ failedBecause: "cancelled" });
  });

  it("an account that is lost before the code is entered ends it", async () => {
    const { ours, psu } = await signedIn();
    ours.bank.accountsOf.set(ana, [another]);
    await psu.send("confirm", [["code", psu.lastCode()]]);
    expect(await psu.look()).toMatchObject({ page: "account-gone", decided: true });
    expect(ours.calls).toEqual([]);
  });

  it("P1: another browser with the same link and no session has to sign in", async () => {
    const { ours } = await signedIn();
    expect(await browser(ours).look()).toMatchObject({ page: "login-again" });
  });

  it("P8: two Confirms at once both lead on", async () => {
    const { ours, psu } = await signedIn();
    const code = [["code", psu.lastCode()]] as const;
    const answers = await Promise.all([psu.send("confirm", code), psu.send("confirm", code)]);
    for (const answer of answers) {
      expect([`${WEB_URL}/auth/${uid}`, `/authorise/${uid}`]).toContain(there(answer));
    }
    expect(await psu.look()).toMatchObject({ page: "continue" });
    expect(ours.authorisation().scaStatus).toBe("finalised");
  });

  it("P6: a code works once: after another one was sent it is worth nothing", async () => {
    const { ours, psu } = await signedIn();
    const first = psu.lastCode();
    await psu.send("code");
    await psu.send("confirm", [["code", first]]);
    expect(await psu.look()).toMatchObject({ page, outcome: { outcome: "wrong-code" } });
    expect(ours.authorisation().scaStatus).toBe("started");
  });

  it("P6: a code of more than five minutes is told as run out, and takes no attempt", async () => {
    const { ours, psu } = await signedIn();
    ours.wait(4);
    await psu.look();
    ours.wait(1);
    await psu.send("confirm", [["code", psu.lastCode()]]);
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "code-expired" } });
    expect(ours.authorisation().failedAttempts).toBe(0);
  });

  it.each(["login", page])(
    "P10: Cancel at %s leads to the Nok URI, and nothing comes of it",
    async (at) => {
      const ours = deskWith({ nok: "https://tpp.example/nok" });
      const psu = browser(ours);
      expect(await (at === "login" ? psu.look() : psu.signIn())).toMatchObject({ page: at });
      expect(there(await psu.send("cancel"))).toBe(refusedAt("/nok"));
      expect(ours.authorisation()).toMatchObject({
        scaStatus: "failed",
        failedBecause: "cancelled",
      });
      const status = "payment" in ours ? ours.payment().status : ours.consent().status;
      expect(status).toBe(page === "payment" ? "RJCT" : "rejected");
      expect(ours.calls).toEqual([`refuse ${uid}`]);
    },
  );
});
