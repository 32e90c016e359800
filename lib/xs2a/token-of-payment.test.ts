import { describe, expect, it } from "vitest";
import { newPaymentId } from "@/lib/domain/identifiers";
import { later } from "@/lib/domain/testing/samples";
import type { Qwac } from "@/lib/eidas/qwac";
import type { AccessToken } from "./access-tokens";
import { now, portsOf } from "./testing/tpp";
import { tokenOfPaymentInPath } from "./token";

const basis = await portsOf();
const paymentId = newPaymentId();
const tppId = "PSDRO-NBR-1234567";
const genuine = {
  clientId: tppId,
  scope: `PIS:${paymentId}`,
  expiresAt: later(15),
  thumbprint: "own",
} as AccessToken;

function ask(
  authorization: string | null = "Bearer genuine",
  issued: Partial<AccessToken> = {},
  at = now,
  tokenLives = true,
) {
  const accessTokens = {
    read: async (text: string) => (text === "genuine" ? { ...genuine, ...issued } : undefined),
  };
  const qwac = { tpp: { id: tppId }, thumbprint: "own" } as Qwac;
  const call = { authorization, headers: {}, path: { paymentId }, qwac, now: at, tokenLives };
  return tokenOfPaymentInPath(call, { ...basis, accessTokens });
}

const refused = (code: string) => ({ status: 401, faults: [{ code, path: "Authorization" }] });

describe("a call about a payment", () => {
  it("needs no token, and takes the one for this payment", async () => {
    await expect(ask(null)).resolves.toBeUndefined();
    await expect(ask()).resolves.toBeUndefined();
  });

  it.each(["Bearer unknown", "Basic genuine", "", "genuine"])(
    "with Authorization %j is refused: TOKEN_UNKNOWN",
    async (authorization) => {
      await expect(ask(authorization)).rejects.toMatchObject(refused("TOKEN_UNKNOWN"));
    },
  );

  it("O1: with another TPP's token is refused as with an unknown one", async () => {
    const clientId = "PSDDE-BAFIN-1" as AccessToken["clientId"];
    const errors = [ask("Bearer genuine", { clientId }), ask("Bearer unknown")].map((call) =>
      call.catch((error: unknown) => error),
    );
    const [foreign, unknown] = await Promise.all(errors);
    expect(foreign).toEqual(unknown);
  });

  it("O7: with a token bound to another certificate is refused", async () => {
    const other = { thumbprint: "another" };
    await expect(ask("Bearer genuine", other)).rejects.toMatchObject(refused("TOKEN_INVALID"));
  });

  it.each([
    `AIS:${paymentId}`,
    `PIIS:${paymentId}`,
    `PIS:${newPaymentId()}`,
    paymentId,
    "PIS:",
    `PIS:${paymentId} AIS:x`,
  ])("O11: with a token for %s is refused", async (scope) => {
    await expect(ask("Bearer genuine", { scope })).rejects.toMatchObject(refused("TOKEN_INVALID"));
  });

  it("O6: with a token that is dead is refused", async () => {
    const dead = ask("Bearer genuine", {}, now, false);
    await expect(dead).rejects.toMatchObject(refused("TOKEN_INVALID"));
  });

  it("with a token past its expiry is refused", async () => {
    await expect(ask("Bearer genuine", {}, later(14.99))).resolves.toBeUndefined();
    const late = ask("Bearer genuine", {}, later(15));
    await expect(late).rejects.toMatchObject(refused("TOKEN_EXPIRED"));
  });
});
