import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { mayAddPasskey } from "@/lib/domain/sign-in";
import { authenticator, enrolled } from "@/lib/domain/testing/authenticator";
import { ana } from "@/lib/domain/testing/samples";
import { sha256 } from "@/lib/domain/values";
import { type OwnAction, ownFormToken } from "./form-token";
import { passkeysView } from "./passkeys";
import { download, permissionsCsv } from "./permissions-csv";
import type { IdentityProvider } from "./ports";
import { beginRound } from "./provider-redirect";
import { seal } from "./session";
import {
  asBrowsersWrite,
  bankWithConsent,
  browser,
  locationOf,
  WEB_URL,
} from "./testing/authorisation";
import { atPermissions, ownBrowser } from "./testing/own-channel";
import { html } from "./testing/rendered";

describe("signing in to the bank's own channel", () => {
  it("takes user ID and password, then the code, and leads on to what was asked for", async () => {
    const psu = ownBrowser(await bankWithConsent());
    expect(await psu.look()).toMatchObject({ page: "sign-in", to: "/permissions" });
    expect(locationOf(await psu.typePassword())).toBe("/sign-in?to=/permissions");
    expect(await psu.look()).toMatchObject({ page: "code", newCodePossible: true });
    expect(await psu.list()).toEqual({ page: "to-sign-in" });
    const done = await psu.send("code", { code: psu.lastCode(), to: "/passkeys" });
    expect(locationOf(done)).toBe("/passkeys");
    expect(await psu.look("/passkeys")).toEqual({ page: "onward", location: "/passkeys" });
    expect(await psu.list()).toMatchObject({ page: "permissions" });
  });

  it("the text message says what the code is for, and bears the reference that the page shows", async () => {
    const ours = await bankWithConsent();
    const psu = ownBrowser(ours);
    await psu.typePassword();
    const view = await psu.look();
    if (view.page !== "code") throw new Error(view.page);
    const text = ours.bank.texts.at(-1)?.text;
    expect(text).toMatch(/is your code to sign in to Drawbridge Bank and see your permissions/);
    expect(text).toContain(`Reference ${view.reference}.`);
  });

  it("the text message is in the PSU's language", async () => {
    const ours = await bankWithConsent();
    await ownBrowser(ours, "ro").typePassword();
    expect(ours.bank.texts.at(-1)?.text).toMatch(/este codul dumneavoastră/);
  });

  it.each([
    "https://evil.example/",
    "//evil.example",
    "/permissions/../sandbox",
    "/authorise/x",
    "/permissions\r\nSet-Cookie: a=b",
    "permissions",
  ])("leads to no other place: %j", async (to) => {
    const psu = ownBrowser(await bankWithConsent());
    await psu.typePassword();
    await psu.look();
    expect(locationOf(await psu.send("code", { code: psu.lastCode(), to }))).toBe("/permissions");
    expect(await psu.look(to)).toEqual({ page: "onward", location: "/permissions" });
  });

  it("P11: a wrong user ID and a wrong password look the same", async () => {
    const psu = ownBrowser(await bankWithConsent());
    const said = async (userId: string) => {
      await psu.typePassword(userId, "wrong");
      return psu.look();
    };
    const outcome = { outcome: "wrong-credentials", attemptsLeft: 4 };
    expect(await said("ana")).toMatchObject({ outcome: { ...outcome, userId: "ana" } });
    expect(await said("nobody")).toMatchObject({ outcome: { ...outcome, userId: "nobody" } });
  });

  it("RTS 4(3)(b): failures are counted together with those of authorisations", async () => {
    const ours = await bankWithConsent();
    const tpps = browser(ours);
    for (let tries = 0; tries < 3; tries += 1) {
      await tpps.look();
      await tpps.typePassword("ana", "wrong");
    }
    const psu = ownBrowser(ours);
    await psu.typePassword("ana", "wrong");
    expect(await psu.look()).toMatchObject({ outcome: { attemptsLeft: 1 } });
    await psu.typePassword("ana", "wrong");
    expect(await psu.look()).toMatchObject({ page: "sign-in", outcome: { outcome: "blocked" } });
    await psu.typePassword();
    expect(await psu.look()).toMatchObject({ page: "sign-in", outcome: { outcome: "blocked" } });
  });

  it("the fifth wrong code ends the sign-in", async () => {
    const psu = ownBrowser(await bankWithConsent());
    await psu.typePassword();
    for (let left = 4; left >= 0; left -= 1) {
      await psu.look();
      await psu.send("code", { code: "000000" });
      const outcome =
        left === 0 ? { outcome: "blocked" } : { outcome: "wrong-code", attemptsLeft: left };
      expect(await psu.look()).toMatchObject({
        page: left === 0 ? "sign-in-again" : "code",
        outcome,
      });
    }
  });

  it("what cannot be a code takes no attempt; blanks and dashes are no fault", async () => {
    const psu = ownBrowser(await bankWithConsent());
    await psu.typePassword();
    for (const [code, outcome] of [
      ["", "code-missing"],
      ["12345", "code-malformed"],
      ["12345a", "code-malformed"],
    ] as const) {
      await psu.look();
      await psu.send("code", { code });
      expect(await psu.look()).toMatchObject({ page: "code", outcome: { outcome } });
    }
    const [first, rest] = [psu.lastCode().slice(0, 3), psu.lastCode().slice(3)];
    expect(locationOf(await psu.send("code", { code: ` ${first}-${rest} ` }))).toBe("/permissions");
  });

  it("a new code can be sent, four in all; a code that has run out says so", async () => {
    const ours = await bankWithConsent();
    const psu = ownBrowser(ours);
    await psu.typePassword();
    for (let sent = 2; sent <= 5; sent += 1) {
      await psu.look();
      await psu.send("new-code");
      const outcome = sent <= 4 ? "new-code-sent" : "too-many-codes";
      expect(await psu.look()).toMatchObject({ outcome: { outcome }, newCodePossible: sent < 4 });
    }
    expect(ours.bank.texts).toHaveLength(4);
    ours.wait(4);
    await psu.look();
    ours.wait(1);
    expect(await psu.look()).toMatchObject({ expired: true });
    await psu.send("code", { code: psu.lastCode() });
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "code-expired" } });
  });

  it("a text message that cannot be delivered: the page for the code says so", async () => {
    const ours = await bankWithConsent();
    ours.bank.delivers = false;
    const psu = ownBrowser(ours);
    await psu.typePassword();
    expect(await psu.look()).toMatchObject({ page: "code", outcome: { outcome: "not-delivered" } });
  });
});

