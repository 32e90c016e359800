import { expect } from "vitest";
import { after } from "@/lib/domain/clock";
import type { PsuId } from "@/lib/domain/identifiers";
import { cancelAuthorisation } from "@/lib/domain/sca/cancel-authorisation";
import { completeAuthorisation } from "@/lib/domain/sca/complete-authorisation";
import { currentAuthorisation } from "@/lib/domain/sca/current-authorisation";
import { identifyPsu } from "@/lib/domain/sca/identify-psu";
import type { UserKey } from "@/lib/domain/sca/psu-attempts";
import { selectAccounts } from "@/lib/domain/sca/select-accounts";
import { current } from "@/lib/domain/testing/samples";
import { speltOut } from "@/lib/domain/testing/spelt-out";
import { onConsent, type Real } from "./command";
import { attempt, authorise, end, fail, isOpen, type Life, type Model } from "./model";

export const login = (nth: number, name: string, right: boolean) =>
  onConsent(`${right ? "login" : "wrong password"} of ${name}`, nth, async (life, model, real) => {
    const authorisation = await found(life, model, real);
    const userId = `${name}-${real.run}`;
    real.bank.accountsOf.set(userId as PsuId, [current]);
    const password = right ? `${userId}-sandbox` : "wrong";
    await identifyPsu(real.ports, { authorisation, userId, password, now: model.now });
    const left = await attempt(model, life, { userId, element: "password" });
    if (left === undefined) return;
    if (!right) return fail(life, left);
    await model.psuAttempts.giveBack(userId as UserKey, "password");
    if (life.psu !== undefined && life.psu !== userId) return fail(life);
    life.psu = userId;
    if (life.scaStatus === "received") life.scaStatus = "psuAuthenticated";
  });

export const select = (nth: number) =>
  onConsent("select", nth, async (life, model, real) => {
    const authorisation = await found(life, model, real);
    const { profile } = real.ports;
    const asked = { authorisation, selected: [current.id], wording: speltOut, now: model.now };
    const { outcome } = await selectAccounts(real.ports, asked);
    if (!isOpen(life) || life.psu === undefined) return expect(outcome).toBe("ended");
    if (life.codesSent >= profile.sca.codesSentMax) return expect(outcome).toBe("too-many-codes");
    expect(outcome).toBe("code-sent");
    life.codesSent += 1;
    life.scaStatus = "started";
    const expiresAt = after(model.now, profile.sca.codeMinutes, "minute");
    life.code = { text: real.bank.texts.at(-1)?.code ?? "none", expiresAt };
  });

export const confirm = (nth: number, right: boolean) =>
  onConsent(right ? "confirm" : "wrong code", nth, async (life, model, real) => {
    const authorisation = await found(life, model, real);
    const code = right && life.code !== undefined ? life.code.text : "000000";
    const proof = { method: "code", code } as const;
    const asked = { authorisation, proof, now: model.now };
    const { outcome } = await completeAuthorisation(real.ports, asked);
    const runs = life.code !== undefined && model.now < life.code.expiresAt;
    const { psu } = life;
    const asks = life.scaStatus === "started" && runs && psu !== undefined;
    const left = asks ? await attempt(model, life, { userId: psu, element: "second" }) : undefined;
    if (left === undefined || psu === undefined) {
      expect(outcome).not.toBe("finalised");
    } else if (right) {
      expect(outcome).toBe("finalised");
      await model.psuAttempts.forget(psu as UserKey);
      authorise(model, life);
      await issueTokens(life, model, real);
    } else {
      fail(life, left);
      expect(outcome).toBe(isOpen(life) ? "wrong-code" : "ended");
    }
  });

export const cancel = (nth: number) =>
  onConsent("cancel", nth, async (life, model, real) => {
    const authorisation = await found(life, model, real);
    await cancelAuthorisation(real.ports, { authorisation, now: model.now });
    if (isOpen(life)) end(life, "rejected");
  });

async function found(life: Life, { now }: Model, { ports }: Real) {
  const asked = { kind: "AIS", resourceId: life.id, tppId: life.tppId, now } as const;
  const authorisation = await currentAuthorisation(ports, asked);
  if (authorisation === undefined) throw new Error("a consent without its authorisation");
  expect(authorisation.scaStatus).toBe(life.scaStatus);
  return authorisation;
}

/** What the authorisation server keeps for a consent, in place of the code's redemption. */
async function issueTokens({ authorisationId }: Life, { now }: Model, { models }: Real) {
  const keys = { grantId: `grant of ${authorisationId}`, accountId: authorisationId };
  for (const model of ["Grant", "RefreshToken"]) {
    const until = after(now, 200, "day");
    await models.upsert(model, `${model} of ${authorisationId}`, {}, until, keys);
  }
}
