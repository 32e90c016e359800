import { DrizzleQueryError } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { AccountConsent } from "@/lib/domain/consents";
import { UnavailableError } from "@/lib/domain/errors";
import { log } from "@/lib/log";
import { authorisationServer } from "./authorisation-server";
import { logFault } from "./http";
import {
  accepted,
  authorisationRequest,
  authorise,
  errorOf,
  issuer,
  open,
  post,
  type TestBank,
  testBank,
  testBrowser,
  tokenClient,
  tokensFrom,
  uidOf,
  webUrl,
} from "./testing";

describe("unavailable", () => {
  let client: Awaited<ReturnType<typeof tokenClient>>;
  beforeAll(async () => {
    client = await tokenClient();
  });
  afterAll(() => client.bank.close());

  type Port = { readonly owner: object; readonly method: string };
  const taken: (() => void)[] = [];
  /** From now on, until the end of the test, this part of the bank throws. */
  function fail({ owner, method }: Port, error: Error): void {
    const working: unknown = Reflect.get(owner, method);
    taken.push(() => void Reflect.set(owner, method, working));
    Reflect.set(owner, method, () => Promise.reject(error));
  }
  function mend(): void {
    for (const giveBack of taken.splice(0)) giveBack();
  }
  afterEach(mend);

  const outage = () =>
    new Error("Failed query", { cause: new UnavailableError("the database is away (57P01)") });
  /** Asked before the library is, and by the library in the middle of its own work. */
  const ports = (): readonly Port[] => [
    { owner: client.bank.ports.clock, method: "now" },
    { owner: client.bank.stores.models, method: "find" },
    { owner: client.bank.stores.tpps, method: "find" },
  ];

  describe("the bank's database is unavailable", () => {
    it("to a TPP's server: 503 temporarily_unavailable with Retry-After, and the code is not lost", async () => {
      const { back } = await client.authorised();
      for (const port of ports()) {
        fail(port, outage());
        const answer = await client.redeem(back);
        expect([port.method, answer.status]).toEqual([port.method, 503]);
        expect(answer.headers.get("retry-after")).toBe("2");
        expect(answer.headers.get("cache-control")).toBe("no-store");
        expect(await answer.json()).toMatchObject({ error: "temporarily_unavailable" });
        mend();
      }
      expect(await tokensFrom(await client.redeem(back))).toMatchObject({ token_type: "Bearer" });
    });

    it("to a PSU's browser: 503 with Retry-After, and no redirect to the TPP with an error", async () => {
      const consent = await client.bank.consent(client.example.tpp);
      const url = authorisationRequest(client.example.tpp, consent);
      for (const port of ports().filter(({ owner }) => owner !== client.bank.stores.models)) {
        fail(port, outage());
        const answer = await client.bank.server.serve(new Request(url));
        expect([port.method, answer.status]).toEqual([port.method, 503]);
        expect(answer.headers.get("location")).toBeNull();
        mend();
      }
      expect((await client.bank.server.serve(new Request(url))).status).toBe(303);
    });
  });

  it("any other internal error is a 500 without Retry-After", async () => {
    const { back } = await client.authorised();
    for (const port of ports()) {
      fail(port, new Error("a mistake"));
      const answer = await client.redeem(back);
      expect([port.method, answer.status]).toEqual([port.method, 500]);
      expect(answer.headers.get("retry-after")).toBeNull();
      mend();
    }
  });
});

let bank: TestBank;
let example: Awaited<ReturnType<TestBank["tpp"]>>;
let consent: AccountConsent;
beforeAll(async () => {
  bank = await testBank();
  example = await bank.tpp("PSDRO-NBR-1234567");
  consent = await bank.consent(example.tpp);
});
afterAll(() => bank.close());

