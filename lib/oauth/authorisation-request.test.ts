import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccountConsent } from "@/lib/domain/consents";
import { recorder } from "@/lib/postgres/testing-database";
import { seenTpps } from "@/lib/postgres/tpps";
import { formatScope, parseScope } from "./authorisation-request";
import {
  accepted,
  authorisationRequest,
  issuer,
  okUri,
  open,
  type Parameters,
  type TestBank,
  testBank,
  testBrowser,
  tokenClient,
  webUrl,
} from "./testing";

let bank: TestBank;
let example: Awaited<ReturnType<TestBank["tpp"]>>;
let consent: AccountConsent;
beforeAll(async () => {
  bank = await testBank();
  example = await bank.tpp("PSDRO-NBR-1234567");
  consent = await bank.consent(example.tpp);
});
afterAll(() => bank.close());

const ask = (changes: Parameters, of = consent) =>
  open(bank, authorisationRequest(example.tpp, of, changes), testBrowser());

describe("authorisation request", () => {
  /** Back at the TPP with an error; yields its code. */
  function refusal(back: URL): string | null {
    expect(`${back.origin}${back.pathname}`).toBe("https://tpp.example/ok");
    expect(back.searchParams.get("from")).toBe("bank");
    expect(back.searchParams.has("code")).toBe(false);
    expect(back.searchParams.get("iss")).toBe(issuer);
    return back.searchParams.get("error");
  }

  describe("any other fault goes to the TPP with state and iss", () => {
    it.each<[string, Parameters]>([
      ["O9: response_type=token", { response_type: "token" }],
      ["O9: response_type=code id_token", { response_type: "code id_token" }],
      ["O9: response_type=none", { response_type: "none" }],
    ])("%s: unsupported_response_type", async (_name, changes) => {
      const back = await ask(changes);
      expect(refusal(back)).toBe("unsupported_response_type");
      expect(back.hash).toBe("");
      expect(back.searchParams.get("state")).toBe("a state & more");
    });

    it.each<[string, Parameters]>([
      ["response_type missing", { response_type: undefined }],
      ["O9: response_mode=fragment", { response_mode: "fragment" }],
      ["O9: response_mode=form_post", { response_mode: "form_post" }],
      ["O9: response_mode=web_message", { response_mode: "web_message" }],
      ["O9: response_mode=jwt", { response_mode: "jwt" }],
      ["O9: code_challenge_method=plain", { code_challenge_method: "plain" }],
      ["O9: code_challenge_method missing", { code_challenge_method: undefined }],
      ["code_challenge missing", { code_challenge: undefined }],
      ["code_challenge too short", { code_challenge: "a".repeat(42) }],
      ["code_challenge too long", { code_challenge: "a".repeat(44) }],
      ["code_challenge with padding", { code_challenge: `${"a".repeat(42)}=` }],
      ["a request object", { request: "eyJhbGciOiJub25lIn0.e30." }],
      ["a request object by reference", { request_uri: "https://tpp.example/request" }],
      ["registration", { registration: "{}" }],
      ["scope given twice", { scope: ["AIS:1", "AIS:2"] }],
      ["an unknown parameter given twice", { colour: ["red", "blue"] }],
    ])("%s: invalid_request", async (_name, changes) => {
      const back = await ask(changes);
      expect(refusal(back)).toBe("invalid_request");
      expect(back.hash).toBe("");
      expect(back.searchParams.get("state")).toBe("a state & more");
    });

    it.each<[string, Parameters]>([
      ["missing", { state: undefined }],
      ["empty", { state: "" }],
      ["with a line break", { state: "a\r\nSet-Cookie: b=c" }],
      ["with a NUL", { state: "a\u0000" }],
      ["given twice", { state: ["one", "two"] }],
    ])("state %s: invalid_request", async (_name, changes) => {
      expect(refusal(await ask(changes))).toBe("invalid_request");
    });

    it.each<[string, Parameters]>([
      ["missing", { scope: undefined }],
      ["malformed", { scope: "AIS:42" }],
      ["openid", { scope: "openid" }],
      ["of two resources", { scope: "AIS:1 PIS:2" }],
      ["unknown", { scope: "AIS:00000000-0000-4000-8000-000000000000" }],
    ])("O2: scope %s: invalid_scope", async (_name, changes) => {
      const back = await ask(changes);
      expect(refusal(back)).toBe("invalid_scope");
      expect(back.searchParams.get("state")).toBe("a state & more");
    });

    it("O11: the id of an AIS consent under another prefix: invalid_scope", async () => {
      expect(refusal(await ask({ scope: `PIS:${consent.id}` }))).toBe("invalid_scope");
      expect(refusal(await ask({ scope: `PIIS:${consent.id}` }))).toBe("invalid_scope");
    });

    it("O2: another TPP's consent is answered word for word like an unknown one", async () => {
      const other = await bank.tpp("PSDDE-BAFIN-99");
      const theirs = await bank.consent(other.tpp);
      const foreign = await ask({ scope: `AIS:${theirs.id}` });
      const unknown = await ask({ scope: "AIS:00000000-0000-4000-8000-000000000000" });
      expect(refusal(foreign)).toBe("invalid_scope");
      expect(foreign.href).toBe(unknown.href);
    });

    it("O2: a consent that is authorised, or rejected, already: invalid_scope", async () => {
      const authorised = await bank.consent(example.tpp, { recurringIndicator: false });
      await bank.finalise(authorised);
      expect(refusal(await ask({}, authorised))).toBe("invalid_scope");
      const rejected = await bank.consent(example.tpp);
      const now = await bank.ports.clock.now();
      const on = rejected.lastActionDate;
      const failure = { id: rejected.authorisationId, because: "cancelled", on, at: now } as const;
      await bank.stores.authorisations.fail(failure);
      expect(refusal(await ask({}, rejected))).toBe("invalid_scope");
    });

    it("O2: a consent whose window is over: invalid_scope, and the consent is rejected", async () => {
      const now = await bank.ports.clock.now();
      const late = await bank.consent(example.tpp, {}, { expiresAt: now });
      expect(refusal(await ask({}, late))).toBe("invalid_scope");
      expect((await bank.stores.consents.find(late.id))?.status).toBe("rejected");
    });

    it("C7: a TPP without the role for the scope: invalid_scope", async () => {
      const { tpp } = await bank.tpp("PSDRO-NBR-7777777", ["PSP_PI"]);
      const theirs = await bank.consent(tpp);
      const request = authorisationRequest(tpp, theirs);
      expect(refusal(await open(bank, request, testBrowser()))).toBe("invalid_scope");
    });
  });

  describe("requests that are accepted", () => {
    it.each<[string, (id: string) => Parameters]>([
      ["prefix in lower case", (id) => ({ scope: `ais:${id}` })],
      ["one blank after the colon", (id) => ({ scope: `AIS: ${id}` })],
      ["offline_access", (id) => ({ scope: `AIS:${id} offline_access` })],
      ["response_mode=query", () => ({ response_mode: "query" })],
      ["prompt and nonce of an OpenID client", () => ({ prompt: "consent", nonce: "n" })],
      ["a resource indicator", () => ({ resource: "https://elsewhere.example" })],
      ["ui_locales that are none", () => ({ ui_locales: "\u0000" })],
    ])("%s", async (_name, changes) => {
      expect((await ask(changes(consent.id))).pathname).toMatch(/^\/authorise\/./);
    });

    it("a redirect URI on http://localhost, as in the sandbox", async () => {
      const redirectUri = "http://localhost:49152/callback";
      const sandboxed = await bank.consent(example.tpp, {}, { redirectUris: { redirectUri } });
      const page = await ask({ redirect_uri: redirectUri }, sandboxed);
      expect(page.pathname).toMatch(/^\/authorise\/./);
    });

    it("a TPP's identifier is its client_id, as long as a certificate may name it", async () => {
      const { tpp } = await bank.tpp(`PSDRO-NBR-${"1".repeat(200)}`);
      const request = authorisationRequest(tpp, await bank.consent(tpp));
      expect((await open(bank, request, testBrowser())).pathname).toMatch(
        /^\/authorise\/[^/]{43}$/,
      );
    });

    it("C7: of a TPP with a QWAC for each role, whichever was seen last", async () => {
      const { tpp } = await bank.tpp("PSDRO-NBR-7777778", ["PSP_PI"]);
      const theirs = await bank.consent(tpp);
      const notAfter = new Date(Date.now() + 60_000);
      const of = { kind: "QWAC", thumbprint: "reads", serialNumber: "1", issuer: "CN=I" } as const;
      const qwac = { ...of, notAfter, roles: ["PSP_AI"] } as const;
      await seenTpps(bank.db).keepCertificates(tpp.id, [qwac], new Date());
      const page = await open(bank, authorisationRequest(tpp, theirs), testBrowser());
      expect(page.pathname).toMatch(/^\/authorise\/./);
    });

    it("a URI that the library rejects does not block another one", async () => {
      const { tpp } = await bank.tpp("PSDRO-NBR-5555555");
      await bank.consent(tpp, {}, { redirectUris: { redirectUri: "https://tpp.example/ok#x" } });
      const good = await bank.consent(tpp);
      const page = await open(bank, authorisationRequest(tpp, good), testBrowser());
      expect(page.pathname).toMatch(/^\/authorise\/./);
    });
  });
});

