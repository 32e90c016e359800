import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tokenClient } from "./testing";

let client: Awaited<ReturnType<typeof tokenClient>>;
beforeAll(async () => {
  client = await tokenClient();
});
afterAll(() => client.bank.close());

const described = async (answer: Response): Promise<unknown> =>
  ((await answer.json()) as { readonly error_description?: unknown }).error_description;

describe("a refused token request says why", () => {
  it.each([
    [{ code_verifier: "a".repeat(43) }, "code_verifier does not match"],
    [{ code_verifier: undefined }, "code_verifier does not match"],
    [{ redirect_uri: "https://tpp.example/ok" }, "redirect_uri is not that of"],
    [{ code: "unknown" }, "a code is good once and for 60 seconds"],
    [{ client_id: undefined }, "client_id is missing"],
    [{ client_id: "PSDRO-NBR-0000000" }, "client_id must be the organizationIdentifier"],
  ])("to %j", async (changes, text) => {
    const { back } = await client.authorised();
    expect(await described(await client.redeem(back, changes))).toContain(text);
  });

  it("to an expired code, and to a redeemed one", async () => {
    const { back } = await client.authorised();
    const once = await client.authorised();
    expect((await client.redeem(once.back)).status).toBe(200);
    const text = "a code is good once and for 60 seconds";
    expect(await described(await client.redeem(once.back))).toContain(text);
    client.bank.passTime(61, "second");
    expect(await described(await client.redeem(back))).toContain(text);
  });

  it("to an unknown refresh token, in characters that error_description allows", async () => {
    const { tokens } = await client.redeemed({ recurringIndicator: true });
    const answer = await client.refresh({ ...tokens, refresh_token: "unknown" });
    const text = await described(answer);
    expect(text).toContain("a refresh token until the next one is used");
    expect(text).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
  });
});
