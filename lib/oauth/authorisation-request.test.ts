import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccountConsent } from "@/lib/domain/consent/account-consent";
import { issuer, type TestBank, testBank } from "./testing/bank";
import { testBrowser } from "./testing/browser";
import { authorisationRequest, open, type Parameters } from "./testing/tpp-journey";

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

describe("what is read leniently", () => {
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
    const sandboxed = await bank.consent(example.tpp, {}, { wayBack: { redirectUri } });
    const page = await ask({ redirect_uri: redirectUri }, sandboxed);
    expect(page.pathname).toMatch(/^\/authorise\/./);
  });

  it("a URI that the library could not take does not stand in the way of another", async () => {
    const { tpp } = await bank.tpp("PSDRO-NBR-5555555");
    await bank.consent(tpp, {}, { wayBack: { redirectUri: "https://tpp.example/ok#x" } });
    const good = await bank.consent(tpp);
    const page = await open(bank, authorisationRequest(tpp, good), testBrowser());
    expect(page.pathname).toMatch(/^\/authorise\/./);
  });
});