describe("a fault in client_id or redirect_uri ends on the bank's own page", () => {
  const ended = (reason: string) => `${webUrl}/authorise/ended?reason=${reason}`;

  it.each<[string, Parameters]>([
    ["missing", { client_id: undefined }],
    ["empty", { client_id: "" }],
    ["unknown", { client_id: "PSDRO-NBR-0000000" }],
    ["in lower case", { client_id: "psdro-nbr-1234567" }],
    ["with a NUL", { client_id: "PSDRO-NBR-1234567\u0000" }],
    ["given twice", { client_id: ["PSDRO-NBR-1234567", "PSDRO-NBR-1234567"] }],
    ["a URL, as for a metadata document", { client_id: "https://tpp.example/client" }],
  ])("client_id %s", async (_name, changes) => {
    expect((await ask(changes)).href).toBe(ended("unknown-client"));
  });

  it("in the language that the request asks for, where that is one", async () => {
    const unknown = (ui_locales: string) => ask({ client_id: "PSDRO-NBR-0000000", ui_locales });
    const page = "/authorise/ended";
    expect((await unknown("ro-RO en")).href).toBe(
      `${webUrl}${page}/ro-RO/en?reason=unknown-client`,
    );
    for (const none of ["../en", "//evil.example", "ro?reason=x", ""])
      expect((await unknown(none)).href).toBe(ended("unknown-client"));
  });

  it.each([
    "https://tpp.example/other?from=bank",
    "https://tpp.example/ok",
    "https://tpp.example/ok?from=bank&more=1",
    "https://tpp.example/ok?from=bank#fragment",
    "https://tpp.example/ok?from=bank#",
    "https://user@tpp.example/ok?from=bank",
    "https://tpp.example@evil.example/ok?from=bank",
    "https://tpp.example/../ok?from=bank",
    "https://tpp.example/x/../ok?from=bank",
    "https://tpp.example/ok/?from=bank",
    "https://TPP.example/ok?from=bank",
    "HTTPS://tpp.example/ok?from=bank",
    "http://tpp.example/ok?from=bank",
    "https://localhost/ok?from=bank",
    "http://localhost:8080/ok?from=bank",
    "https://tpp.exаmple/ok?from=bank",
    "https://tpp.example:443/ok?from=bank",
    "https://tpp.example:8443/ok?from=bank",
    "https://tpp.example/%6fk?from=bank",
    "https://tpp.example.evil.example/ok?from=bank",
    "//tpp.example/ok?from=bank",
    " https://tpp.example/ok?from=bank",
    "https:\\\\tpp.example/ok?from=bank",
    "javascript:alert(1)",
    "https://redirect-uri.invalid/",
    "",
  ])("O3: redirect_uri %s", async (redirectUri) => {
    expect((await ask({ redirect_uri: redirectUri })).href).toBe(ended("wrong-redirect-uri"));
  });

  it.each<[string, Parameters]>([
    ["missing", { redirect_uri: undefined }],
    ["given twice", { redirect_uri: [okUri, okUri] }],
    ["the Nok URI of the resource", { redirect_uri: "https://tpp.example/nok" }],
  ])("O3: redirect_uri %s", async (_name, changes) => {
    expect((await ask(changes)).href).toBe(ended("wrong-redirect-uri"));
  });

  it("O3: the URI of another resource of the same TPP", async () => {
    const redirectUri = "https://tpp.example/second";
    const second = await bank.consent(example.tpp, {}, { redirectUris: { redirectUri } });
    expect((await ask({ redirect_uri: redirectUri })).href).toBe(ended("wrong-redirect-uri"));
    expect((await ask({ redirect_uri: redirectUri }, second)).pathname).toMatch(/^\/authorise\/./);
  });

  it("O2: a scope of another TPP proves no redirect_uri", async () => {
    const redirectUri = "https://other.example/ok";
    const other = await bank.tpp("PSDDE-BAFIN-99");
    const theirs = await bank.consent(other.tpp, {}, { redirectUris: { redirectUri } });
    const answer = await ask({ redirect_uri: redirectUri }, theirs);
    expect(answer.href).toBe(ended("wrong-redirect-uri"));
  });
});

