import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ScaStatus } from "@/lib/domain/authorisation";
import { CustomerBlocked } from "@/lib/domain/core-bank";
import { customersBlocked } from "@/lib/domain/testing/in-memory-bank";
import { ana, later, now, tpp } from "@/lib/domain/testing/samples";
import type { IsoDate } from "@/lib/domain/values";
import { replaceServices, type Services } from "@/lib/services";
import { aspspProfile } from "@/lib/testing-profile";
import { redirectUriFault } from "@/lib/xs2a/wire/common";
import { answerNotification, atProvider } from "./answers/identity-provider";
import { departurePath, errorRedirect, readDeparture } from "./leave";
import type { PsuServices } from "./ports";
import { takeAnswer } from "./request";
import { seal } from "./session";
import {
  atFunds,
  atPayment,
  atSummary,
  bankWithConsent,
  bankWithFundsConsent,
  bankWithPayment,
  browser,
  locationOf,
  refusedAt,
  sampleUid,
  type TestBank,
  WEB_URL,
  withApp,
} from "./testing/authorisation";
import { html, textOf } from "./testing/rendered";

const credentials = (userId: string, password = "wrong") =>
  [
    ["userId", userId],
    ["password", password],
  ] as const;

describe("Cancel", () => {
  it.each([
    ["login", async (psu: ReturnType<typeof browser>) => psu.look()],
    ["accounts", async (psu: ReturnType<typeof browser>) => psu.signIn()],
    [
      "summary",
      async (psu: ReturnType<typeof browser>) => {
        await psu.signIn();
        return psu.choose("current");
      },
    ],
  ])("P10: Cancel at %s rejects the consent and leads to the Nok URI", async (page, reach) => {
    const ours = await bankWithConsent({ nok: "https://tpp.example/nok" });
    const psu = browser(ours);
    expect(await reach(psu)).toMatchObject({ page });
    const answer = await psu.send("cancel");
    expect(answer.status).toBe(303);
    expect(locationOf(answer)).toBe(refusedAt("/nok"));
    expect(ours.bank.consents.get(ours.consent.id)?.status).toBe("rejected");
    expect(ours.calls).toEqual([`refuse ${sampleUid}`]);
  });

  it("Cancel without Nok URI leads to the redirect URI", async () => {
    const psu = browser(await bankWithConsent());
    await psu.look();
    expect(locationOf(await psu.send("cancel"))).toBe(refusedAt());
  });

  it("a Cancel from a page left open leads back even when the interaction is gone", async () => {
    const ours = await bankWithConsent();
    const psu = browser(ours);
    await psu.look();
    ours.open.clear();
    expect(locationOf(await psu.send("cancel"))).toBe(`/authorise/${sampleUid}`);
    expect(ours.authorisation().scaStatus).toBe("received");
    ours.wait(16);
    expect(locationOf(await psu.send("cancel"))).toBe(refusedAt());
  });

  it("but not with the ticket of another interaction", async () => {
    const ours = await bankWithConsent();
    const psu = browser(ours);
    const view = await psu.look();
    ours.open.clear();
    ours.wait(16);
    const other = browser(ours, "another");
    const ticket = "ticket" in view ? view.ticket : "none";
    expect(locationOf(await other.send("cancel", [["ticket", ticket]]))).toBe("/authorise/another");
  });

  it("a second click on Cancel leads to the same place and changes nothing more", async () => {
    const ours = await bankWithConsent();
    const psu = browser(ours);
    await psu.look();
    const both = [await psu.send("cancel"), await psu.send("cancel")];
    expect(both.map(locationOf)).toEqual([refusedAt(), refusedAt()]);
    expect(ours.calls).toHaveLength(1);
  });

  it("4(3)(b): the fifth failure of a user ID blocks it, and its page leads back; the four before ask again", async () => {
    const { ours, psu } = await atSummary({ nok: "https://tpp.example/nok" });
    const wrong = [["code", "000000"]] as const;
    for (const left of [4, 3, 2, 1]) {
      await psu.send("confirm", wrong);
      expect(await psu.look()).toMatchObject({ outcome: { attemptsLeft: left } });
    }
    expect(locationOf(await psu.send("confirm", wrong))).toBe(`/authorise/${sampleUid}`);
    expect(await psu.look()).toMatchObject({ page: "blocked", blockMinutes: 15 });
    expect(ours.authorisation().scaStatus).toBe("failed");
    expect(locationOf(await psu.send("cancel"))).toBe(refusedAt("/nok"));
    expect([...ours.sessions.values()].map(({ revoked }) => revoked)).toEqual([true]);
  });

  it("4(3)(b): where customers sign in at the provider, its page says that confirming is blocked", async () => {
    const { ours, psu } = await atSummary();
    for (let tries = 0; tries < 5; tries += 1) await psu.enterCode("000000");
    const config = { ...ours.services.config, PSU_LOGIN: "oidc" } as const;
    const provided = browser({ ...ours, services: { ...ours.services, config } });
    expect(await provided.look()).toMatchObject({ page: "confirming-blocked", blockMinutes: 15 });
  });

  it.each(["ana", "nobody"])("P11: wrong passwords of %s are failures alike", async (userId) => {
    const psu = browser(await bankWithConsent());
    await psu.look();
    for (let time = 0; time < 5; time += 1) {
      expect(locationOf(await psu.send("login", credentials(userId)))).toBe(
        `/authorise/${sampleUid}`,
      );
    }
    expect(await psu.look()).toMatchObject({ page: "blocked" });
  });

  it("4(3)(b): the fifth failure of an authorisation, of any user ID, leads back", async () => {
    const { ours, psu } = await atSummary();
    for (const userId of ["a", "b", "c", "d"]) await psu.send("login", credentials(userId));
    expect(locationOf(await psu.enterCode("000000"))).toBe(refusedAt());
    expect(ours.authorisation()).toMatchObject({ failedBecause: "too-many-tries" });
    expect([...ours.sessions.values()].map(({ revoked }) => revoked)).toEqual([true]);
  });

  it("while all tries are taken and none is judged, a page says that the answer was not taken", async () => {
    const { ours, psu } = await atSummary();
    ours.change({ failedAttempts: ours.services.profile.sca.failedAttemptsMax });
    await psu.enterCode();
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "stale-form" } });
  });

  it("every ended page still leads back", async () => {
    for (const minutes of [1, 16]) {
      const ours = await bankWithConsent();
      const psu = browser(ours);
      if (minutes === 1) ours.change({ scaStatus: "failed" });
      ours.wait(minutes);
      expect((await psu.look()).page).toBe(minutes === 1 ? "refused" : "expired");
      expect(locationOf(await psu.send("cancel"))).toBe(refusedAt());
    }
  });

  it("a code after the consent's last day: the page says that the time is over", async () => {
    const { ours, psu } = await atSummary();
    ours.bank.consents.set(ours.consent.id, {
      ...ours.consent,
      validUntil: "2026-11-19" as IsoDate,
    });
    await psu.enterCode();
    expect(await psu.look()).toMatchObject({ page: "expired", decided: true });
  });

  it("a TPP that has withdrawn is named as the reason", async () => {
    const { ours, psu } = await atSummary();
    ours.change({ scaStatus: "failed" });
    ours.bank.consents.set(ours.consent.id, { ...ours.consent, status: "terminatedByTpp" });
    expect(await psu.look()).toMatchObject({ page: "withdrawn" });
    const late = await psu.enterCode("123456");
    expect(locationOf(late)).toBe(`/authorise/${sampleUid}`);
  });
});

