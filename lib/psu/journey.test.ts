import { describe, expect, it } from "vitest";
import { atSummary, there } from "./testing/at-summary";
import { browser } from "./testing/browser";
import { desk, uid, WEB_URL } from "./testing/desk";

describe("the PSU's journey", () => {
  it("goes login, accounts, summary, and on to the TPP's code", async () => {
    const ours = await desk();
    const psu = browser(ours);
    expect(await psu.look()).toMatchObject({ page: "login" });
    expect(await psu.signIn()).toMatchObject({ page: "accounts" });
    expect(await psu.choose("current")).toMatchObject({
      page: "summary",
      summary: { accounts: [{ account: { id: "current" } }] },
    });
    const answer = await psu.send("confirm", [
      ["code", ` ${psu.lastCode().replace(/^.../, "$& ")}`],
    ]);
    expect(answer.status).toBe(303);
    expect(there(answer)).toBe(`${WEB_URL}/auth/${uid}`);
    expect(ours.bank.consents.get(ours.consent.id)?.status).toBe("valid");
    expect(ours.calls).toEqual([`accept ${uid}`]);
    expect([...ours.sessions.values()].map(({ revoked }) => revoked)).toEqual([true]);
  });

  it("Select all shares every account, ticked or not", async () => {
    const ours = await desk();
    const psu = browser(ours);
    await psu.signIn();
    await psu.send("accounts", [["all", "yes"]]);
    expect(ours.authorisation().selection).toEqual(["current", "second"]);
  });

  it("P9: an account of somebody else in the form is refused whole", async () => {
    const ours = await desk();
    const psu = browser(ours);
    await psu.signIn();
    expect(await psu.choose("current", "mihai-account")).toMatchObject({
      page: "accounts",
      outcome: { outcome: "not-offered" },
    });
    expect(ours.bank.texts).toHaveLength(0);
  });

  it("the accounts can be chosen again, and the earlier code is worth nothing", async () => {
    const { ours, psu } = await atSummary();
    const first = psu.lastCode();
    expect(await psu.look("accounts")).toMatchObject({ page: "accounts" });
    await psu.choose("second");
    await psu.send("confirm", [["code", first]]);
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "wrong-code", attemptsLeft: 4 } });
    expect(ours.authorisation().scaStatus).toBe("started");
  });

  it("a PSU without payment accounts is told so, and can only go back", async () => {
    const ours = await desk();
    ours.bank.accountsOf.clear();
    expect(await browser(ours).signIn()).toMatchObject({ page: "nothing-to-share" });
  });
});
