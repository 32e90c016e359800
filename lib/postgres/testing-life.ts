import fc from "fast-check";
import { expect } from "vitest";
import {
  currentAuthorisation,
  failAuthorisation,
  type ScaStatus,
} from "@/lib/domain/authorisation";
import {
  type ConsentStatus,
  consentIsFinal,
  createAccountConsent,
  deleteAccountConsent,
  endOfConsent,
  readAccountConsent,
} from "@/lib/domain/consents";
import type { Ports } from "@/lib/domain/ports";
import {
  type AttemptMeans,
  attemptLimits,
  type PsuAttempts,
  type UserKey,
} from "@/lib/domain/psu-attempts";
import { completeAuthorisation, identifyPsu, selectAccounts } from "@/lib/domain/sca";
import type { InMemoryBank } from "@/lib/domain/testing/in-memory-authorisations";
import { current, speltOut } from "@/lib/domain/testing/samples";
import type { Tpp } from "@/lib/domain/tpp";
import {
  type AuthorisationId,
  addDays,
  addTime,
  type ConsentId,
  dayIn,
  type IsoDate,
  type PsuId,
  type RequestId,
  type TppId,
} from "@/lib/domain/values";
import { aspspProfile } from "@/lib/testing-profile";
import type { OidcModels } from "./oidc";
import { exampleTpp, otherTpp } from "./testing";

const rights = { balances: true, transactions: true, ownerName: false };
const tpps: readonly Tpp[] = [exampleTpp, otherTpp];

const create = (which: number, recurring: boolean) =>
  command(`create ${recurring ? "recurring" : "one-off"} of TPP ${which}`, async (model, real) => {
    const tpp = tpps[which % tpps.length] ?? exampleTpp;
    const today = dayIn(real.ports.profile.timeZone, model.now);
    const { consent } = await createAccountConsent(real.ports, {
      tpp,
      requestId: crypto.randomUUID() as string as RequestId,
      bodyDigest: "digest",
      request: {
        requestedAccess: {},
        access: { model: "bankOffered", rights, named: [] },
        recurringIndicator: recurring,
        validUntil: recurring ? addDays(today, 100) : today,
        frequencyPerDay: 1,
      },
      redirectUris: { redirectUri: "https://tpp.example/ok" },
      now: model.now,
    });
    const { id, authorisationId, validUntil, createdAt } = consent;
    const made = { id, authorisationId, validUntil, createdAt, recurringIndicator: recurring };
    const state = { status: "received", scaStatus: "received", failedAttempts: 0 } as const;
    model.lives.push({ ...made, ...state, tppId: tpp.id, codesSent: 0, endedByTime: false });
  });

/** The way that most go, whole: else few would get to its end before something else happens. */
const authorised = (which: number, recurring: boolean, name: string) =>
  command(`a consent of TPP ${which} that ${name} authorises`, async (model, real) => {
    await create(which, recurring).run(model, real);
    const nth = model.lives.length - 1;
    for (const step of [login(nth, name, true), select(nth), confirm(nth, true)]) {
      await step.run(model, real);
    }
  });

/** Few would reach the PSU's own limit otherwise. */
const guessed = (which: number, name: string) =>
  command(`three wrong passwords of ${name} for a consent of TPP ${which}`, async (model, real) => {
    await create(which, true).run(model, real);
    const nth = model.lives.length - 1;
    for (const step of [1, 2, 3].map(() => login(nth, name, false))) await step.run(model, real);
  });

const remove = (nth: number) =>
  onConsent("delete", nth, async (life, model, real) => {
    await deleteAccountConsent(real.ports, {
      ...life,
      requestId: crypto.randomUUID() as string as RequestId,
      now: model.now,
    });
    end(life, "terminatedByTpp");
  });

const revoke = (nth: number) =>
  onConsent("revoke", nth, async (life, model, real) => {
    const at = model.now;
    await readAccountConsent(real.ports, { ...life, now: at });
    const on = dayIn(real.ports.profile.timeZone, at);
    const transition = { consentId: life.id, from: "valid", to: "revokedByPsu", on, at } as const;
    const revoked = await real.ports.consents.end(transition);
    expect(revoked).toBe(life.status === "valid");
    if (revoked) end(life, "revokedByPsu");
  });