/** The bank's staff, meanwhile. */
const block = ({ bank }: TestBank, given: { readonly until?: Date } = {}) =>
  bank.blocked.set(tpp.id, { tppId: tpp.id, blockedAt: now, reason: "fraud", ...given });

const failed = { scaStatus: "failed", failedBecause: "tpp-blocked" };

const kinds = [
  ["an account consent", atSummary, "Nothing is shared with “Example TPP”."],
  ["a payment", atPayment, "Nothing was paid."],
  ["a funds consent", atFunds, "Nothing is shared with “Example TPP”."],
] as const;

describe.each(kinds)("C6: the TPP of %s is blocked before the PSU's yes", (_kind, at, nothing) => {
  it("the right code authorises nothing; a page says so, and not why", async () => {
    const { ours, psu } = await at();
    block(ours);
    expect(locationOf(await psu.enterCode())).toBe(`/authorise/${sampleUid}`);
    expect(ours.authorisation()).toMatchObject(failed);
    const view = await psu.look();
    expect(view).toMatchObject({ page: "tpp-blocked", decided: true });
    const said = textOf(html(view));
    expect(said).toContain("This request was stopped");
    expect(said).toContain("Drawbridge Bank does not accept requests from “Example TPP” now.");
    expect(said).toContain(nothing);
    expect(said).not.toContain("fraud");
    expect(ours.calls).toEqual([]);
  });

  it("Cancel leads to the Nok URI with access_denied, also after the block", async () => {
    const { ours, psu } = await at({ nok: "https://tpp.example/nok" });
    block(ours);
    await psu.look();
    ours.bank.blocked.clear();
    expect(await psu.look()).toMatchObject({ page: "tpp-blocked" });
    expect(locationOf(await psu.send("cancel"))).toBe(refusedAt("/nok"));
    expect(ours.calls).toEqual([`refuse ${sampleUid}`]);
  });

  it("no other code is sent", async () => {
    const { ours, psu } = await at();
    const sent = ours.bank.texts.length;
    block(ours);
    await psu.send("code");
    expect(ours.bank.texts).toHaveLength(sent);
    expect(await psu.look()).toMatchObject({ page: "tpp-blocked" });
  });

  it("a block that is over stops nothing", async () => {
    const { ours, psu } = await at();
    block(ours, { until: now });
    await psu.enterCode();
    expect(ours.authorisation()).toMatchObject({ scaStatus: "finalised" });
  });

  it("what the PSU has confirmed before stays confirmed", async () => {
    const { ours, psu } = await at();
    await psu.enterCode();
    block(ours);
    expect(await psu.look()).toMatchObject({ page: "continue" });
    expect(ours.authorisation()).toMatchObject({ scaStatus: "finalised" });
  });
});

