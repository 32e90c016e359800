import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Refusals } from "@/app/(psu)/permissions/refusals/refusals";
import { openConsent } from "@/lib/domain/consents";
import { customersBlocked } from "@/lib/domain/testing/in-memory-bank";
import { ana, now, tpp } from "@/lib/domain/testing/samples";
import type { IsoDate, TppId } from "@/lib/domain/values";
import { aspspProfile } from "@/lib/testing-profile";
import { ownFormToken } from "./form-token";
import { permissionAsked, refusalsPath } from "./paths";
import { historyCsv, permissionsCsv } from "./permissions-csv";
import { permissionFacts } from "./permissions-view";
import { bankWithConsent, locationOf } from "./testing/authorisation";
import { atPermissions, everyAction, ownBrowser } from "./testing/own-channel";
import { textsFor } from "./texts/texts-for";

const cellsOf = (file: unknown) =>
  String(file)
    .slice(1)
    .trimEnd()
    .split("\r\n")
    .map((line) => line.slice(1, -1).split('","'));

describe("the permissions of a PSU", () => {
  it("are listed by TPP, in force or past, of one kind or of all", async () => {
    const { psu } = await atPermissions();
    const listed = async (query: object) => {
      const view = await psu.list(query);
      if (view.page !== "permissions") throw new Error(view.page);
      return view.tpps.flatMap(({ permissions }) =>
        permissions.map(({ kind, state }) => `${kind} ${state}`).toSorted(),
      );
    };
    const all = ["accounts active", "funds active", "payments waiting"];
    expect(await listed({})).toEqual(all.slice(0, 2));
    expect(await listed({ state: "past" })).toEqual(all.slice(2));
    expect(await listed({ state: "all", kind: "any" })).toEqual(all);
    expect(await listed({ state: "all", tpp: tpp.id })).toEqual(all);
    expect(await listed({ kind: "funds", text: ["no", "text"] })).toEqual(["funds active"]);
  });

  it("are settled when they are looked at: what time has ended is not shown as active", async () => {
    const { ours, psu, consentId, accounts } = await atPermissions();
    ours.wait(181 * 24 * 60);
    await psu.signIn();
    const view = await psu.details(accounts);
    expect(view).toMatchObject({ permission: { state: "expired" }, mayBeRevoked: false });
    expect(ours.bank.consents.get(consentId)?.status).toBe("expired");
  });

  it("name the accounts as the PSU knows them", async () => {
    const { psu, accounts } = await atPermissions();
    expect(await psu.details(accounts)).toMatchObject({
      permission: { accounts: [{ name: "Account current" }, { name: "Account second" }] },
    });
  });

  it("are seen and ended by a PSU blocked in all channels, without the names of the accounts", async () => {
    const { ours, psu, consentId, accounts } = await atPermissions();
    Object.assign(ours.services.coreBank, customersBlocked);
    const view = await psu.details(accounts);
    expect(view).toMatchObject({ permission: { state: "active" }, mayBeRevoked: true });
    const unnamed = expect.not.objectContaining({ name: expect.anything() });
    expect(view).toMatchObject({ permission: { accounts: [unnamed, unnamed] } });
    await psu.revoking(accounts);
    await psu.send("revoke", {}, { target: accounts });
    expect(ours.bank.consents.get(consentId)?.status).toBe("revokedByPsu");
  });

  it("of a card that does not expire have no last day", async () => {
    const { ours, psu, funds } = await atPermissions();
    for (const [id, consent] of ours.bank.fundsConsents) {
      const cardExpiryDate = "9999-12-31" as IsoDate;
      ours.bank.fundsConsents.set(id, { ...consent, cardExpiryDate });
    }
    const view = await psu.details(funds);
    if (view?.page !== "permission") throw new Error("no permission");
    const where = { texts: textsFor("en"), profile: aspspProfile };
    expect(permissionFacts(where, view.permission).until).toBe("You or the provider end it");
  });

  it("of a TPP whose QWACs have all been revoked say nothing of what it is registered for", async () => {
    const { psu, accounts } = await atPermissions();
    const view = await psu.details(accounts);
    if (view?.page !== "permission") throw new Error("no permission");
    const { permission } = view;
    const where = { texts: textsFor("en"), profile: aspspProfile };
    expect(permissionFacts(where, permission)).toHaveProperty("registeredFor");
    const revoked = { ...permission, tpp: { ...permission.tpp, roles: [] } };
    expect(permissionFacts(where, revoked)).not.toHaveProperty("registeredFor");
  });

  it("P1: are nobody else's: another PSU's looks like one that does not exist", async () => {
    const { ours, accounts, funds, payment } = await atPermissions();
    const mihai = ownBrowser(ours);
    await mihai.signIn("mihai");
    expect(await mihai.list({ state: "all" })).toMatchObject({ tpps: [] });
    const unknown = `accounts/${crypto.randomUUID()}`;
    for (const target of [accounts, funds, payment, unknown]) {
      expect(await mihai.details(target)).toBeUndefined();
      expect(await mihai.revoking(target)).toBeUndefined();
      const address = permissionAsked(target);
      if (address === undefined) throw new Error("no address");
      expect(await mihai.inside((visit) => historyCsv(visit, address))).toBeUndefined();
    }
    expect(cellsOf(await mihai.inside(permissionsCsv))).toHaveLength(1);
  });

  it("are looked for by no text, and of no TPP, that has a control character", async () => {
    const { psu } = await atPermissions();
    const view = await psu.list({ text: "a\u0000", tpp: "\u0000", after: "\u0000" });
    expect(view).toMatchObject({ search: { text: undefined, tpp: undefined, after: undefined } });
  });

  it.each(["accounts", "accounts/x", "other/3f7c2b7e-5d53-4f2e-9d59-0a6a2f6f3c11", undefined])(
    "have no address %j",
    (target) => {
      expect(permissionAsked(target)).toBeUndefined();
    },
  );
});

