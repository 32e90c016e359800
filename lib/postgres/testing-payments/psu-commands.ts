import { expect } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { after } from "@/lib/domain/clock";
import { beginChallenge } from "@/lib/domain/sca/begin-challenge";
import { cancelAuthorisation } from "@/lib/domain/sca/cancel-authorisation";
import { completeAuthorisation } from "@/lib/domain/sca/complete-authorisation";
import { currentAuthorisation } from "@/lib/domain/sca/current-authorisation";
import { identifyPsu } from "@/lib/domain/sca/identify-psu";
import { speltOut } from "@/lib/domain/testing/spelt-out";
import { adoptSteps } from "./bank-commands";
import { booksOf, rowOf } from "./books";
import { onPayment } from "./command";
import { type Cut, cutShort } from "./cut-connection";
import {
  authorise,
  codeRuns,
  confirmed,
  fail,
  fallBehind,
  isOpen,
  type Life,
  type Model,
  mayTry,
} from "./model";
import type { World } from "./world";

const { sca } = aspspProfile;

export const login = (nth: number) =>
  onPayment("login", nth, async (life, { now }, world) => {
    const { ports, psuId: userId } = world;
    const authorisation = await found(life, now, world);
    const password = `${userId}-sandbox`;
    const { outcome } = await identifyPsu(ports, { authorisation, userId, password, now });
    expect(outcome).toBe(mayTry(life) ? "authenticated" : "ended");
    if (mayTry(life) && life.scaStatus === "received") life.scaStatus = "psuAuthenticated";
  });

/** The page sends a code as soon as the PSU is known, and another one when it is asked for. */
export const sendCode = (nth: number) =>
  onPayment("send code", nth, async (life, { now }, world) => {
    if (life.scaStatus === "received") return;
    const authorisation = await found(life, now, world);
    const { outcome } = await beginChallenge(world.ports, {
      authorisation,
      wording: speltOut,
      now,
    });
    const tooMany = life.codesSent >= sca.codesSentMax;
    const sent = tooMany ? "too-many-codes" : "code-sent";
    expect(outcome).toBe(isOpen(life) ? sent : "ended");
    if (outcome !== "code-sent") return;
    life.codesSent += 1;
    life.scaStatus = "started";
    const text = world.bank.texts.at(-1)?.code ?? "none";
    life.code = { text, expiresAt: after(now, sca.codeMinutes, "minute") };
  });

export const confirm = (nth: number, right: boolean) =>
  onPayment(right ? "confirm" : "wrong code", nth, async (life, model, world) => {
    const outcome = await answer(life, right, model, world);
    if (!mayConfirm(life, model)) {
      expect(["ended", "code-expired"]).toContain(outcome);
    } else if (right) {
      expect(outcome).toBe(confirmed(model, life));
    } else {
      life.failedAttempts += 1;
      if (!mayTry(life)) fail(life);
      expect(outcome).toBe(isOpen(life) ? "wrong-code" : "ended");
    }
  });

/** The server dies over the right code: the PSU's yes is kept whole, or not at all; then it is submitted once. */
export const confirmCut = (nth: number, cut: Cut) =>
  onPayment(`confirm, cut after ${cut.afterPackets}`, nth, async (life, model, world) => {
    const possible = mayConfirm(life, model);
    const code = life.code?.text ?? "none";
    const authorisation = await found(life, model.now, world);
    const outcome = await cutShort(world.database, cut, (db) =>
      completeAuthorisation(world.portsOver(db), {
        authorisation,
        proof: { method: "code", code },
        now: model.now,
      }),
    );
    const books = await booksOf(world);
    const row = rowOf(books, life.id);
    if (possible && row.sca === "finalised") {
      authorise(model, life);
      fallBehind(model, aspspProfile.payments.submission.retrySecondsMax);
      adoptSteps(model, books);
      const refused = row.ledger.includes("RJCT");
      if (outcome !== undefined) expect(outcome.outcome).toBe(refused ? "rejected" : "finalised");
      return books;
    }
    expect(outcome?.outcome).not.toBe("finalised");
    // An attempt is counted before it is judged, and here nobody has judged it.
    const counted = row.failed - life.failedAttempts;
    expect(counted === 0 || (possible && counted === 1)).toBe(true);
    life.failedAttempts = row.failed;
    return books;
  });

export const cancel = (nth: number) =>
  onPayment("cancel", nth, async (life, { now }, world) => {
    const authorisation = await found(life, now, world);
    await cancelAuthorisation(world.ports, { authorisation, now });
    fail(life);
  });

/** Two tabs: the code goes out twice, and the PSU cancels, all at once. One of them is first. */
export const confirmAndCancel = (nth: number) =>
  onPayment("confirm twice and cancel at once", nth, async (life, model, world) => {
    const { now } = model;
    const possible = mayConfirm(life, model);
    const authorisation = await found(life, now, world);
    const code = life.code?.text ?? "none";
    const submit = () =>
      completeAuthorisation(world.ports, { authorisation, proof: { method: "code", code }, now });
    const no = () => cancelAuthorisation(world.ports, { authorisation, now });
    const [one, other] = await Promise.all([submit(), submit(), no()]);
    const books = await booksOf(world);
    const row = rowOf(books, life.id);
    const said = [one, other].map(({ outcome }) => outcome).filter((it) => it !== "ended");
    if (possible && row.sca === "finalised") {
      expect(said.filter((it) => it !== "code-expired")).toEqual([confirmed(model, life)]);
    } else {
      expect(said).not.toContain("finalised");
      expect(said).not.toContain("rejected");
      fail(life);
    }
    // Whoever came second may have been counted and never been judged.
    life.failedAttempts = row.failed;
    return books;
  });

async function answer(life: Life, right: boolean, { now }: Model, world: World) {
  const authorisation = await found(life, now, world);
  const code = right && life.code !== undefined ? life.code.text : "000000";
  return (
    await completeAuthorisation(world.ports, {
      authorisation,
      proof: { method: "code", code },
      now,
    })
  ).outcome;
}

function mayConfirm(life: Life, { now }: Model): boolean {
  return life.scaStatus === "started" && codeRuns(life, now) && mayTry(life);
}

async function found(life: Life, now: Date, { ports, tpp }: World) {
  const asked = { kind: "PIS", resourceId: life.id, tppId: tpp.id, now } as const;
  const authorisation = await currentAuthorisation(ports, asked);
  if (authorisation === undefined) throw new Error("a payment without its authorisation");
  expect(authorisation.scaStatus).toBe(life.scaStatus);
  return authorisation;
}