it("C6: nobody signs in for a blocked TPP, and no attempt is counted", async () => {
  const ours = await bankWithConsent();
  const psu = browser(ours);
  await psu.look();
  block(ours);
  await psu.typePassword();
  expect(await psu.look()).toMatchObject({ page: "tpp-blocked" });
  expect(ours.authorisation().psuId).toBeUndefined();
  expect(ours.bank.psuFailures.size).toBe(0);
});

it("C6: a block that comes between the page and the database: the page says so", async () => {
  const { ours, psu } = await atPayment();
  const { finalisePayment: _, ...others } = ours.services.authorisations;
  const finalisePayment = async () => {
    block(ours, { until: later(5) });
    return "too-late" as const;
  };
  Object.assign(ours.services.authorisations, { ...others, finalisePayment });
  expect(locationOf(await psu.enterCode())).toBe(`/authorise/${sampleUid}`);
  expect(await psu.look()).toMatchObject({ page: "tpp-blocked" });
  expect(ours.authorisation()).toMatchObject({ ...failed, psuId: ana });
  // The code was right: it costs the PSU no attempt.
  expect([...ours.bank.psuFailures.values()].map(({ failures }) => failures)).toEqual([0]);
});

const issuer = "https://bank.example";
const back = (redirectUri: string, state: string) =>
  errorRedirect({ scaStatus: "failed", redirectUris: { redirectUri } }, { state, issuer });
const circumstances = {
  today: "2026-11-20" as IsoDate,
  profile: aspspProfile,
  sandbox: true,
  cursorSecret: "secret",
  redirectDomains: undefined,
};
const LINE = "Set-Cookie: session=stolen";

