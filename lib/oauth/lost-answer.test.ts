import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tokenClient } from "./testing/token-client";
import { errorOf, post, refreshForm, type Tokens, tokensFrom } from "./testing/tpp-journey";

let client: Awaited<ReturnType<typeof tokenClient>>;
beforeAll(async () => {
  client = await tokenClient();
});
afterAll(() => client.bank.close());

const refused = "400 invalid_grant";
const refreshed = async (tokens: Tokens) => tokensFrom(await client.refresh(tokens));

describe("a TPP whose connection broke may repeat the refresh", () => {
  it("within a minute, with the same refresh token, and goes on with the answer that came", async () => {
    const { tokens } = await client.redeemed();
    const lost = await refreshed(tokens);
    client.bank.passTime(59, "second");
    const came = await refreshed(tokens);
    expect(came.refresh_token).not.toBe(lost.refresh_token);
    expect(await client.bank.server.accessTokens.read(came.access_token)).toBeDefined();
    client.bank.passTime(1, "day");
    const next = await refreshed(came);
    expect((await client.refresh(next)).status).toBe(200);
  });

  it("whichever of the two answers it keeps", async () => {
    const { tokens } = await client.redeemed();
    const first = await refreshed(tokens);
    await refreshed(tokens);
    client.bank.passTime(1, "day");
    expect((await client.refresh(first)).status).toBe(200);
  });

  it("at once and as often as it likes: of 8 parallel repeats each is answered", async () => {
    const { tokens } = await client.redeemed();
    const answers = await Promise.all(Array.from({ length: 8 }, () => refreshed(tokens)));
    expect(new Set(answers.map(({ refresh_token }) => refresh_token)).size).toBe(8);
    const [kept] = answers.slice(3);
    expect(kept && (await client.refresh(kept)).status).toBe(200);
  });

  it("but the minute runs from the first use, and repeats do not prolong it", async () => {
    const { tokens } = await client.redeemed();
    await refreshed(tokens);
    client.bank.passTime(50, "second");
    const repeated = await refreshed(tokens);
    client.bank.passTime(11, "second");
    expect(await errorOf(await client.refresh(tokens))).toBe(refused);
    expect(await errorOf(await client.refresh(repeated))).toBe(refused);
  });

  it("but not once it has used the new one: then the answer had come, and the old one is stolen", async () => {
    const { tokens } = await client.redeemed();
    const rotated = await refreshed(tokens);
    const again = await refreshed(rotated);
    expect(await errorOf(await client.refresh(tokens))).toBe(refused);
    expect(await errorOf(await client.refresh(again))).toBe(refused);
  });

  it("but of two answers that both came only one lives on: the other, used late, ends the grant", async () => {
    const { tokens } = await client.redeemed();
    const [one, other] = [await refreshed(tokens), await refreshed(tokens)];
    const kept = await refreshed(one);
    client.bank.passTime(61, "second");
    expect(await errorOf(await client.refresh(other))).toBe(refused);
    expect(await errorOf(await client.refresh(kept))).toBe(refused);
  });

  it("after the end of the consent no more than before", async () => {
    const { consent, tokens } = await client.redeemed();
    await refreshed(tokens);
    await client.bank.terminate(consent);
    expect(await errorOf(await client.refresh(tokens))).toBe(refused);
  });

  it("O1: another client's repeat never works, and ends nothing", async () => {
    const { tokens } = await client.redeemed();
    const rotated = await refreshed(tokens);
    const { example, other, bank } = client;
    const asItself = post(bank, refreshForm(other.tpp, tokens), other);
    expect(await errorOf(await asItself)).toBe(refused);
    const asTheFirst = post(bank, refreshForm(example.tpp, tokens), other);
    expect(await errorOf(await asTheFirst)).toBe("401 invalid_client");
    expect((await client.refresh(rotated)).status).toBe(200);
  });

  it("O8: also with a renewed QWAC of the same organisation", async () => {
    const { tokens } = await client.redeemed();
    await refreshed(tokens);
    const clientCert = await client.example.renew();
    const answer = post(client.bank, refreshForm(client.example.tpp, tokens), { clientCert });
    expect((await answer).status).toBe(200);
  });
});