const read = (nth: number) =>
  onConsent("read", nth, async (life, model, real) => {
    const consent = await readAccountConsent(real.ports, { ...life, now: model.now });
    expect(consent.status).toBe(life.status);
  });

const pass = (minutes: number) =>
  command(`${minutes} minutes pass`, async (model) => passTime(model, minutes));

const sweep = () => command("sweep", async ({ now }, real) => void (await real.sweep(now)));

const nth = fc.nat({ max: 5 });
const mostly = fc.integer({ min: 0, max: 3 }).map((drawn) => drawn > 0);
const person = fc.constantFrom("ana", "ana", "ana", "mihai");

const login = (nth: number, name: string, right: boolean) =>
  onConsent(`${right ? "login" : "wrong password"} of ${name}`, nth, async (life, model, real) => {
    const authorisation = await found(life, model, real);
    const userId = `${name}-${real.run}`;
    real.bank.accountsOf.set(userId as PsuId, [current]);
    const password = right ? `${userId}-sandbox` : "wrong";
    await identifyPsu(real.ports, { authorisation, userId, password, now: model.now });
    const left = await attempt(model, life, { userId, means: "password" });
    if (left === undefined) return;
    if (!right) return fail(life, left);
    await model.psuAttempts.giveBack(userId as UserKey, "password");
    if (life.psu !== undefined && life.psu !== userId) return fail(life);
    life.psu = userId;
    if (life.scaStatus === "received") life.scaStatus = "psuAuthenticated";
  });

const select = (nth: number) =>
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
    const expiresAt = addTime(model.now, profile.sca.codeMinutes, "minute");
    life.code = { text: real.bank.texts.at(-1)?.code ?? "none", expiresAt };
  });

const confirm = (nth: number, right: boolean) =>
  onConsent(right ? "confirm" : "wrong code", nth, async (life, model, real) => {
    const authorisation = await found(life, model, real);
    const code = right && life.code !== undefined ? life.code.text : "000000";
    const proof = { method: "code", code } as const;
    const asked = { authorisation, proof, now: model.now };
    const { outcome } = await completeAuthorisation(real.ports, asked);
    const runs = life.code !== undefined && model.now < life.code.expiresAt;
    const { psu } = life;
    const asks = life.scaStatus === "started" && runs && psu !== undefined;
    const left = asks ? await attempt(model, life, { userId: psu, means: "code" }) : undefined;
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

const cancel = (nth: number) =>
  onConsent("cancel", nth, async (life, model, real) => {
    const authorisation = await found(life, model, real);
    await failAuthorisation(real.ports, {
      id: authorisation.id,
      because: "cancelled",
      now: model.now,
    });
    if (isOpen(life)) end(life, "rejected");
  });

const { sca } = aspspProfile;

const isOpen = ({ scaStatus }: Life) => scaStatus !== "finalised" && scaStatus !== "failed";
const mayTry = (life: Life) => isOpen(life) && life.failedAttempts < sca.failedAttemptsMax;

/** Steps of many lives, in any order. */
export const consentCommands = fc.commands<Model, Real, false>(
  [
    fc.tuple(fc.nat({ max: 1 }), mostly).map(([tpp, recurring]) => create(tpp, recurring)),
    fc.tuple(nth, person, mostly).map(([which, name, right]) => login(which, name, right)),
    nth.map(select),
    fc.tuple(fc.nat({ max: 1 }), mostly, person).map((drawn) => authorised(...drawn)),
    fc.tuple(fc.nat({ max: 1 }), person).map((drawn) => guessed(...drawn)),
    fc.tuple(nth, mostly).map(([which, right]) => confirm(which, right)),
    nth.map(cancel),
    nth.map(remove),
    nth.map(revoke),
    nth.map(read),
    fc.constantFrom(1, 1, 4, 5, 10, 15, 1_440, 100 * 1_440, 180 * 1_440).map(pass),
    fc.constant(sweep()),
  ],
  { maxCommands: 60, size: "max" },
);

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
    const until = addTime(now, 200, "day");
    await models.upsert(model, `${model} of ${authorisationId}`, {}, until, keys);
  }
}