/** An attacker with ana's password and every form's token, but neither phone nor passkey. */
async function withPasswordAlone() {
  const known = await atPermissions();
  const { ours } = known;
  const { passkey } = await enrolled(ours.services, ana);
  const thief = ownBrowser(ours);
  await thief.typePassword();
  const visit = await thief.visit();
  const { session } = visit;
  const { SESSION_SECRET: secret } = ours.services.config;
  const send = async (action: OwnAction, target?: string, fields = {}) => {
    const token = await ownFormToken(visit, action, target);
    return thief.send(action, fields, { token, ...(target && { target }) });
  };
  return { ...known, passkey, thief, session, secret, send };
}

describe("P12: the password alone does nothing in the PSU's name, even with a form's token:", () => {
  it("it ends no permission", async () => {
    const { ours, accounts, consentId, send } = await withPasswordAlone();
    expect(locationOf(await send("revoke", accounts))).toBe(`/sign-in?to=/permissions/${accounts}`);
    expect(ours.bank.consents.get(consentId)?.status).toBe("valid");
  });

  it("it downloads nothing", async () => {
    const { ours, psu, thief } = await withPasswordAlone();
    const file = { name: "permissions.csv", page: "/permissions", fill: permissionsCsv };
    const fetched = (jar: typeof thief.jar) =>
      download(
        () => ours.services,
        new Request(WEB_URL, { headers: { cookie: jar.header() } }),
        file,
      );
    const refused = await fetched(thief.jar);
    expect([locationOf(refused), await refused.text()]).toEqual(["/sign-in?to=/permissions", ""]);
    const given = await fetched(psu.jar);
    expect(given.headers.get("content-disposition")).toContain("permissions.csv");
    expect(given.headers.get("cache-control")).toBe("no-store");
    expect(await given.text()).toContain("Example TPP");
  });

  it("it removes no passkey", async () => {
    const { ours, passkey, send } = await withPasswordAlone();
    expect(locationOf(await send("remove-passkey", passkey.id))).toBe("/sign-in?to=/passkeys");
    expect(ours.bank.passkeys.get(passkey.id)?.removed).toBeUndefined();
  });

  it("it adds none, and gets no options to make one", async () => {
    const { ours, session, secret, send } = await withPasswordAlone();
    const asked = await send("passkey-options");
    expect([locationOf(asked), await asked.text()]).toEqual(["/sign-in?to=/passkeys", ""]);
    if (!("signIn" in session)) throw new Error(session.state);
    const purpose = `new-passkey ${session.signIn.session}` as const;
    const challenge = "a challenge that was got somehow";
    const sealed = await seal(secret, purpose, { challenge }, 300);
    const assertion = asBrowsersWrite(authenticator().make(challenge));
    const answer = await send("add-passkey", undefined, { name: "Mine", sealed, assertion });
    expect(locationOf(answer)).toBe("/sign-in?to=/passkeys");
    expect(ours.bank.passkeys.size).toBe(1);
    expect(mayAddPasskey(ours.services.profile, session.signIn, new Date(0))).toBe(false);
  });
});