describe("a line break never gets from a TPP into a header of ours", () => {
  it.each(["\r\n", "\n", "\r", "\u0000", "\u0085", "\u2028", "\t"])(
    "S11: %j in TPP-Redirect-URI is refused",
    (sign) => {
      const uri = `https://tpp.example/cb${sign}${LINE}`;
      expect(redirectUriFault(uri, circumstances)).toBe("is not an absolute https URI");
    },
  );

  it.each(["%0d%0a", "%0D%0A", "%0a", "%E5%98%8A%E5%98%8D"])(
    "S11: %s in TPP-Redirect-URI stays as it is written",
    (sign) => {
      const location = back(`https://tpp.example/cb?x=${sign}${encodeURIComponent(LINE)}`, "s");
      expect(location).toMatch(/^https:\/\/tpp\.example\/cb\?[!-~]+$/);
      expect([...new Headers({ location }).keys()]).toEqual(["location"]);
    },
  );

  it.each([`\r\n${LINE}`, `\n${LINE}`, `%0d%0a${LINE}`, `\u560a${LINE}`])(
    "S11: state %j goes back encoded, and whole",
    (state) => {
      const location = back("https://tpp.example/cb", state);
      expect(location).toMatch(/^[!-~]+$/);
      expect(new URL(location).searchParams.get("state")).toBe(state);
    },
  );
});

const config = {
  SESSION_SECRET: "a secret of at least thirty-two characters",
} as PsuServices["config"];
const services = { config };
const location = "https://tpp.example/cb?code=x&state=y";

async function sealedOf(departure: { location: string; tppName: string }): Promise<string> {
  const path = await departurePath(services, departure);
  return path.split("/").at(-1) ?? "nothing";
}

describe("the page that leads on to the TPP", () => {
  it("P15: is the bank's own, so that a form's chain of redirects ends there", async () => {
    const path = await departurePath(services, { location, tppName: "Example TPP" });
    expect(path).toMatch(/^\/authorise\/leaving\/[\w.-]+$/);
    expect(path).not.toContain("tpp.example");
  });

  it("leads where the bank said", async () => {
    const departure = { location, tppName: "Example TPP" };
    expect(await readDeparture(services, await sealedOf(departure))).toEqual(departure);
  });

  it.each([undefined, "", "https://evil.example/", ["a", "b"], location])(
    "O12: leads nowhere by the word of a caller: %j",
    async (to) => expect(await readDeparture(services, to)).toBeUndefined(),
  );

  it("O12: leads nowhere by a text sealed for something else, or altered", async () => {
    const content = { location, tppName: "Example TPP" };
    const other = await seal(config.SESSION_SECRET, "psu-way-back", content, 60);
    expect(await readDeparture(services, other)).toBeUndefined();
    const sealed = await sealedOf(content);
    const [head = "", ...rest] = sealed.split(".");
    const tag = String(rest.pop());
    const altered = [head, ...rest, `${tag.startsWith("A") ? "B" : "A"}${tag.slice(1)}`].join(".");
    expect(await readDeparture(services, altered)).toBeUndefined();
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "tpp:cb"])(
    "O12: never leads to %s",
    async (evil) => {
      const sealed = await sealedOf({ location: evil, tppName: "Example TPP" });
      expect(await readDeparture(services, sealed)).toBeUndefined();
    },
  );
});

