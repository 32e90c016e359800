import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { AccountConsent } from "@/lib/domain/consent/account-consent";
import { addDays, dayIn, startOfDayIn } from "@/lib/domain/iso-date";
import { tokenClient } from "./testing/token-client";
import { authorise, errorOf, tokensFrom } from "./testing/tpp-journey";

let client: Awaited<ReturnType<typeof tokenClient>>;
beforeAll(async () => {
  client = await tokenClient();
});
afterAll(() => client.bank.close());

describe("O15: no token outlives its consent", () => {
  const endOf = async ({ authorisationId }: AccountConsent) => {
    const [row] = await client.bank.sql<[{ expires_at: string }]>`
      select expires_at from oidc_payload
      where model = 'RefreshToken' and account_id = ${authorisationId} and consumed_at is null`;
    return Date.parse(row.expires_at);
  };

  it("a one-off consent's access token ends ten minutes after SCA", async () => {
    const consent = await client.bank.consent(client.example.tpp, { recurringIndicator: false });
    const back = await authorise(client.bank, client.example.tpp, consent);
    client.bank.passTime(55, "second");
    const { expires_in } = await tokensFrom(await client.redeem(back));
    expect(expires_in).toBeLessThanOrEqual(545);
    expect(expires_in).toBeGreaterThan(500);
  });

  it("a one-off consent's access token loses no more than a second of the ten minutes", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { consent, tokens } = await client.redeemed({ recurringIndicator: false });
      const read = await client.bank.server.accessTokens.read(tokens.access_token);
      const authorisedAt = (await client.bank.stores.consents.find(consent.id))?.authorisedAt;
      const lost = Number(authorisedAt) + 600_000 - Number(read?.expiresAt);
      expect(lost).toBeGreaterThanOrEqual(0);
      expect(lost).toBeLessThan(1_000);
    }
  });

  it("the refresh token ends with the local day validUntil, however often it is rotated", async () => {
    const today = dayIn(aspspProfile.timeZone, await client.bank.ports.clock.now());
    const { consent, tokens } = await client.redeemed({ validUntil: addDays(today, 2) });
    const end = startOfDayIn(aspspProfile.timeZone, addDays(today, 3)).getTime();
    const near = (found: number) => end - found >= 0 && end - found < 2_000;
    expect(await endOf(consent)).toSatisfy(near);
    client.bank.passTime(1, "day");
    const rotated = await tokensFrom(await client.refresh(tokens));
    expect(await endOf(consent)).toSatisfy(near);
    const left = end - (await client.bank.ports.clock.now()).getTime();
    client.bank.passTime(Math.floor(left / 1_000) - 300, "second");
    const last = await tokensFrom(await client.refresh(rotated));
    expect(last.expires_in).toBeLessThanOrEqual(300);
    expect(last.expires_in).toBeGreaterThan(200);
    client.bank.passTime(301, "second");
    expect(await errorOf(await client.refresh(last))).toBe("400 invalid_grant");
  });

  it("the refresh token ends 180 days after SCA", async () => {
    const today = dayIn(aspspProfile.timeZone, await client.bank.ports.clock.now());
    const { consent } = await client.redeemed({ validUntil: addDays(today, 300) });
    const authorisedAt = (
      await client.bank.stores.consents.find(consent.id)
    )?.authorisedAt?.getTime();
    const left = (authorisedAt ?? 0) + 180 * 86_400_000 - (await endOf(consent));
    expect(left).toSatisfy((milliseconds: number) => milliseconds >= 0 && milliseconds < 2_000);
  });

  it("C3: nothing is issued to a certificate that has expired", async () => {
    const { tokens } = await client.redeemed();
    client.bank.passTime(731, "day");
    expect(await errorOf(await client.refresh(tokens))).toBe("401 invalid_client");
    client.bank.passTime(-731, "day");
    expect((await client.refresh(tokens)).status).toBe(200);
  });
});