describe("a sign-in at the identity provider for the bank's own channel", () => {
  it.each([
    ["/passkeys", true],
    ["/passkeys/from/request", true],
    ["/permissions", false],
  ])("RTS 24(2)(b): on the way to %s is a new proof: %s", async (to, fresh) => {
    const issuer = "https://login.bank.example";
    const provider = createServer((_request, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/auth` }));
    });
    await new Promise<void>((resolve) => provider.listen(0, "localhost", resolve));
    const { port } = provider.address() as AddressInfo;
    const { services } = await bankWithConsent();
    const asked: Parameters<IdentityProvider["parameters"]>[0][] = [];
    const identityProvider: IdentityProvider = {
      ...{ ca: undefined, privateJwk: undefined, publicKeys: async () => undefined },
      requestAt: async (url) => url,
      parameters: (parameters) => {
        asked.push(parameters);
        return {};
      },
      judge: () => "not-proved",
    };
    const client = { IDP_ISSUER: `http://localhost:${port}`, IDP_CLIENT_ID: "drawbridge" };
    const config = { ...services.config, ...client, IDP_SIGNING_ALG: "RS256" } as const;
    const purpose = { kind: "own-channel", to } as const;
    const begun = await beginRound({ config, identityProvider }, { purpose, language: "en" });
    provider.close();
    expect(begun?.location).toContain(issuer);
    expect(asked).toEqual([expect.objectContaining({ wanted: "sca", fresh })]);
  });
});

describe("a passkey at the sign-in to the bank's own channel", () => {
  async function atSignIn() {
    const ours = await bankWithConsent();
    const { device, passkey } = await enrolled(ours.services, ana);
    const psu = ownBrowser(ours);
    await psu.typePassword();
    const tokens = async () => {
      const view = await psu.look();
      if (view.page !== "code" || view.passkey === undefined) throw new Error(view.page);
      return view.passkey;
    };
    const challenge = async (): Promise<string> => {
      const token = (await tokens()).challengeToken;
      const { options } = await (await psu.send("passkey-challenge", {}, { token })).json();
      return options.challenge;
    };
    const use = async (by = device, said = {}) => {
      const assertion = asBrowsersWrite(by.use(await challenge(), said));
      return psu.send("passkey", { to: "/passkeys", assertion }, await sent());
    };
    const sent = async () => ({ token: (await tokens()).token });
    return { ours, psu, device, passkey, challenge, use, sent };
  }

  it("is the second element; no code is sent until it is asked for", async () => {
    const { ours, psu, use } = await atSignIn();
    expect(ours.bank.texts).toEqual([]);
    expect(locationOf(await use())).toBe("/passkeys");
    expect(await psu.inside(passkeysView)).toMatchObject({ page: "passkeys" });
    expect(ours.bank.psuFailures.size).toBe(0);
  });

  it("so is a code, once asked for", async () => {
    const { ours, psu } = await atSignIn();
    expect(await psu.look()).toMatchObject({ sentAt: undefined });
    await psu.send("new-code");
    expect(await psu.look()).toMatchObject({ outcome: undefined });
    expect(ours.bank.texts).toHaveLength(1);
    await psu.send("code", { code: psu.lastCode() });
    expect(await psu.inside(passkeysView)).toMatchObject({ page: "passkeys" });
  });

  it("P5: a wrong one is a failure like a wrong code, and the fifth blocks", async () => {
    const { psu, use } = await atSignIn();
    await use(authenticator());
    expect(await psu.look()).toMatchObject({
      outcome: { outcome: "wrong-passkey", attemptsLeft: 4 },
    });
    for (let tries = 0; tries < 4; tries += 1) await use(undefined, { userVerified: false });
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "blocked" } });
  });

  it("what can be no signature takes no attempt", async () => {
    const { ours, psu, sent } = await atSignIn();
    await psu.send("passkey", { assertion: "{}" }, await sent());
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "passkey-missing" } });
    expect([...ours.bank.psuFailures.values()]).toMatchObject([{ failures: 0 }]);
  });

  it("P6: signs one sign-in, and nothing else: neither another one nor, again, the same", async () => {
    const one = await atSignIn();
    const other = await atSignIn();
    const signed = asBrowsersWrite(one.device.use(await one.challenge()));
    other.ours.bank.passkeys.set(one.passkey.id, one.passkey);
    await other.challenge();
    await other.psu.send("passkey", { assertion: signed }, await other.sent());
    expect(await other.psu.look()).toMatchObject({ outcome: { outcome: "wrong-passkey" } });
    const sent = await one.sent();
    await one.psu.send("passkey", { assertion: signed }, sent);
    expect(await one.psu.inside(passkeysView)).toMatchObject({ page: "passkeys" });
    expect(locationOf(await one.psu.send("passkey", { assertion: signed }, sent))).toMatch(
      /sign-in/,
    );
  });

  it("P6: signs its own first line, the session and a nonce: no authorisation's text is like it", async () => {
    const { psu, challenge } = await atSignIn();
    const asked = await challenge();
    const { session } = await psu.visit();
    if (!("signIn" in session)) throw new Error(session.state);
    const { session: hash, passkeyChallenge } = session.signIn;
    const lines = ["passkey sign-in", hash, passkeyChallenge?.nonce];
    expect(asked).toBe(await sha256(lines.join("\n")));
  });

  it("P6: has a new challenge each time, and a signature of an earlier one is refused", async () => {
    const { psu, device, challenge, sent } = await atSignIn();
    const first = await challenge();
    expect(await challenge()).not.toBe(first);
    await psu.send("passkey", { assertion: asBrowsersWrite(device.use(first)) }, await sent());
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "wrong-passkey" } });
  });

  it("P6: has five minutes, however busy the session is, and being late costs no attempt", async () => {
    const { ours, psu, device, challenge, sent, use } = await atSignIn();
    const assertion = asBrowsersWrite(device.use(await challenge()));
    ours.wait(4);
    await psu.look();
    ours.wait(1);
    await psu.send("passkey", { assertion }, await sent());
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "passkey-expired" } });
    expect([...ours.bank.psuFailures.values()]).toMatchObject([{ failures: 0 }]);
    expect(locationOf(await use())).toBe("/passkeys");
  });

  it("P6: a signature of a challenge that was never asked costs no attempt", async () => {
    const { ours, psu, device, sent } = await atSignIn();
    const assertion = asBrowsersWrite(device.use("a challenge of somebody else"));
    await psu.send("passkey", { assertion }, await sent());
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "passkey-expired" } });
    expect([...ours.bank.psuFailures.values()]).toMatchObject([{ failures: 0 }]);
  });

  it("P6: there is no challenge without a passkey, or after the sign-in is over", async () => {
    const { ours, psu, passkey } = await atSignIn();
    const token = (await psu.look()) as { readonly passkey: { readonly challengeToken: string } };
    await ours.services.passkeys.remove(passkey.id, ana, await ours.services.clock.now());
    const { challengeToken } = token.passkey;
    const answer = await psu.send("passkey-challenge", {}, { token: challengeToken });
    expect(locationOf(answer)).toBe("/sign-in?to=/permissions");
    await psu.send("sign-out", { to: "/passkeys" });
    const over = await psu.send("passkey-challenge", {}, { token: challengeToken });
    expect(locationOf(over)).toBe("/sign-in?to=/permissions");
  });
});