describe("an error response to the TPP", () => {
  const answer = { state: "s t&a=te#", issuer: "https://bank.example" };
  const redirectUri = "https://tpp.example/cb?keep=1";
  const failed = (uris: { redirectUri: string; nokRedirectUri?: string }) => ({
    scaStatus: "failed" as ScaStatus,
    redirectUris: uris,
  });

  it("P10: leads to the Nok URI when the TPP gave one, with error, state and iss once each", () => {
    const nokRedirectUri = "https://tpp.example/nok?state=old&x=1";
    const url = new URL(errorRedirect(failed({ redirectUri, nokRedirectUri }), answer));
    expect(url.origin + url.pathname).toBe("https://tpp.example/nok");
    expect([...url.searchParams].sort()).toEqual([
      ["error", "access_denied"],
      ["iss", "https://bank.example"],
      ["state", answer.state],
      ["x", "1"],
    ]);
  });

  it("leads to the redirect URI otherwise, and keeps its query", () => {
    const url = new URL(errorRedirect(failed({ redirectUri }), answer));
    expect(url.pathname).toBe("/cb");
    expect(url.searchParams.get("keep")).toBe("1");
  });

  it("does not report a PSU who has confirmed as one who refused", () => {
    const url = errorRedirect({ scaStatus: "finalised", redirectUris: { redirectUri } }, answer);
    expect(new URL(url).searchParams.get("error")).toBe("server_error");
  });

  it("O12: whatever state holds, the browser goes to the stored host and path", () => {
    const evil = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(
        "javascript:alert(1)",
        "//evil.example",
        "\\\\evil.example",
        "%0d%0aX: y",
        "@e",
      ),
    );
    fc.assert(
      fc.property(evil, (state) => {
        const url = new URL(errorRedirect(failed({ redirectUri }), { ...answer, state }));
        expect(url.origin + url.pathname).toBe("https://tpp.example/cb");
        expect(url.searchParams.getAll("state")).toEqual([state]);
        expect(url.href).not.toMatch(/[\r\n]/);
      }),
    );
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "//evil.example", "\\\\evil", "tpp:cb", ""])(
    "O12: a stored %j leads nowhere",
    (stored) => {
      expect(() => errorRedirect(failed({ redirectUri: stored }), answer)).toThrow();
    },
  );
});

it.each([
  ["accounts", bankWithConsent],
  ["funds", bankWithFundsConsent],
  ["payments", bankWithPayment],
] as const)(
  "P16: a customer who refuses to be asked for %s is told so as soon as they have signed in, gets no code, and leads back once",
  async (kind, at) => {
    const ours = await at({});
    const psu = browser(ours);
    await psu.look();
    await ours.services.optOuts.set({ psuId: ana, kind }, now);
    await psu.typePassword();
    const view = await psu.look();
    expect(view).toMatchObject({ page: "opted-out", decided: true });
    expect(textOf(html(view))).toContain("You do not want to be asked for this");
    expect(ours.authorisation()).toMatchObject({ scaStatus: "failed", failedBecause: "opted-out" });
    expect(ours.bank.texts).toEqual([]);
    expect(locationOf(await psu.send("cancel"))).toBe(refusedAt());
    expect(ours.calls).toEqual([`refuse ${sampleUid}`]);
  },
);

describe.each([
  ["an account consent", bankWithConsent, atSummary, "Nothing is shared with “Example TPP”."],
  ["a funds consent", bankWithFundsConsent, atFunds, "Nothing is shared with “Example TPP”."],
  ["a payment", bankWithPayment, atPayment, "Nothing was paid."],
] as const)("%s of a PSU blocked in all channels", (_kind, bankAt, at, nothing) => {
  const failed = { scaStatus: "failed", failedBecause: "customer-blocked" };

  it("is refused and rejected after the sign-in: a page says so, sends no code, and leads to the Nok URI", async () => {
    const ours = await bankAt({ nok: "https://tpp.example/nok" });
    Object.assign(ours.services.coreBank, customersBlocked);
    const psu = browser(ours);
    const view = await psu.signIn();
    expect(view).toMatchObject({ page: "customer-blocked", decided: true });
    expect(textOf(html(view))).toContain("has blocked you in all its channels");
    expect(textOf(html(view))).toContain(nothing);
    expect(ours.authorisation()).toMatchObject(failed);
    expect(statusOf(ours)).toMatch(/^(rejected|RJCT)$/);
    expect(ours.bank.texts).toEqual([]);
    expect(locationOf(await psu.send("cancel"))).toBe(refusedAt("/nok"));
    expect(ours.calls).toEqual([`refuse ${sampleUid}`]);
  });

  it("is refused also where the right code comes after the block, which costs no attempt", async () => {
    const { ours, psu } = await at();
    Object.assign(ours.services.coreBank, customersBlocked);
    expect(locationOf(await psu.enterCode())).toBe(`/authorise/${sampleUid}`);
    expect(ours.authorisation()).toMatchObject(failed);
    expect(await psu.look()).toMatchObject({ page: "customer-blocked", decided: true });
    expect([...ours.bank.psuFailures.values()].map(({ failures }) => failures)).toEqual([0]);
  });

  it("stays confirmed where the PSU has confirmed it before", async () => {
    const { ours, psu } = await at();
    await psu.enterCode();
    Object.assign(ours.services.coreBank, customersBlocked);
    expect(await psu.look()).toMatchObject({ page: "continue" });
    expect(ours.authorisation()).toMatchObject({ scaStatus: "finalised" });
  });
});

