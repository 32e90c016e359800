import { describe, expect, it } from "vitest";
import { browser } from "./testing/browser";
import { desk } from "./testing/desk";
import { html } from "./testing/rendered";

/** What the page says to whoever tries, without what differs from page to page anyway. */
function told(page: string, userId: string): string {
  const neutral = page.replaceAll(/(name="(?:token|ticket)" value=")[^"]*/g, "$1");
  return neutral.replaceAll(`value="${userId}"`, 'value="as typed"');
}

/** Each page that a row of tries leads to, all at one bank. */
async function pagesOf(tries: readonly (readonly [userId: string, password: string])[]) {
  const ours = await desk();
  const psu = browser(ours);
  const pages: string[] = [];
  for (const [userId, password] of tries) {
    await psu.look();
    await psu.send("login", [
      ["userId", userId],
      ["password", password],
    ]);
    pages.push(told(html(await psu.look()), userId));
  }
  return pages;
}
const six = (userId: string, password: string) =>
  Array.from({ length: 6 }, () => [userId, password] as const);

describe("RTS 4(3)(a), P11: nobody can tell which element was wrong", () => {
  it("page for page, up to the block: a wrong password is told as an unknown user ID is", async () => {
    const known = await pagesOf(six("ana", "wrong"));
    expect(known).toEqual(await pagesOf(six("nobody", "wrong")));
    expect(known[3]).toContain("One try is left");
    expect(known[4]).toContain("Signing in is blocked for now");
  });

  it("while it is blocked, the right password is told as the wrong one and as nobody's", async () => {
    const blocked = async (userId: string, password: string) => {
      const ours = await desk();
      const psu = browser(ours);
      await psu.look();
      for (let tries = 0; tries < 5; tries += 1) {
        await psu.send("login", [
          ["userId", userId],
          ["password", "wrong"],
        ]);
      }
      ours.change({ scaStatus: "received", failedAttempts: 0 });
      await psu.look();
      await psu.send("login", [
        ["userId", userId],
        ["password", password],
      ]);
      return told(html(await psu.look()), userId);
    };
    const right = await blocked("ana", "ana-sandbox");
    expect(right).toContain("Signing in is blocked for now");
    expect(right).toBe(await blocked("ana", "wrong"));
    expect(right).toBe(await blocked("nobody", "wrong"));
  });
});