describe("what a customer refuses to be asked for", () => {
  it("is set and ended by a form each, of one TPP or of all, and is their own", async () => {
    const { ours, psu } = await atPermissions();
    const offered = async (query: object) => {
      const view = await psu.refusals(query);
      if (view.page !== "refusals") throw new Error(view.page);
      return [view.offered, view.standing.map(({ kind }) => kind), view.outcome?.outcome];
    };
    expect(await offered({})).toEqual([["accounts", "funds", "payments"], [], undefined]);
    const ofTpp = { kind: "funds", tpp: tpp.id };
    expect(locationOf(await psu.send("refuse", ofTpp))).toBe(`/permissions/refusals?tpp=${tpp.id}`);
    expect(await offered({ tpp: tpp.id })).toEqual([
      ["accounts", "payments"],
      ["funds"],
      "refused",
    ]);
    expect(ours.bank.optOuts).toMatchObject([{ psuId: ana, kind: "funds", tppId: tpp.id }]);
    await psu.send("refuse", ofTpp);
    expect(await offered({})).toMatchObject([{ length: 3 }, ["funds"], "refused-already"]);
    await psu.send("refuse", { kind: "everything" });
    await psu.send("refuse", { kind: "accounts", tpp: "\u0000" });
    expect(ours.bank.optOuts).toHaveLength(1);

    const mihai = ownBrowser(ours);
    await mihai.signIn("mihai");
    expect(await mihai.refusals()).toMatchObject({ standing: [] });
    await mihai.send("refuse-no-more", ofTpp);
    expect(ours.bank.optOuts).toHaveLength(1);
    await psu.send("refuse-no-more", ofTpp);
    expect(ours.bank.optOuts).toEqual([]);
    expect(await offered({})).toMatchObject([{ length: 3 }, [], "not-refused"]);
  });

  it("is offered but once, however many refusals there are, and the next page is of the same TPP", async () => {
    const { ours, psu } = await atPermissions();
    const others = Array.from({ length: 21 }, (_, index) => `PSDRO-NBR-9${index}` as TppId);
    for (const tppId of [...others, tpp.id]) {
      await ours.services.optOuts.set({ psuId: ana, kind: "funds", tppId }, now);
    }
    const view = await psu.refusals({ tpp: tpp.id });
    if (view.page !== "refusals") throw new Error(view.page);
    expect(view.offered).toEqual(["accounts", "payments"]);
    const page = createElement(Refusals, { texts: textsFor("en"), view });
    expect(renderToStaticMarkup(page)).toContain(
      `href="${refusalsPath(tpp.id, view.next)}"`.replace("&", "&amp;"),
    );
    expect(view.next).toBe("20");
  });

  it("P2: is set by no form without its token", async () => {
    const { ours, psu } = await atPermissions();
    await psu.refusals();
    await psu.send(
      "refuse",
      { kind: "funds" },
      { token: psu.tokens.get("refuse-no-more") ?? null },
    );
    expect(ours.bank.optOuts).toEqual([]);
    expect(await psu.refusals()).toMatchObject({ outcome: { outcome: "stale-form" } });
  });
});