/** The process's, until the test is over. */
function replacing(services: object) {
  replaceServices(services as unknown as Services);
  onTestFinished(() => replaceServices(undefined));
}

it("a PSU blocked in all channels who has confirmed in the app is refused, also without a browser", async () => {
  const ours = withApp(bankWithPayment());
  await browser(ours).signIn();
  Object.assign(ours.services.coreBank, customersBlocked);
  ours.app.answer = {
    outcome: "approved",
    identified: { customerId: ana, authTime: now, idToken: "token" },
  };
  const { config } = ours.services;
  replacing({ ...ours.services, config: { ...config, IDP_CIBA: "ping" } });
  const { approval } = ours.authorisation();
  if (approval?.request === undefined) throw new Error("nothing waits in the app");
  ours.change({ approval: { ...approval, request: { ...approval.request, id: "request-1" } } });
  const told = new Request(`${WEB_URL}/notification`, {
    method: "POST",
    body: JSON.stringify({ auth_req_id: "request-1" }),
    headers: { authorization: `Bearer ${approval.nonce}` },
  });
  expect((await answerNotification(told)).status).toBe(204);
  expect(ours.authorisation()).toMatchObject({ failedBecause: "customer-blocked" });
});

it("a PSU blocked in all channels who comes back from the identity provider is refused", async () => {
  const { ours, psu } = await atPayment();
  replacing({ ...ours.services, identityProvider: {} });
  const back = atProvider(async () => {
    throw new CustomerBlocked();
  });
  const request = new Request(`${WEB_URL}/`, { headers: { cookie: psu.jar.header() } });
  const answer = await back(request, { params: Promise.resolve({ uid: sampleUid }) });
  expect(locationOf(answer)).toBe(`/authorise/${sampleUid}`);
  expect(await psu.look()).toMatchObject({ page: "customer-blocked" });
});

function statusOf({ bank }: TestBank) {
  const all = [
    ...bank.consents.values(),
    ...bank.fundsConsents.values(),
    ...bank.payments.values(),
  ];
  return all[0]?.status;
}

it("the last page does not say that nothing was confirmed where the bank refused what the PSU confirmed", async () => {
  const { ours, psu } = await atPayment();
  ours.bank.paymentFinalisation = "rejected";
  await psu.enterCode();
  ours.bank.payments.set(ours.payment().id, { ...ours.payment(), reason: "day-limit" });
  const view = await psu.look();
  if (!("tokens" in view)) throw new Error("no form");
  const headers = { cookie: psu.jar.header(), "sec-fetch-site": "same-origin" };
  const body = new URLSearchParams({ token: view.tokens.cancel, ticket: view.ticket });
  const url = `${WEB_URL}/authorise/${sampleUid}/cancel`;
  const request = new Request(url, { method: "POST", body, headers });
  const answer = await takeAnswer(ours.services, { request, uid: sampleUid, action: "cancel" });
  const to = answer.headers.get("location")?.split("/authorise/leaving/")[1];
  const departure = await readDeparture(ours.services, to);
  expect(departure?.location).toContain("error=access_denied");
  expect(departure?.outcome).toBeUndefined();
});
