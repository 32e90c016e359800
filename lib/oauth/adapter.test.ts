import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adapterFactory } from "./adapter";
import { loadOidcProvider } from "./load-provider";
import { tokenClient } from "./testing/token-client";
import { tokensFrom, verifier } from "./testing/tpp-journey";

let client: Awaited<ReturnType<typeof tokenClient>>;
beforeAll(async () => {
  client = await tokenClient();
});
afterAll(() => client.bank.close());

describe("what is kept", () => {
  it("O14: no code and no token can be read out of the database", async () => {
    const { consent, back } = await client.authorised();
    const tokens = await tokensFrom(await client.redeem(back));
    const rotated = await tokensFrom(await client.refresh(tokens));
    const rows = await client.bank.sql`select * from oidc_payload`;
    const dump = JSON.stringify(rows);
    expect(dump).toContain(consent.authorisationId);
    const secrets = [
      back.searchParams.get("code"),
      tokens.refresh_token,
      rotated.refresh_token,
      tokens.access_token,
      verifier,
    ];
    for (const secret of secrets) {
      expect(secret).toBeTruthy();
      expect(dump).not.toContain(secret);
    }
  });
});

describe("what may be used once", () => {
  it("O6: is used by one of many; each of the others ends the grant", async () => {
    const { errors } = await loadOidcProvider();
    const { models, clock } = client.bank.ports;
    const findClient = async () => undefined;
    const create = adapterFactory({ models, clock, findClient }, { errors });
    const [tokens, grants] = [create("RefreshToken"), create("Grant")];
    await grants.upsert("the grant", {}, 60);
    await tokens.upsert("the token", { grantId: "the grant" }, 60);
    await tokens.consume("the token");
    expect(await tokens.find("the token")).toMatchObject({
      jti: "the token",
      grantId: "the grant",
    });
    await expect(tokens.consume("the token")).rejects.toBeInstanceOf(errors.InvalidGrant);
    expect(await tokens.find("the token")).toBeUndefined();
    expect(await grants.find("the grant")).toBeUndefined();
    // One that is not there is refused too; a fault of the bank's own it is not.
    await expect(tokens.consume("the token")).rejects.toBeInstanceOf(errors.InvalidGrant);
  });
});
