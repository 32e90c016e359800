import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  accepted,
  authorisationRequest,
  codeForm,
  issuer,
  open,
  post,
  refreshForm,
  type TestBank,
  testBank,
  testBrowser,
  tokensFrom,
  uidOf,
  webUrl,
} from "./testing";

let bank: TestBank;
let example: Awaited<ReturnType<TestBank["tpp"]>>;
beforeAll(async () => {
  bank = await testBank();
  example = await bank.tpp("PSDRO-NBR-1234567");
});
afterAll(() => bank.close());

describe("from the authorisation request to a fresh access token", () => {
  it("authorises, redeems the code, reads the token and refreshes it", async () => {
    const { tpp, clientCert } = example;
    const consent = await bank.consent(tpp);
    const browser = testBrowser();

    const request = authorisationRequest(tpp, consent, { ui_locales: "ro en" });
    const page = await open(bank, request, browser);
    expect(page.href).toMatch(/^http:\/\/localhost:3000\/authorise\/[\w-]+$/);
    const cookies = browser.cookiesFor(`${page.pathname}/login`);
    expect(await bank.server.interactions.read(uidOf(page), cookies)).toEqual({
      uid: uidOf(page),
      clientId: tpp.id,
      kind: "AIS",
      resourceId: consent.id,
      state: "a state & more",
      redirectUri: "https://tpp.example/ok?from=bank",
      uiLocales: "ro en",
    });

    await bank.finalise(consent);
    const { authorisationId } = consent;
    const onward = await accepted(bank, page, cookies, { authorisationId });
    expect(onward).toBe(`${webUrl}/auth/${uidOf(page)}`);
    const back = await open(bank, onward, browser);
    expect(`${back.origin}${back.pathname}`).toBe("https://tpp.example/ok");
    expect(back.searchParams.get("from")).toBe("bank");
    expect(back.searchParams.get("state")).toBe("a state & more");
    expect(back.searchParams.get("iss")).toBe(issuer);

    const answer = await post(bank, codeForm(tpp, back), { clientCert });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const tokens = await tokensFrom(answer);
    expect(tokens).toMatchObject({
      token_type: "Bearer",
      expires_in: 900,
      scope: `AIS:${consent.id}`,
    });
    const { certificate } = await bank.ports.identifyTpp(clientCert, new Date());
    const read = await bank.server.accessTokens.read(tokens.access_token);
    expect(read).toMatchObject({
      clientId: tpp.id,
      scope: `AIS:${consent.id}`,
      authorisationId,
      thumbprint: Buffer.from(certificate.fingerprint256.replaceAll(":", ""), "hex").toString(
        "base64url",
      ),
    });
    expect(Math.abs((read?.expiresAt.getTime() ?? 0) - Date.now() - 900_000)).toBeLessThan(60_000);

    const refreshed = await tokensFrom(await post(bank, refreshForm(tpp, tokens), { clientCert }));
    expect(refreshed).toMatchObject({ expires_in: 900, scope: `AIS:${consent.id}` });
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
  });

  it("ends on the bank's page when the browser requests the code a second time", async () => {
    const consent = await bank.consent(example.tpp);
    const browser = testBrowser();
    const page = await open(bank, authorisationRequest(example.tpp, consent), browser);
    await bank.finalise(consent);
    const cookies = browser.cookiesFor(page.pathname);
    const onward = await accepted(bank, page, cookies, consent);
    const resumed = browser.cookiesFor(new URL(onward).pathname);
    expect((await open(bank, onward, browser)).searchParams.has("code")).toBe(true);
    const again = new Request(onward, { headers: { cookie: resumed ?? "none" } });
    const answer = await bank.server.serve(again);
    expect(answer.headers.get("location")).toBe(`${webUrl}/authorise/ended?reason=gone`);
    // A confirmation sent again by a second tab is led there too, and makes nothing.
    const late = await bank.server.interactions.accept({ uid: uidOf(page) }, cookies, consent);
    expect(late).toBe(`${webUrl}/authorise/ended?reason=gone`);
    const asked = { uid: uidOf(page), uiLocales: "ro en" };
    const inRomanian = await bank.server.interactions.accept(asked, cookies, consent);
    expect(inRomanian).toBe(`${webUrl}/authorise/ended/ro/en?reason=gone`);
  });

  it("accepts nine times before the browser goes on, with one code in the end", async () => {
    const consent = await bank.consent(example.tpp);
    const browser = testBrowser();
    const page = await open(bank, authorisationRequest(example.tpp, consent), browser);
    await bank.finalise(consent);
    const cookies = browser.cookiesFor(page.pathname);
    const accept = () => bank.server.interactions.accept({ uid: uidOf(page) }, cookies, consent);
    const onward = await Promise.all(Array.from({ length: 8 }, accept));
    expect(new Set([...onward, await accept()]).size).toBe(1);
    const back = await open(bank, String(onward[0]), browser);
    await tokensFrom(await post(bank, codeForm(example.tpp, back), example));
    const grants = await bank.sql`
      select from oidc_payload where model = 'Grant' and account_id = ${consent.authorisationId}`;
    expect(grants.length).toBe(1);
  });

  it("does not accept what the PSU has not authorised", async () => {
    const waiting = await bank.consent(example.tpp);
    const authorised = await bank.consent(example.tpp, { recurringIndicator: false });
    await bank.finalise(authorised);
    const browser = testBrowser();
    const page = await open(bank, authorisationRequest(example.tpp, waiting), browser);
    const cookies = browser.cookiesFor(page.pathname);
    const accept = (with_: typeof waiting) =>
      bank.server.interactions.accept({ uid: uidOf(page) }, cookies, with_);
    expect(await accept(waiting)).toBeUndefined();
    await expect(accept(authorised)).rejects.toThrow("the authorisation of another resource");
  });

  it("does not accept what the PSU has authorised and the TPP has withdrawn", async () => {
    const consent = await bank.consent(example.tpp);
    const browser = testBrowser();
    const page = await open(bank, authorisationRequest(example.tpp, consent), browser);
    await bank.finalise(consent);
    await bank.terminate(consent);
    const cookies = browser.cookiesFor(page.pathname);
    const { accept } = bank.server.interactions;
    expect(await accept({ uid: uidOf(page) }, cookies, consent)).toBeUndefined();
  });

  it("gives no code when the consent ended between the PSU's yes and the redirect", async () => {
    const consent = await bank.consent(example.tpp);
    const browser = testBrowser();
    const page = await open(bank, authorisationRequest(example.tpp, consent), browser);
    await bank.finalise(consent);
    const cookies = browser.cookiesFor(page.pathname);
    const onward = await accepted(bank, page, cookies, consent);
    await bank.terminate(consent);
    const back = await open(bank, onward, browser);
    expect(back.searchParams.get("error")).toBe("access_denied");
    expect(back.searchParams.get("state")).toBe("a state & more");
    expect(back.searchParams.get("iss")).toBe(issuer);
    expect(back.searchParams.has("code")).toBe(false);
  });
});