describe("serve tpp host", () => {
  const get = (path: string, init: RequestInit = {}) =>
    bank.server.serve(new Request(`${issuer}${path}`, init));

  describe("metadata and keys", () => {
    it("publishes RFC 8414 metadata: what is offered, each endpoint on its host", async () => {
      const answer = await get("/.well-known/oauth-authorization-server");
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
      expect(await answer.json()).toEqual({
        issuer: "https://xs2a.bank.example",
        authorization_endpoint: "http://localhost:3000/auth",
        token_endpoint: "https://xs2a.bank.example/token",
        jwks_uri: "https://xs2a.bank.example/jwks",
        revocation_endpoint: "https://xs2a.bank.example/token/revocation",
        response_types_supported: ["code"],
        response_modes_supported: ["query"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["tls_client_auth"],
        revocation_endpoint_auth_methods_supported: ["tls_client_auth"],
        tls_client_certificate_bound_access_tokens: true,
        authorization_response_iss_parameter_supported: true,
      });
    });

    it("publishes the public half of the signing key and nothing more", async () => {
      const { keys } = (await (await get("/jwks")).json()) as { keys: object[] };
      expect(keys).toHaveLength(1);
      expect(Object.keys(keys[0] ?? {}).sort()).toEqual([
        "alg",
        "crv",
        "kid",
        "kty",
        "use",
        "x",
        "y",
      ]);
    });

    it.each([
      "/.well-known/openid-configuration",
      "/me",
      "/request",
      "/session/end",
      "/token/",
      "/TOKEN",
    ])("has no %s", async (path) => {
      expect(await errorOf(await get(path, { method: "POST" }))).toBe("404 invalid_request");
    });
  });

  describe("every answer", () => {
    const id = "99391c7e-ad88-49ec-a2ad-99ddcb1f7721";

    it.each<[string, string, RequestInit]>([
      ["200", "/jwks", {}],
      ["401", "/token", { method: "POST" }],
      ["404", "/unknown", {}],
      ["405", "/token", {}],
      ["413", "/token", { method: "POST", body: "x".repeat(65_537) }],
    ])("echoes the caller's ids: %s", async (status, path, init) => {
      const headers = { "X-Request-ID": id, "x-fapi-interaction-id": id.toUpperCase() };
      const answer = await get(path, { ...init, headers });
      expect(String(answer.status)).toBe(status);
      expect(answer.headers.get("x-request-id")).toBe(id);
      expect(answer.headers.get("x-fapi-interaction-id")).toBe(id.toUpperCase());
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("content-type")).toMatch(/json/);
      expect(answer.headers.getSetCookie()).toEqual([]);
    });

    it("S10: makes new ids when the caller's are invalid", async () => {
      const headers = { "X-Request-ID": "'; drop table", "x-fapi-interaction-id": "" };
      const answer = await get("/jwks", { headers });
      expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(answer.headers.get("x-fapi-interaction-id")).toMatch(/^[0-9a-f-]{36}$/);
    });

    it("names the one method that is offered", async () => {
      const answer = await get("/token", { method: "DELETE" });
      expect(answer.headers.get("allow")).toBe("POST");
      expect(await errorOf(answer)).toBe("405 invalid_request");
      expect((await get("/jwks", { method: "OPTIONS" })).status).toBe(405);
    });

    it("is JSON even for a caller that prefers HTML", async () => {
      const headers = { accept: "text/html", "content-type": "application/json", ...clientCert() };
      const answer = await get("/token", { method: "POST", headers, body: "{}" });
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
      expect(await errorOf(answer)).toBe("400 invalid_request");
    });

    it("says server_error and no more about an internal error", async () => {
      const broken = {
        find: () => Promise.reject(new Error("password of the database")),
        remember: async () => undefined,
        hasQwacFor: async () => false,
      };
      const server = authorisationServer({ ...bank.ports, tppRegister: broken });
      const answer = await post({ ...bank, server }, { client_id: example.tpp.id }, example);
      expect(answer.status).toBe(500);
      expect(await answer.text()).toBe('{"error":"server_error"}');
      const clock = { now: () => Promise.reject(new Error("no clock")) };
      const early = authorisationServer({ ...bank.ports, clock });
      const earlier = await post(
        { ...bank, server: early },
        { client_id: example.tpp.id },
        example,
      );
      expect(await earlier.text()).toBe('{"error":"server_error"}');
      const browser = await early.serve(new Request(`${webUrl}/auth?client_id=${example.tpp.id}`));
      expect(browser.headers.get("location")).toBe(`${webUrl}/authorise/ended?reason=fault`);
    });
  });

  describe("X1: a body", () => {
    it("over 64 KiB is refused, announced or not", async () => {
      const body = "a".repeat(65_537);
      const init = { method: "POST", headers: clientCert(), body };
      expect(await errorOf(await get("/token", init))).toBe("413 invalid_request");
      const stream = new Blob([body]).stream();
      const streamed = { ...init, body: stream, duplex: "half" } as RequestInit;
      expect(await errorOf(await get("/token", streamed))).toBe("413 invalid_request");
    });
  });

  function clientCert() {
    return { "client-cert": example.clientCert };
  }
});

