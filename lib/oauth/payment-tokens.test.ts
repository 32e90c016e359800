import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eur } from "@/lib/postgres/testing-payment-samples";
import { type TestBank, testBank } from "./testing/bank";
import { waitingPayment } from "./testing/resources";
import { authoriseResource, codeForm, errorOf, post, tokensFrom } from "./testing/tpp-journey";

let bank: TestBank;
let example: Awaited<ReturnType<TestBank["tpp"]>>;
beforeAll(async () => {
  bank = await testBank();
  example = await bank.tpp("PSDRO-NBR-1234567", ["PSP_PI"]);
});
afterAll(() => bank.close());

/** A payment that its PSU has authorised, and the redirect with its code. */
async function authorised() {
  const waiting = await waitingPayment(bank, example.tpp);
  return { waiting, back: await authoriseResource(bank, example.tpp, waiting) };
}
const redeem = (back: URL) => post(bank, codeForm(example.tpp, back), example);

describe("the token of a payment", () => {
  it("is for this payment alone, lasts 15 minutes, and is not refreshed", async () => {
    const { waiting, back } = await authorised();
    const tokens = await tokensFrom(await redeem(back));
    expect(tokens).toMatchObject({ scope: `PIS:${waiting.id}`, expires_in: 900 });
    expect(tokens.refresh_token).toBeUndefined();
    expect(await bank.server.accessTokens.read(tokens.access_token)).toMatchObject({
      scope: `PIS:${waiting.id}`,
      clientId: example.tpp.id,
      authorisationId: waiting.authorisationId,
    });
  });

  it("lasts as long when the PSU came at the last moment, and its code is redeemed at its last", async () => {
    const waiting = await waitingPayment(bank, example.tpp);
    bank.passTime(14 * 60 + 50, "second");
    const back = await authoriseResource(bank, example.tpp, waiting);
    bank.passTime(55, "second");
    expect((await tokensFrom(await redeem(back))).expires_in).toBe(900);
  });

  it("O5: is not given for a code of more than 60 seconds", async () => {
    const { back } = await authorised();
    bank.passTime(61, "second");
    expect(await errorOf(await redeem(back))).toBe("400 invalid_grant");
  });

  it("is given whatever has become of the payment since its PSU said yes", async () => {
    const { waiting, back } = await authorised();
    await bank.sql`update payment_state set status = 'RJCT', reason = 'no-funds'
      where payment_id = ${waiting.id}`;
    expect((await redeem(back)).status).toBe(200);
  });

  it("is not given, nor its code, when a rule of the bank refused the payment", async () => {
    const waiting = await waitingPayment(bank, example.tpp, { dayLimit: eur(1n) });
    await expect(authoriseResource(bank, example.tpp, waiting)).rejects.toThrow(
      "nothing to accept",
    );
    expect(await bank.stores.authorisations.find(waiting.authorisationId)).toMatchObject({
      scaStatus: "finalised",
    });
  });

  it("leaves no grant behind for longer than it lives", async () => {
    const { waiting } = await authorised();
    const [grant] = await bank.sql<[{ left: number }]>`
      select extract(epoch from expires_at)::float8 * 1000 as "left" from oidc_payload
      where model = 'Grant' and account_id = ${waiting.authorisationId}`;
    const ends = (grant.left - (await bank.ports.clock.now()).getTime()) / 60_000;
    expect(ends).toBeGreaterThan(74);
    expect(ends).toBeLessThan(75.1);
  });
});
