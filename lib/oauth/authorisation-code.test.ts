import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authorisationServer } from "./authorisation-server";
import { tokenClient } from "./testing/token-client";
import {
  codeForm,
  errorOf,
  type Parameters,
  post,
  type Tokens,
  tokensFrom,
} from "./testing/tpp-journey";

let client: Awaited<ReturnType<typeof tokenClient>>;
beforeAll(async () => {
  client = await tokenClient();
});
afterAll(() => client.bank.close());

describe("an authorisation code", () => {
  it.each<[string, Parameters, string]>([
    ["O4: a wrong verifier", { code_verifier: "a".repeat(43) }, "400 invalid_grant"],
    ["O4: no verifier", { code_verifier: undefined }, "400 invalid_grant"],
    ["a wrong redirect_uri", { redirect_uri: "https://tpp.example/ok" }, "400 invalid_grant"],
    ["no redirect_uri", { redirect_uri: undefined }, "400 invalid_request"],
    ["no code", { code: undefined }, "400 invalid_request"],
    ["an unknown code", { code: "unknown" }, "400 invalid_grant"],
    ["code given twice", { code: ["one", "two"] }, "400 invalid_request"],
    ["no grant_type", { grant_type: undefined }, "400 invalid_request"],
    ["grant_type password", { grant_type: "password" }, "400 unsupported_grant_type"],
    ["grant_type implicit", { grant_type: "implicit" }, "400 unsupported_grant_type"],
    [
      "grant_type client_credentials",
      { grant_type: "client_credentials" },
      "400 unsupported_grant_type",
    ],
    ["no client_id", { client_id: undefined }, "400 invalid_request"],
  ])("is not redeemed with %s", async (_name, changes, error) => {
    const { back } = await client.authorised();
    expect(await errorOf(await client.redeem(back, changes))).toBe(error);
  });

  it("O4: is dead after one wrong verifier of its own client", async () => {
    const { back } = await client.authorised();
    await client.redeem(back, { code_verifier: "a".repeat(43) });
    expect(await errorOf(await client.redeem(back))).toBe("400 invalid_grant");
  });

  it("O5: is good for 60 seconds", async () => {
    const [early, late] = [
      await client.authorised({ recurringIndicator: false }),
      await client.authorised(),
    ];
    client.bank.passTime(50, "second");
    expect((await client.redeem(early.back)).status).toBe(200);
    client.bank.passTime(11, "second");
    expect(await errorOf(await client.redeem(late.back))).toBe("400 invalid_grant");
  });

  it("O6: is redeemed once; the second try ends what the first one got", async () => {
    const { back } = await client.authorised();
    const tokens = await tokensFrom(await client.redeem(back));
    expect(await errorOf(await client.redeem(back))).toBe("400 invalid_grant");
    expect(await errorOf(await client.refresh(tokens))).toBe("400 invalid_grant");
  });

  it("O6: redeemed 8 times at once over two servers: one 200, seven 400, and the grant is dead", async () => {
    const second = { ...client.bank, server: authorisationServer(client.bank.ports) };
    for (let round = 0; round < 5; round += 1) {
      const { back } = await client.authorised();
      const form = codeForm(client.example.tpp, back);
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          post(index % 2 ? client.bank : second, form, client.example),
        ),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, 400, 400, 400, 400, 400, 400, 400]);
      const winner = answers.find(({ status }) => status === 200);
      const tokens = (await winner?.json()) as Tokens;
      expect(await errorOf(await client.refresh(tokens))).toBe("400 invalid_grant");
    }
  });

  it("O13: gives no token when the consent has ended meanwhile", async () => {
    const { consent, back } = await client.authorised();
    await client.bank.terminate(consent);
    expect(await errorOf(await client.redeem(back))).toBe("400 invalid_grant");
  });
});