describe("blocked client", () => {
  async function waiting(id: string) {
    const { tpp } = await bank.tpp(id);
    const consent = await bank.consent(tpp);
    const ask = (changes = {}) =>
      open(bank, authorisationRequest(tpp, consent, changes), testBrowser());
    return { tpp, consent, ask };
  }

  it("C6: a blocked TPP starts no authorisation: unauthorized_client, until it is unblocked", async () => {
    const { tpp, ask } = await waiting("PSDRO-NBR-1");
    const other = await waiting("PSDRO-NBR-2");
    const { stopList } = bank.ports;
    await stopList.block({ tppId: tpp.id, blockedAt: new Date(), reason: "suspected of fraud" });
    const back = await ask();
    expect(`${back.origin}${back.pathname}?from=bank`).toBe(okUri);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      from: "bank",
      error: "unauthorized_client",
      error_description: "the bank does not serve this client now",
      state: "a state & more",
      iss: issuer,
    });
    expect((await other.ask()).href).toContain(`${webUrl}/authorise/`);
    await stopList.unblock(tpp.id, new Date());
    expect((await ask()).href).toContain(`${webUrl}/authorise/`);
  });

  it("C6: a blocked TPP's PSU is never redirected to an address that it has not signed", async () => {
    const { tpp, ask } = await waiting("PSDRO-NBR-3");
    await bank.ports.stopList.block({ tppId: tpp.id, blockedAt: new Date() });
    const page = await ask({ redirect_uri: "https://elsewhere.example/" });
    expect(page.href).toBe(`${webUrl}/authorise/ended?reason=wrong-redirect-uri`);
  });
});