describe("ending a permission", () => {
  it("takes one confirmation; then the TPP's next call is refused, and its past stays visible", async () => {
    const { ours, psu, accounts, consentId } = await atPermissions();
    expect(await psu.revoking(accounts)).toMatchObject({ page: "revoke" });
    expect(ours.bank.consents.get(consentId)?.status).toBe("valid");
    const answer = await psu.send("revoke", {}, { target: accounts });
    expect(locationOf(answer)).toBe(`/permissions/${accounts}`);
    expect(await psu.details(accounts)).toMatchObject({
      permission: { state: "revoked" },
      outcome: { outcome: "revoked" },
      mayBeRevoked: false,
    });
    const consent = ours.bank.consents.get(consentId);
    if (consent === undefined) throw new Error("gone");
    const opened = openConsent(ours.services, consent, await ours.services.clock.now());
    await expect(opened).rejects.toMatchObject({ faults: [{ code: "CONSENT_INVALID" }] });
  });

  it("works for confirmation of funds too", async () => {
    const { psu, funds } = await atPermissions();
    await psu.revoking(funds);
    await psu.send("revoke", {}, { target: funds });
    expect(await psu.details(funds)).toMatchObject({ permission: { state: "revoked" } });
  });

  it("a second time, or of a payment, changes nothing and says so", async () => {
    const { psu, accounts, payment } = await atPermissions();
    await psu.revoking(accounts);
    await psu.send("revoke", {}, { target: accounts });
    await psu.send("revoke", {}, { target: accounts });
    const outcome = { outcome: "not-revoked" };
    expect(await psu.details(accounts)).toMatchObject({ outcome });
    const location = `/permissions/${accounts}`;
    expect(await psu.revoking(accounts)).toEqual({ page: "onward", location });
    expect(await psu.revoking(payment)).toMatchObject({ page: "onward" });
  });

  it("P2: the token of one permission's form is worth nothing for another's", async () => {
    const { ours, psu, accounts, funds, consentId } = await atPermissions();
    await psu.revoking(funds);
    await psu.send("revoke", {}, { target: accounts });
    expect(ours.bank.consents.get(consentId)?.status).toBe("valid");
    expect(await psu.revoking(accounts)).toMatchObject({ outcome: { outcome: "stale-form" } });
  });

  it("P12: takes a living session", async () => {
    const { ours, psu, accounts, consentId } = await atPermissions();
    await psu.revoking(accounts);
    ours.wait(5 + 1 / 60);
    await psu.send("revoke", {}, { target: accounts });
    expect(ours.bank.consents.get(consentId)?.status).toBe("valid");
  });

  it("of another PSU's is refused, whatever the form says", async () => {
    const { ours, accounts, consentId } = await atPermissions();
    const mihai = ownBrowser(ours);
    await mihai.signIn("mihai");
    const token = await ownFormToken(await mihai.visit(), "revoke", accounts);
    const answer = await mihai.send("revoke", {}, { target: accounts, token });
    expect(locationOf(answer)).toBe(`/permissions/${accounts}`);
    expect(ours.bank.consents.get(consentId)?.status).toBe("valid");
  });
});

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
    const psu = ownBrowser(await bankWithConsent());
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
      const ours = await bankWithConsent();
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
    const ours = await bankWithConsent();
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
    const psu = ownBrowser(await bankWithConsent());
    await psu.look();
    const headers = { ...own, "content-type": "text/plain" };
    await psu.send("password", { userId: "ana", password: "ana-sandbox" }, { headers });
    await psu.send("password", { userId: "ana", password: "x".repeat(70_000) });
    expect(await psu.look()).toMatchObject({ page: "sign-in", outcome: undefined });
  });
});