/** ana, who has a passkey, and a stranger who has just blocked her user ID. */
async function blocked() {
  const ours = await bankWithConsent();
  const { device } = await enrolled(ours.services, ana);
  const stranger = ownBrowser(ours);
  const strike = async (userId = "ana") => {
    for (let tries = 0; tries < 5; tries += 1) await stranger.typePassword(userId, "wrong");
  };
  await strike();
  const psu = ownBrowser(ours);
  const ask = async (userId = "ana") => {
    await psu.typePassword(userId, `${userId}-sandbox`);
    const view = await psu.look();
    if (view.page === "code" || view.page === "onward" || view.unlock === undefined) {
      throw new Error(`nothing to unlock at ${view.page}`);
    }
    const { token, challengeToken } = view.unlock;
    const answer = await psu.send("unlock-challenge", {}, { token: challengeToken });
    return { token, ...(await answer.json()) };
  };
  const unlock = async (by = device, said = {}) => {
    const { token, sealed, options } = await ask();
    const assertion = asBrowsersWrite(by.use(options.challenge, said));
    await psu.send("unlock", { assertion, sealed }, { token });
    return psu.look();
  };
  return { ours, device, stranger, strike, psu, ask, unlock };
}

describe("a passkey unlocks", () => {
  it("P5: its owner's sign-in while a stranger goes on blocking the user ID, and lifts the block", async () => {
    const { psu, strike, stranger, unlock, ours } = await blocked();
    expect(await unlock()).toMatchObject({ outcome: { outcome: "unlocked" }, unlock: undefined });
    await strike();
    await psu.typePassword();
    expect(await psu.look()).toMatchObject({ page: "code" });
    await strike();
    await psu.send("new-code");
    await psu.look();
    await psu.send("code", { code: psu.lastCode() });
    expect(await psu.inside(passkeysView)).toMatchObject({ page: "passkeys" });
    await stranger.typePassword();
    expect(await stranger.look()).toMatchObject({ page: "code" });
    expect(ours.bank.toldOfBlock).toEqual([["ana", "blocked"]]);
  });

  it("P5: a request of a TPP as well, in the same browser", async () => {
    const { ours, psu, unlock } = await blocked();
    await unlock();
    const atTpp = browser(ours);
    const pass = psu.jar.cookies.get("drawbridge-unlocked");
    if (pass === undefined) throw new Error("no pass");
    atTpp.jar.cookies.set("drawbridge-unlocked", pass);
    expect(await atTpp.signIn()).toMatchObject({ page: "accounts" });
  });

  it("P5: what ten wrong codes have blocked for good", async () => {
    const { ours, psu, unlock } = await blocked();
    for (const [key, row] of ours.bank.psuFailures) {
      ours.bank.psuFailures.set(key, { ...row, failures: 0, secondFailures: 10 });
    }
    await psu.typePassword("ana", "wrong");
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "wrong-credentials" } });
    await psu.typePassword();
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "blocked-for-good" } });
    await unlock();
    await psu.typePassword();
    await psu.look();
    await psu.send("new-code");
    await psu.look();
    await psu.send("code", { code: psu.lastCode() });
    expect(await psu.inside(passkeysView)).toMatchObject({ page: "passkeys" });
    expect(ours.bank.psuFailures.size).toBe(0);
  });

  it("RTS 9: by itself signs in nobody, and unlocks no other user ID", async () => {
    const { psu, strike, unlock } = await blocked();
    await unlock();
    expect(await psu.inside(passkeysView)).toEqual({ page: "to-sign-in" });
    await strike("mihai");
    await psu.typePassword("mihai", "mihai-sandbox");
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "blocked" } });
  });

  it("RTS 4(3)(b): for five wrong passwords of its own, and no longer than 15 minutes", async () => {
    const { ours, psu, strike, unlock } = await blocked();
    await unlock();
    for (const attemptsLeft of [4, 3, 2, 1]) {
      await psu.typePassword("ana", "wrong");
      expect(await psu.look()).toMatchObject({ outcome: { attemptsLeft } });
    }
    await psu.typePassword("ana", "wrong");
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "blocked" } });
    await unlock();
    await psu.typePassword();
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "blocked" } });
    ours.wait(15);
    await strike();
    await psu.typePassword();
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "blocked" } });
  });

  it("P11: is offered for a user ID that nobody has in the same words, and names no credential", async () => {
    const { psu, ask, strike } = await blocked();
    const known = await ask();
    await strike("nobody");
    const unknown = await ask("nobody");
    expect(Object.keys(known.options)).toEqual(Object.keys(unknown.options));
    for (const { options } of [known, unknown]) expect(options.allowCredentials).toEqual([]);
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "blocked", userId: "nobody" } });
  });

  it.each([
    ["of a device that the bank does not know", authenticator(), {}],
    ["without the device having made sure of its user", undefined, { userVerified: false }],
    ["at another web address", undefined, { origin: "https://evil.example" }],
  ])("P5: no signature %s", async (_what, by, said) => {
    const { ours, psu, unlock } = await blocked();
    const before = [...ours.bank.psuFailures.values()];
    expect(await unlock(by, said)).toMatchObject({ outcome: { outcome: "not-unlocked" } });
    expect([...ours.bank.psuFailures.values()]).toEqual(before);
    await psu.typePassword();
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "blocked" } });
  });

  it("P6: a signature for a sign-in or a payment unlocks nothing, and one challenge is no other's", async () => {
    const { psu, device, ask } = await blocked();
    const [first, second] = [await ask(), await ask()];
    for (const challenge of [first.options.challenge, "c2lnbi1pbg"]) {
      const assertion = asBrowsersWrite(device.use(challenge));
      await psu.send("unlock", { assertion, sealed: second.sealed }, { token: second.token });
      expect(await psu.look()).toMatchObject({ outcome: { outcome: "not-unlocked" } });
    }
  });
});

