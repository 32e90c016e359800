import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testBank } from "./testing/bank";
import { tokenClient } from "./testing/token-client";
import { codeForm, errorOf, post } from "./testing/tpp-journey";

let client: Awaited<ReturnType<typeof tokenClient>>;
beforeAll(async () => {
  client = await tokenClient();
});
afterAll(() => client.bank.close());

describe("the certificate is the client authentication", () => {
  it.each(["/token", "/token/revocation"])("C2: %s without a certificate", async (path) => {
    const answer = await post(
      client.bank,
      { client_id: client.example.tpp.id, token: "x" },
      { path },
    );
    expect(await errorOf(answer)).toBe("401 invalid_client");
  });

  it("C2: demands the certificate before it reads anything else", async () => {
    expect(await errorOf(await post(client.bank, {}))).toBe("401 invalid_client");
  });

  it("C4: a certificate that is none, and one of an unknown issuer", async () => {
    const stranger = await testBank();
    const { clientCert } = await stranger.tpp(client.example.tpp.id);
    await stranger.close();
    const { back } = await client.authorised();
    const form = codeForm(client.example.tpp, back);
    expect(await errorOf(await post(client.bank, form, { clientCert }))).toBe("401 invalid_client");
    const none = { clientCert: ":AAAA:" };
    expect(await errorOf(await post(client.bank, form, none))).toBe("401 invalid_client");
    const two = { clientCert: `${client.example.clientCert}, ${client.example.clientCert}` };
    expect(await errorOf(await post(client.bank, form, two))).toBe("401 invalid_client");
    expect((await post(client.bank, form, client.example)).status).toBe(200);
  });

  it("O1: a client_id that is not the certificate's, as if there were no such client", async () => {
    const { back } = await client.authorised();
    const foreign = await client.redeem(back, {}, client.other);
    const unknown = await client.redeem(back, { client_id: "PSDRO-NBR-0000000" });
    const impossible = await client.redeem(back, { client_id: "PSDRO\u0000" });
    expect([foreign.status, unknown.status, impossible.status]).toEqual([401, 401, 401]);
    const bodies = [await foreign.text(), await unknown.text(), await impossible.text()];
    expect(new Set(bodies).size).toBe(1);
    expect(JSON.parse(bodies[0] ?? "none")).toMatchObject({ error: "invalid_client" });
    expect((await client.redeem(back)).status).toBe(200);
  });

  it("O1: another TPP's code or refresh token is answered like an unknown one", async () => {
    const { back } = await client.authorised({ recurringIndicator: false });
    const { tokens } = await client.redeemed({ recurringIndicator: true });
    const byOther = { client_id: client.other.tpp.id };
    const foreign = await (await client.redeem(back, byOther, client.other)).text();
    const unknown = await (
      await client.redeem(back, { ...byOther, code: "x" }, client.other)
    ).text();
    expect(foreign).toBe(unknown);
    expect(JSON.parse(foreign)).toMatchObject({ error: "invalid_grant" });
    const stolen = await client.refresh(tokens, byOther, client.other);
    expect(await errorOf(stolen)).toBe("400 invalid_grant");
    // Whoever tries what is not theirs ends nothing.
    expect((await client.redeem(back)).status).toBe(200);
  });
});
