import { describe, expect, it } from "vitest";
import { desk } from "../testing/desk";
import { everyAction, ownBrowser } from "../testing/own-browser";

const own = { "sec-fetch-site": "same-origin" };
const foreign: readonly Readonly<Record<string, string>>[] = [
  { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
  { origin: "http://localhost:1", "sec-fetch-site": "same-site" },
  { origin: "https://evil.example" },
  { origin: "null" },
  {},
];

describe("P2: a form of the bank's own channel", () => {
  it.each(foreign)("from another place (%j) signs nobody in or out", async (headers) => {
    const psu = ownBrowser(await desk());
    await psu.look();
    await psu.send("password", { userId: "ana", password: "ana-sandbox" }, { headers });
    expect(await psu.look()).toMatchObject({ page: "sign-in" });
    await psu.signIn();
    await psu.list();
    const cookie = psu.jar.header();
    await psu.send("sign-out", {}, { headers: { ...headers, cookie } });
    expect(await psu.list()).toMatchObject({ page: "permissions" });
  });

  it.each(everyAction)(
    "%s without its token, or with another form's, changes nothing",
    async (action) => {
      const ours = await desk();
      const psu = ownBrowser(ours);
      await psu.typePassword();
      await psu.look();
      const texts = ours.bank.texts.length;
      const id = "3f7c2b7e-5d53-4f2e-9d59-0a6a2f6f3c11";
      const targets = { revoke: `accounts/${id}`, "remove-passkey": id };
      const target = Object.entries(targets).find(([about]) => about === action)?.[1];
      const fields = { userId: "ana", password: "ana-sandbox", code: psu.lastCode() };
      const others = everyAction.filter((other) => other !== action);
      for (const token of [
        null,
        "",
        "x",
        ...others.map((other) => psu.tokens.get(other) ?? "none"),
      ]) {
        await psu.send(action, fields, { token, ...(target !== undefined && { target }) });
      }
      expect(await psu.look()).toMatchObject({ page: "code" });
      expect(ours.bank.texts).toHaveLength(texts);
    },
  );

  it("of another session changes nothing, and the page says that it was out of date", async () => {
    const ours = await desk();
    const [one, other] = [ownBrowser(ours), ownBrowser(ours)];
    await one.typePassword();
    await one.look();
    await other.typePassword();
    await other.look();
    const token = other.tokens.get("code") ?? null;
    await one.send("code", { code: "000000" }, { token });
    expect(await one.look()).toMatchObject({ page: "code", outcome: { outcome: "stale-form" } });
  });

  it("that is none, or too large, changes nothing", async () => {
    const psu = ownBrowser(await desk());
    await psu.look();
    const headers = { ...own, "content-type": "text/plain" };
    await psu.send("password", { userId: "ana", password: "ana-sandbox" }, { headers });
    await psu.send("password", { userId: "ana", password: "x".repeat(70_000) });
    expect(await psu.look()).toMatchObject({ page: "sign-in", outcome: undefined });
  });
});
