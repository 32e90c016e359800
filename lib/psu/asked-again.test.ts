import { describe, expect, it } from "vitest";
import { atSummary, there } from "./testing/at-summary";
import { browser } from "./testing/browser";
import { desk, uid } from "./testing/desk";

describe("what a person can mend is asked again", () => {
  it.each([
    [["", ""], "credentials-missing"],
    [["", "x"], "user-id-missing"],
    [["ana", ""], "password-missing"],
    [["\u0000\u0007", "x"], "user-id-missing"],
  ] as const)("login with %j: %s, and no attempt is taken", async ([userId, password], outcome) => {
    const ours = await desk();
    const psu = browser(ours);
    await psu.look();
    await psu.send("login", [
      ["userId", userId],
      ["password", password],
    ]);
    expect(await psu.look()).toMatchObject({ page: "login", outcome: { outcome } });
    expect(ours.authorisation().failedAttempts).toBe(0);
  });

  it("P11: an unknown user ID and a wrong password get the same answer", async () => {
    const answers = [];
    for (const userId of ["ana", "nobody"]) {
      const psu = browser(await desk());
      await psu.look();
      const response = await psu.send("login", [
        ["userId", userId],
        ["password", "wrong"],
      ]);
      const view = await psu.look();
      const outcome = "outcome" in view ? view.outcome : undefined;
      answers.push([response.status, there(response), { ...outcome, userId: undefined }]);
    }
    expect(answers[0]).toMatchObject([303, `/authorise/${uid}`, { outcome: "wrong-credentials" }]);
    const seen = answers.map((answer) =>
      JSON.stringify(answer).replace(/"(iat|exp|jti)":[^,}]*/g, ""),
    );
    expect(seen[0]).toBe(seen[1]);
  });

  it.each([
    ["", "code-missing"],
    ["12a456", "code-malformed"],
    ["12345", "code-malformed"],
    ["１２３４５６", "code-malformed"],
  ])("code %j: %s, and no attempt is taken", async (code, outcome) => {
    const { ours, psu } = await atSummary();
    await psu.send("confirm", [["code", code]]);
    expect(await psu.look()).toMatchObject({ page: "summary", outcome: { outcome } });
    expect(ours.authorisation().failedAttempts).toBe(0);
  });

  it("a new code takes the place of the old one, three times at most", async () => {
    const { ours, psu } = await atSummary();
    for (let time = 0; time < 3; time += 1) {
      await psu.send("code");
      expect(await psu.look()).toMatchObject({ outcome: { outcome: "new-code-sent" } });
    }
    await psu.send("code");
    expect(await psu.look()).toMatchObject({
      outcome: { outcome: "too-many-codes" },
      code: { newCodePossible: false },
    });
    expect(ours.bank.texts).toHaveLength(4);
  });

  it("nothing selected: the accounts again, also from the summary", async () => {
    const { psu } = await atSummary();
    await psu.look("accounts");
    const answer = await psu.send("accounts");
    expect(there(answer)).toBe(`/authorise/${uid}?question=accounts`);
    const view = await psu.look("accounts");
    expect(view).toMatchObject({ page: "accounts", outcome: { outcome: "nothing-selected" } });
  });
});
