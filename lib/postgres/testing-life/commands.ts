import fc from "fast-check";
import { expect } from "vitest";
import { createAccountConsent } from "@/lib/domain/consent/create-account-consent";
import { deleteAccountConsent } from "@/lib/domain/consent/delete-account-consent";
import { readAccountConsent } from "@/lib/domain/consent/read-account-consent";
import type { RequestId } from "@/lib/domain/identifiers";
import { addDays, dayIn } from "@/lib/domain/iso-date";
import type { Tpp } from "@/lib/domain/tpp/tpp";
import { exampleTpp, otherTpp } from "../samples";
import { command, onConsent, type Real } from "./command";
import { end, type Model, passTime } from "./model";
import { cancel, confirm, login, select } from "./psu-commands";

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
      wayBack: { redirectUri: "https://tpp.example/ok" },
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
    await deleteAccountConsent(real.ports, { ...life, now: model.now });
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