describe("open authorisations", () => {
  const OPEN = 3_000;
  const elsewhere = "https://tpp.example/elsewhere";
  const unknown = { id: "00000000-0000-4000-8000-000000000000" };

  const { asked, debug } = recorder();

  let client: Awaited<ReturnType<typeof tokenClient>>;
  beforeAll(async () => {
    client = await tokenClient({ debug });
  });
  afterAll(() => client.bank.close());

  /** As many open authorisations of the TPP, each with a redirect URI of its own or all with the same. */
  async function manyOpen(count: number) {
    const { sql } = client.bank;
    const { consent } = await client.authorised({ recurringIndicator: false });
    await sql`insert into authorisation (id, kind, resource_id, tpp_id, request_id, sca_status, redirect_uri,
      failed_attempts, selection, codes_sent, created_at, expires_at)
    select gen_random_uuid(), kind, gen_random_uuid(), tpp_id, gen_random_uuid(), 'received',
      case when n % 2 = 0 then ${okUri} else 'https://tpp.example/ok/' || n end,
      0, '{}', 0, created_at, expires_at
    from authorisation, generate_series(1, ${count}) n where id = ${consent.authorisationId}`;
    await sql`analyze authorisation`;
  }

  type Plan = {
    readonly "Relation Name"?: string;
    readonly "Actual Rows": number;
    readonly "Actual Loops": number;
    readonly "Rows Removed by Filter"?: number;
    readonly "Rows Removed by Index Recheck"?: number;
    readonly Plans?: readonly Plan[];
  };

  /** How many rows of `authorisation` a plan has read, whether or not it has used them. */
  function rowsRead(plan: Plan): number {
    const {
      "Actual Rows": used,
      "Actual Loops": loops,
      "Rows Removed by Filter": filtered = 0,
      "Rows Removed by Index Recheck": rechecked = 0,
    } = plan;
    const own =
      plan["Relation Name"] === "authorisation" ? (used + filtered + rechecked) * loops : 0;
    return own + (plan.Plans ?? []).map(rowsRead).reduce((sum, rows) => sum + rows, 0);
  }

  /** What this sends to the database, and how many authorisations the statements read. */
  async function costOf(work: () => Promise<unknown>) {
    asked.length = 0;
    await work();
    const sent = asked.filter(({ text }) => /^select/i.test(text));
    let rows = 0;
    for (const { text, params } of sent) {
      const explained = await client.bank.sql.unsafe(
        `explain (analyze, format json) ${text}`,
        params as string[],
      );
      rows += rowsRead(explained[0]?.["QUERY PLAN"][0].Plan);
    }
    return { statements: sent.map(({ text }) => text), rows };
  }

  const ask = (redirectUri: string) => async () => {
    const url = authorisationRequest(client.example.tpp, unknown, { redirect_uri: redirectUri });
    return (await open(client.bank, url, testBrowser())).href;
  };

  describe("X17: open authorisations of a TPP slow down no request", () => {
    it("X17: an authorisation request for an unknown scope, and a token, read the same with 3,000 open as with two", async () => {
      await manyOpen(2);
      const { back } = await client.authorised({ recurringIndicator: true });
      const before = [await costOf(ask(okUri)), await costOf(ask(elsewhere))];
      const token = await costOf(async () => {
        expect((await client.redeem(back)).status).toBe(200);
      });
      await manyOpen(OPEN);
      const { back: later } = await client.authorised({ recurringIndicator: true });
      const after = [await costOf(ask(okUri)), await costOf(ask(elsewhere))];
      const tokenLater = await costOf(async () => {
        expect((await client.redeem(later)).status).toBe(200);
      });
      for (const [at, cost] of [...after, tokenLater].entries()) {
        expect(cost.statements).toEqual([...before, token][at]?.statements);
        expect(cost.rows).toBeLessThanOrEqual(10);
      }
    });

    it("O2: the answers stay the same: an unknown scope is reported to the TPP at its own URI alone", async () => {
      await manyOpen(1);
      expect(await ask(okUri)()).toContain("error=invalid_scope");
      expect(await ask(elsewhere)()).toBe(`${webUrl}/authorise/ended?reason=wrong-redirect-uri`);
      expect(await ask("\u0000")()).toBe(`${webUrl}/authorise/ended?reason=wrong-redirect-uri`);
    });
  });
});