/** A page without what differs from page to page anyway. */
function comparable(page: string, userId: string): string {
  const neutral = page.replaceAll(/(name="(?:token|ticket)" value=")[^"]*/g, "$1");
  return neutral.replaceAll(`value="${userId}"`, 'value="as typed"');
}

/** Each page that a row of tries leads to, all at one bank. */
async function pagesOf(tries: readonly (readonly [userId: string, password: string])[]) {
  const ours = await bankWithConsent();
  const psu = browser(ours);
  const pages: string[] = [];
  for (const [userId, password] of tries) {
    await psu.look();
    await psu.typePassword(userId, password);
    pages.push(comparable(html(await psu.look()), userId));
  }
  return pages;
}
const six = (userId: string, password: string) =>
  Array.from({ length: 6 }, () => [userId, password] as const);

describe("RTS 4(3)(a), P11: nobody can tell which element was wrong", () => {
  it("page for page, up to the block: a wrong password looks like an unknown user ID", async () => {
    const known = await pagesOf(six("ana", "wrong"));
    expect(known).toEqual(await pagesOf(six("nobody", "wrong")));
    expect(known[3]).toContain("One try is left");
    expect(known[4]).toContain("Signing in is blocked for now");
  });

  it("while it is blocked, the right password looks like a wrong one and like an unknown user ID", async () => {
    const blocked = async (userId: string, password: string) => {
      const ours = await bankWithConsent();
      const psu = browser(ours);
      await psu.look();
      for (let tries = 0; tries < 5; tries += 1) {
        await psu.typePassword(userId, "wrong");
      }
      ours.change({ scaStatus: "received", failedAttempts: 0 });
      await psu.look();
      await psu.typePassword(userId, password);
      return comparable(html(await psu.look()), userId);
    };
    const right = await blocked("ana", "ana-sandbox");
    expect(right).toContain("Signing in is blocked for now");
    expect(right).toBe(await blocked("ana", "wrong"));
    expect(right).toBe(await blocked("nobody", "wrong"));
  });
});
