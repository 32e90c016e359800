import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tokenClient } from "./testing/token-client";
import { errorOf, post, refreshForm, tokensFrom } from "./testing/tpp-journey";

let client: Awaited<ReturnType<typeof tokenClient>>;
beforeAll(async () => {
  client = await tokenClient();
});
afterAll(() => client.bank.close());

describe("a refresh token", () => {
  it("is given for a recurring consent only", async () => {
    expect((await client.redeemed({ recurringIndicator: true })).tokens.refresh_token).toBeTruthy();
    expect(
      (await client.redeemed({ recurringIndicator: false })).tokens.refresh_token,
    ).toBeUndefined();
  });

  it("O8: works with a renewed certificate, to which the new access token is bound", async () => {
    const { tokens } = await client.redeemed();
    const clientCert = await client.example.renew();
    const renewed = await tokensFrom(
      await post(client.bank, refreshForm(client.example.tpp, tokens), { clientCert }),
    );
    const before = await client.bank.server.accessTokens.read(tokens.access_token);
    const after = await client.bank.server.accessTokens.read(renewed.access_token);
    const { certificate } = await client.bank.ports.identifyTpp(clientCert, new Date());
    const digest = createHash("sha256").update(certificate.raw).digest("base64url");
    expect(after?.thumbprint).toBe(digest);
    expect(before?.thumbprint).not.toBe(digest);
  });

  it("is rotated on each use; the old one used again ends the whole grant", async () => {
    const { tokens } = await client.redeemed();
    const rotated = await tokensFrom(await client.refresh(tokens));
    expect(rotated.refresh_token).not.toBe(tokens.refresh_token);
    client.bank.passTime(61, "second");
    expect(await errorOf(await client.refresh(tokens))).toBe("400 invalid_grant");
    expect(await errorOf(await client.refresh(rotated))).toBe("400 invalid_grant");
  });

  it("O11: never widens or changes its scope", async () => {
    const { consent, tokens } = await client.redeemed();
    const another = await client.bank.consent(client.example.tpp, { recurringIndicator: false });
    await client.bank.finalise(another);
    for (const scope of [`AIS:${another.id}`, `PIS:${consent.id}`, `AIS:${consent.id} openid`]) {
      expect(await errorOf(await client.refresh(tokens, { scope }))).toBe("400 invalid_scope");
    }
    const scope = `ais: ${consent.id} offline_access`;
    const resource = "https://elsewhere.example";
    const same = await tokensFrom(await client.refresh(tokens, { scope, resource }));
    expect(await client.bank.server.accessTokens.read(same.access_token)).toBeDefined();
    expect(same.scope).toBe(`AIS:${consent.id}`);
  });

  it("O13: ends with the consent", async () => {
    const { consent, tokens } = await client.redeemed();
    await client.bank.terminate(consent);
    expect(await errorOf(await client.refresh(tokens))).toBe("400 invalid_grant");
  });

  it("ends with a newer recurring consent of the same TPP and PSU", async () => {
    const { tokens } = await client.redeemed();
    await client.redeemed();
    expect(await errorOf(await client.refresh(tokens))).toBe("400 invalid_grant");
  });

  it("is given up at the revocation endpoint by its own client only", async () => {
    const { tokens } = await client.redeemed();
    const revoke = (by: typeof client.example) =>
      post(
        client.bank,
        { client_id: by.tpp.id, token: tokens.refresh_token },
        { ...by, path: "/token/revocation" },
      );
    expect((await revoke(client.other)).status).toBe(200);
    const rotated = await tokensFrom(await client.refresh(tokens));
    const own = { client_id: client.example.tpp.id, token: rotated.refresh_token };
    const answer = await post(client.bank, own, { ...client.example, path: "/token/revocation" });
    expect(answer.status).toBe(200);
    expect(await errorOf(await client.refresh(rotated))).toBe("400 invalid_grant");
  });
});