/** The domain's use cases over the real stores; only the bank behind them is in memory. */
export type Real = {
  readonly ports: Ports;
  readonly bank: InMemoryBank;
  readonly models: OidcModels;
  readonly sweep: (now: Date) => Promise<unknown>;
  /** Sets the PSUs of one run apart from those of all others. */
  readonly run: string;
  /** After each command, with what it was. */
  readonly check: (model: Model) => Promise<void>;
};

type Command = fc.AsyncCommand<Model, Real>;

function command(name: string, run: (model: Model, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    run: async (model, real) => {
      await run(model, real);
      await real.check(model);
    },
    toString: () => name,
  };
}

/** A command on one of the consents there are. */
function onConsent(
  name: string,
  nth: number,
  act: (life: Life, model: Model, real: Real) => Promise<void>,
): Command {
  const whole = command(`${name} #${nth}`, async (model, real) => {
    const life = model.lives[nth % model.lives.length];
    if (life !== undefined) await act(life, model, real);
  });
  return { ...whole, check: ({ lives }) => lives.length > 0 };
}

/** What should be true of one consent, in the words of the specification and without a database. */
type Life = {
  readonly id: ConsentId;
  readonly authorisationId: AuthorisationId;
  readonly tppId: TppId;
  readonly recurringIndicator: boolean;
  readonly validUntil: IsoDate;
  readonly createdAt: Date;
  status: ConsentStatus;
  scaStatus: ScaStatus;
  psu?: string;
  authorisedAt?: Date;
  failedAttempts: number;
  codesSent: number;
  /** The newest code that was sent. */
  code?: { readonly text: string; readonly expiresAt: Date };
  /** Ended by time, so that the row may say so only when somebody reads it. */
  endedByTime: boolean;
};

export type Model = {
  now: Date;
  readonly lives: Life[];
  /** A model too, held against the database by a property of its own. */
  readonly psuAttempts: PsuAttempts;
};

/** What time alone does. */
function passTime(model: Model, minutes: number): void {
  model.now = addTime(model.now, minutes, "minute");
  for (const life of model.lives) {
    if (isOpen(life) && model.now >= addTime(life.createdAt, sca.windowMinutes, "minute")) {
      end(life, "rejected");
      life.endedByTime = true;
    } else if (life.status === "valid" && life.authorisedAt !== undefined) {
      if (model.now < endOfConsent(life, life.authorisedAt, aspspProfile)) continue;
      end(life, "expired");
      life.endedByTime = true;
    }
  }
}

/**
 * How many more a failure would leave the PSU. Undefined when the attempt is not judged: with a PSU who
 * is blocked the authorisation ends instead.
 */
async function attempt(
  model: Model,
  life: Life,
  { userId, means }: { readonly userId: string; readonly means: AttemptMeans },
): Promise<number | undefined> {
  if (!mayTry(life)) return undefined;
  const limits = attemptLimits(aspspProfile, model.now);
  const taken = await model.psuAttempts.take(userId as UserKey, means, limits, model.now);
  if (taken === undefined) end(life, "rejected");
  return taken?.attemptsLeft;
}

/** A wrong password or code; the last one, of the authorisation or its PSU, ends the authorisation. */
function fail(life: Life, leftOfPsu?: number): void {
  life.failedAttempts += 1;
  if (life.failedAttempts === sca.failedAttemptsMax || leftOfPsu === 0) end(life, "rejected");
}

/** The PSU's yes; a recurring consent replaces the older one of the same TPP and PSU. */
function authorise(model: Model, life: Life): void {
  const replaced = model.lives.filter(
    (other) =>
      other.status === "valid" &&
      other.recurringIndicator &&
      life.recurringIndicator &&
      other.tppId === life.tppId &&
      other.psu === life.psu,
  );
  for (const older of replaced) end(older, "expired");
  life.status = "valid";
  life.scaStatus = "finalised";
  life.authorisedAt = model.now;
}

function end(life: Life, status: ConsentStatus): void {
  if (consentIsFinal(life.status)) return;
  life.status = status;
  if (isOpen(life)) life.scaStatus = "failed";
}