describe("O10: an answer that reaches the TPP's redirect URI says who gives it", () => {
  // RFC 9207: a TPP of many banks sees whose answer it holds before it takes the code anywhere.

  it("O10: once, when there is a code", async () => {
    const consent = await bank.consent(example.tpp);
    const browser = testBrowser();
    const page = await open(bank, authorisationRequest(example.tpp, consent), browser);
    await bank.finalise(consent);
    const cookies = browser.cookiesFor(page.pathname);
    const onward = await accepted(bank, page, cookies, consent);
    const back = await open(bank, onward, browser);
    expect(back.searchParams.has("code")).toBe(true);
    expect(back.searchParams.getAll("iss")).toEqual([issuer]);
  });

  it.each([
    { response_type: "token" },
    { scope: "AIS:unknown" },
    { iss: "https://evil.example", response_type: "token" },
  ])("O10: once, when there is an error: %j", async (changes) => {
    const consent = await bank.consent(example.tpp);
    const request = authorisationRequest(example.tpp, consent, changes);
    const back = await open(bank, request, testBrowser());
    expect(back.searchParams.has("error")).toBe(true);
    expect(back.searchParams.getAll("iss")).toEqual([issuer]);
  });
});

describe("scope", () => {
  const id = "7f1d2c3b-4a5e-4f60-8b71-92a3b4c5d6e7";
  const ais = { kind: "AIS", resourceId: id };

  describe("the scope of an authorisation", () => {
    it.each([
      ["as the standard writes it", `AIS:${id}`],
      ["prefix in lower case", `ais:${id}`],
      ["one blank after the colon", `AIS: ${id}`],
      ["a blank and offline_access", `offline_access Ais: ${id}`],
      ["offline_access, which is ignored", `AIS:${id} offline_access`],
    ])("is read: %s", (_name, text) => {
      expect(parseScope(text)).toEqual(ais);
    });

    it.each([
      ["nothing", null],
      ["empty", ""],
      ["offline_access alone", "offline_access"],
      ["another prefix", `XIS:${id}`],
      ["a prefix inside a longer word", `MAIS:${id}`],
      ["no id", "AIS:"],
      ["an id that is no UUID", "AIS:42"],
      ["two blanks after the colon", `AIS:  ${id}`],
      ["two resources", `AIS:${id} PIIS:${id}`],
      ["the same resource twice", `AIS:${id} AIS:${id}`],
      ["another scope beside it", `AIS:${id} openid`],
      ["a line break", `AIS:${id}\n`],
    ])("is refused: %s", (_name, text) => {
      expect(parseScope(text)).toBeUndefined();
    });

    it("is read back as it was issued, for every kind of resource", () => {
      fc.assert(
        fc.property(fc.constantFrom("AIS", "PIIS", "PIS"), fc.uuid(), (kind, resourceId) => {
          expect(parseScope(formatScope({ kind, resourceId }))).toEqual({ kind, resourceId });
        }),
      );
    });

    it("never names a resource that is not in the text", () => {
      fc.assert(
        fc.property(fc.string(), (text) => {
          const read = parseScope(text);
          if (read !== undefined) expect(text.toLowerCase()).toContain(read.resourceId);
        }),
      );
    });
  });
});
