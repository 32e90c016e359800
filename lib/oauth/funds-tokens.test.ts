import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { FundsConsent } from "@/lib/domain/funds-confirmation/funds-consent";
import type { ConsentId } from "@/lib/domain/identifiers";
import { addDays, dayIn, startOfDayIn } from "@/lib/domain/iso-date";
import { type TestBank, testBank } from "./testing/bank";
import { waitingFunds } from "./testing/resources";
import {
  authoriseResource,
  codeForm,
  errorOf,
  post,
  refreshForm,
  type Tokens,
  tokensFrom,
} from "./testing/tpp-journey";

let bank: TestBank;
let example: Awaited<ReturnType<TestBank["tpp"]>>;
beforeAll(async () => {
  bank = await testBank();
  example = await bank.tpp("PSDRO-NBR-1234567", ["PSP_IC"]);
});
afterAll(() => bank.close());

const refresh = (tokens: Tokens) => post(bank, refreshForm(example.tpp, tokens), example);

async function redeemed(given: Partial<FundsConsent> = {}) {
  const waiting = await waitingFunds(bank, example.tpp, given);
  const back = await authoriseResource(bank, example.tpp, waiting);
  const tokens = await tokensFrom(await post(bank, codeForm(example.tpp, back), example));
  return { waiting, tokens };
}
const today = async () => dayIn(aspspProfile.timeZone, await bank.ports.clock.now());

describe("the tokens of a confirmation of funds consent", () => {
  it("are for this consent alone; an access token lasts 15 minutes and can be refreshed", async () => {
    const { waiting, tokens } = await redeemed();
    expect(tokens).toMatchObject({ scope: `PIIS:${waiting.id}`, expires_in: 900 });
    const again = await tokensFrom(await refresh(tokens));
    expect(again).toMatchObject({ scope: `PIIS:${waiting.id}`, expires_in: 900 });
    expect(again.refresh_token).not.toBe(tokens.refresh_token);
  });

  it("each refresh begins 180 days anew, for as long as the card is used", async () => {
    let { tokens } = await redeemed();
    for (let time = 0; time < 3; time += 1) {
      bank.passTime(179, "day");
      tokens = await tokensFrom(await refresh(tokens));
    }
    bank.passTime(180, "day");
    expect(await errorOf(await refresh(tokens))).toBe("400 invalid_grant");
  });

  it("none outlives the last day of the card, however often it is refreshed", async () => {
    const last = addDays(await today(), 2);
    const { tokens } = await redeemed({ cardExpiryDate: last });
    const end = startOfDayIn(aspspProfile.timeZone, addDays(last, 1)).getTime();
    bank.passTime(1, "day");
    const rotated = await tokensFrom(await refresh(tokens));
    const left = end - (await bank.ports.clock.now()).getTime();
    bank.passTime(Math.floor(left / 1_000) - 300, "second");
    const again = await tokensFrom(await refresh(rotated));
    expect(again.expires_in).toBeLessThanOrEqual(300);
    const read = await bank.server.accessTokens.read(again.access_token);
    expect(read?.expiresAt.getTime()).toBeLessThanOrEqual(end);
    bank.passTime(301, "second");
    expect(await errorOf(await refresh(again))).toBe("400 invalid_grant");
  });

  it("O13: end with the consent", async () => {
    const { waiting, tokens } = await redeemed();
    const at = await bank.ports.clock.now();
    const consentId = waiting.id as ConsentId;
    const ended = { consentId, from: "valid", to: "terminatedByTpp", at } as const;
    expect(await bank.stores.fundsConsents.end(ended)).toBe(true);
    expect(await errorOf(await refresh(tokens))).toBe("400 invalid_grant");
    const { authorisationId } = waiting;
    expect(await bank.sql`select from oidc_payload where account_id = ${authorisationId}`).toEqual(
      [],
    );
  });

  it("several of the same TPP live beside each other", async () => {
    const { tokens } = await redeemed();
    await redeemed();
    expect((await refresh(tokens)).status).toBe(200);
  });

  it("O11: a refresh never changes what they are for", async () => {
    const { waiting, tokens } = await redeemed();
    for (const kind of ["AIS", "PIS"]) {
      const scope = `${kind}:${waiting.id}`;
      const form = refreshForm(example.tpp, tokens, { scope });
      expect(await errorOf(await post(bank, form, example))).toBe("400 invalid_scope");
    }
  });
});
