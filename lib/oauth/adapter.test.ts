import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adapterFactory } from "./adapter";
import { loadOidcProvider } from "./load-provider";
import { tokenClient, tokensFrom, verifier } from "./testing";

let client: Awaited<ReturnType<typeof tokenClient>>;
beforeAll(async () => {
  client = await tokenClient();
});
afterAll(() => client.bank.close());

describe("what is stored", () => {
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
  it("O6: is used by one of many; each of the others revokes the grant", async () => {
    const { errors } = await loadOidcProvider();
    const findClient = async () => undefined;
    const create = adapterFactory({ ...client.bank.ports, findClient }, { errors });
    const [codes, grants] = [create("AuthorizationCode"), create("Grant")];
    await grants.upsert("the grant", {}, 60);
    await codes.upsert("the code", { grantId: "the grant" }, 60);
    await codes.consume("the code");
    expect(await codes.find("the code")).toMatchObject({
      jti: "the code",
      grantId: "the grant",
      consumed: expect.any(Number),
    });
    await expect(codes.consume("the code")).rejects.toBeInstanceOf(errors.InvalidGrant);
    expect(await codes.find("the code")).toBeUndefined();
    expect(await grants.find("the grant")).toBeUndefined();
    // One that is not there is refused too; a fault of the bank's own it is not.
    await expect(codes.consume("the code")).rejects.toBeInstanceOf(errors.InvalidGrant);
  });
});