describe("serve browser host", () => {
  describe("the browser host", () => {
    it("X13: uses its configured origin in every URL, whatever the Host header says", async () => {
      const url = authorisationRequest(example.tpp, consent);
      const headers = { host: "evil.example", "x-forwarded-host": "evil.example" };
      const request = new Request(`https://evil.example${url.pathname}${url.search}`, { headers });
      const answer = await bank.server.serve(request);
      expect(answer.headers.get("location")).toMatch(/^http:\/\/localhost:3000\/authorise\//);
    });

    it("is never cached and never named in a Referer", async () => {
      const request = new Request(authorisationRequest(example.tpp, consent));
      const answer = await bank.server.serve(request);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
      expect(await answer.text()).toBe("");
    });

    it.each(["POST", "HEAD", "PUT"])("offers no %s", async (method) => {
      const request = new Request(authorisationRequest(example.tpp, consent), { method });
      expect((await bank.server.serve(request)).status).toBe(405);
    });

    it("leads a browser without an interaction to the bank's page", async () => {
      const answer = await bank.server.serve(new Request(`${webUrl}/auth/V1StGXR8_Z5jdHi6B-myT`));
      expect(answer.status).toBe(303);
      expect(answer.headers.get("location")).toBe(`${webUrl}/authorise/ended?reason=gone`);
    });
  });

  describe("the browser", () => {
    it("P1: another browser, or a link with another uid, has no interaction", async () => {
      const consent = await bank.consent(example.tpp);
      const mine = testBrowser();
      const page = await open(bank, authorisationRequest(example.tpp, consent), mine);
      const theirs = testBrowser();
      const other = await open(bank, authorisationRequest(example.tpp, consent), theirs);
      const { read } = bank.server.interactions;
      const cookies = mine.cookiesFor(page.pathname);
      expect(await read(uidOf(page), cookies)).toBeDefined();
      expect(await read(uidOf(page), undefined)).toBeUndefined();
      expect(await read(uidOf(other), cookies)).toBeUndefined();
      expect(await read(uidOf(page), theirs.cookiesFor(other.pathname))).toBeUndefined();
      expect(await read(uidOf(page), `_interaction=${uidOf(page)}`)).toBeUndefined();
      const forged = cookies?.replaceAll(uidOf(page), uidOf(other));
      expect(await read(uidOf(other), forged)).toBeUndefined();
    });

    it("P13: a second authorisation in the same browser asks for the PSU again", async () => {
      const browser = testBrowser();
      const first = await bank.consent(example.tpp, { recurringIndicator: false });
      const back = await authorise(bank, example.tpp, first, browser);
      expect(back.searchParams.has("code")).toBe(true);
      const second = await bank.consent(example.tpp, { recurringIndicator: false });
      const page = await open(bank, authorisationRequest(example.tpp, second), browser);
      expect(page.pathname).toMatch(/^\/authorise\//);
      const secondBack = await authorise(bank, example.tpp, second, browser);
      expect(secondBack.searchParams.has("code")).toBe(true);
    });

    it("keeps its cookies to the one interaction, out of scripts and off other sites", async () => {
      const consent = await bank.consent(example.tpp);
      const url = authorisationRequest(example.tpp, consent);
      const cookies = (await bank.server.serve(new Request(url))).headers.getSetCookie();
      const names = cookies.map((cookie) => cookie.split("=")[0]);
      expect(names.sort()).toEqual([
        "_interaction",
        "_interaction.sig",
        "_interaction_resume",
        "_interaction_resume.sig",
      ]);
      for (const cookie of cookies) {
        expect(cookie).toMatch(/; path=\/(?:authorise|auth)\/[\w-]+;/);
        expect(cookie).toContain("; samesite=lax");
        expect(cookie).toContain("; httponly");
        expect(cookie).not.toContain("secure");
      }
    });

    it("gets cookies for https only where the browser host is on https", async () => {
      const server = authorisationServer({ ...bank.ports, webUrl: "https://bank.example" });
      const consent = await bank.consent(example.tpp);
      const answer = await server.serve(new Request(authorisationRequest(example.tpp, consent)));
      expect(answer.headers.get("location")).toMatch(/^https:\/\/bank\.example\/authorise\//);
      const cookies = answer.headers.getSetCookie();
      expect(cookies).toHaveLength(4);
      for (const cookie of cookies) expect(cookie).toContain("; secure");
    });

    it("P13: gets no session cookie, and one it brings changes nothing", async () => {
      const consent = await bank.consent(example.tpp);
      const browser = testBrowser();
      const page = await open(bank, authorisationRequest(example.tpp, consent), browser);
      await bank.finalise(consent);
      const cookies = browser.cookiesFor(page.pathname);
      const onward = await accepted(bank, page, cookies, consent);
      const cookie = `${browser.cookiesFor(new URL(onward).pathname)}; _session=abc; _session.sig=x`;
      const answer = await bank.server.serve(new Request(onward, { headers: { cookie } }));
      expect(answer.headers.get("location")).toContain("code=");
      expect(answer.headers.getSetCookie().filter((set) => set.startsWith("_session"))).toEqual([]);
      const [{ sessions }] = await bank.sql<[{ sessions: string }]>`
      select count(*) as sessions from oidc_payload where model = 'Session'`;
      expect(sessions).toBe("0");
    });

    it("may return late: its cookies last one window longer than the longest window", async () => {
      const consent = await bank.consent(example.tpp);
      const browser = testBrowser();
      const page = await open(bank, authorisationRequest(example.tpp, consent), browser);
      bank.passTime(179, "minute");
      const cookies = browser.cookiesFor(page.pathname);
      expect(await bank.server.interactions.read(uidOf(page), cookies)).toBeDefined();
      bank.passTime(2, "minute");
      expect(await bank.server.interactions.read(uidOf(page), cookies)).toBeUndefined();
    });

    it("forgets an interaction that the PSU refused, however often it is ended", async () => {
      const consent = await bank.consent(example.tpp);
      const browser = testBrowser();
      const page = await open(bank, authorisationRequest(example.tpp, consent), browser);
      const cookies = browser.cookiesFor(page.pathname);
      const { read, refuse } = bank.server.interactions;
      await refuse(uidOf(page), undefined);
      expect(await read(uidOf(page), cookies)).toBeDefined();
      await refuse(uidOf(page), cookies);
      await refuse(uidOf(page), cookies);
      expect(await read(uidOf(page), cookies)).toBeUndefined();
    });
  });
});

describe("log events", () => {
  afterEach(() => vi.restoreAllMocks());

  function logged(fault: unknown) {
    const error = vi.spyOn(log, "error").mockReturnValue(undefined);
    logFault(fault, "POST token");
    return error.mock.calls[0]?.[0];
  }
  const failed = (cause: Error) =>
    new DrizzleQueryError("select 1 where iban = $1", ["RO06DRWB0001000000000101"], cause);

  it("a fault of the authorisation server names the unavailable service in the log, and no value of the query", () => {
    const entry = logged(failed(new UnavailableError("the database is away (NO_ANSWER)")));
    expect(entry).toMatchObject({
      outage: "the database is away (NO_ANSWER)",
      where: "POST token",
    });
    expect(JSON.stringify(entry)).not.toContain("RO06");
  });

  it("X7: of a fault that is no outage the log has where it was, and not its message", () => {
    const entry = logged(failed(new Error("Key (iban)=(RO06DRWB0001000000000101)")));
    expect(entry).toMatchObject({ fault: "Error", outage: undefined, where: "POST token" });
    expect(JSON.stringify(entry)).not.toContain("RO06");
  });
});
