import { describe, expect, it } from "vitest";
import { there } from "../testing/at-summary";
import { desk } from "../testing/desk";
import { ownBrowser } from "../testing/own-browser";

async function signedIn() {
  const ours = await desk();
  const psu = ownBrowser(ours);
  await psu.signIn();
  await psu.list();
  return { ours, psu };
}

describe("more time in the bank's own channel", () => {
  it("is activity: the session has its five minutes again", async () => {
    const { ours, psu } = await signedIn();
    ours.wait(4);
    await psu.send("stay", { back: "/permissions" });
    ours.wait(4);
    expect(await psu.list()).toMatchObject({ page: "permissions" });
  });

  it("the page's script is told what is left", async () => {
    const { ours, psu } = await signedIn();
    ours.wait(4);
    const answer = await psu.send("stay", { answer: "json" });
    expect(await answer.json()).toMatchObject({ signedInSeconds: 300, extendable: false });
  });

  it("WCAG 2.2.1: nearer to the end of the hour it is told what is left of that", async () => {
    const { ours, psu } = await signedIn();
    for (let minute = 4; minute <= 56; minute += 4) {
      ours.wait(4);
      await psu.send("stay", { back: "/permissions" });
    }
    ours.wait(2);
    const answer = await psu.send("stay", { answer: "json" });
    expect(await answer.json()).toMatchObject({ signedInSeconds: 120 });
  });

  it("without a script the PSU comes back to the page, and nowhere else", async () => {
    const { psu } = await signedIn();
    expect(there(await psu.send("stay", { back: "/permissions?page=2" }))).toBe(
      "/permissions?page=2",
    );
    for (const back of ["https://evil.example", "//evil.example", "/auth/x"]) {
      expect(there(await psu.send("stay", { back }))).toBe("/not-found");
    }
  });

  it("a session that has ended is not brought back: the script is led to the page", async () => {
    const { ours, psu } = await signedIn();
    ours.wait(5.1);
    const answer = await psu.send("stay", { answer: "json", back: "/permissions" });
    expect(answer.status).toBe(303);
    expect(await psu.list()).toEqual({ page: "to-sign-in" });
  });

  it("who is not signed in has nothing to extend", async () => {
    const psu = ownBrowser(await desk());
    await psu.look();
    const answer = await psu.send("stay", { answer: "json", back: "/sign-out" });
    expect([answer.status, there(answer)]).toEqual([303, "/sign-out"]);
  });

  it("who is not signed in has no limit, and whose password is right has", async () => {
    const psu = ownBrowser(await desk());
    expect(await psu.look()).toMatchObject({ limits: undefined });
    await psu.typePassword();
    expect(await psu.look()).toMatchObject({ page: "code", limits: { signedInSeconds: 300 } });
  });
});

it("a code that was not delivered is not spoken of as sent; another one is", async () => {
  const ours = await desk();
  ours.bank.delivers = false;
  const psu = ownBrowser(ours);
  await psu.typePassword();
  const first = { page: "code", sentAt: undefined, newCodePossible: true };
  expect(await psu.look()).toMatchObject({ ...first, outcome: { outcome: "not-delivered" } });
  ours.bank.delivers = true;
  await psu.send("new-code");
  const shown = await psu.look();
  expect(shown).toMatchObject({ page: "code", sentAt: expect.any(Date) });
});
