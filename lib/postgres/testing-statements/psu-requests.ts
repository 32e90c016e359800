import fc from "fast-check";
import { clearingAccounts } from "@/lib/core-bank/ledger/clearing-accounts";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { PsuId } from "@/lib/domain/identifiers";
import type { IsoDate } from "@/lib/domain/iso-date";
import type { NewPasskey, PasskeyId } from "@/lib/domain/passkeys/passkey";
import { submitPayment } from "@/lib/domain/payment/submit-payment";
import { attemptLimits, type UserKey } from "@/lib/domain/sca/psu-attempts";
import { type ThrottleKey, throttleLimits } from "@/lib/domain/sca/sign-in-throttle";
import type { SessionHash } from "@/lib/domain/sign-in/sign-in-store";
import { authenticator } from "@/lib/domain/testing/authenticator";
import { accountOne, challenged, exampleTpp, minutesOn, now, storesOf, today } from "../samples";
import type { TestDatabase } from "../testing";
import { challengedFunds, fundsStoresOf } from "../testing-funds";
import { payingWithPasskey } from "../testing-passkeys";
import { challengedPayment, initiation, payer } from "../testing-payment-samples";
import { undisturbed } from "../testing-payments/commands";
import { EUR } from "../testing-payments/lane";
import { aWorld } from "../testing-payments/world";
import type { WatchedStores } from "./stores";

/** Of what is swept there is little at any time. */
export const longAgo = new Date("2000-01-01T00:00:00Z");
const longAhead = new Date("2030-01-01T00:00:00Z");

const session = "session" as SessionHash;
const again = (nth: number) => `session ${nth}` as SessionHash;

/** Wrong passwords of one network until it has to wait, for one user ID and then in all. */
async function guards(
  { signInThrottle, psuLanguages }: WatchedStores,
  psuId: PsuId,
): Promise<void> {
  const network = "network" as ThrottleKey;
  const limits = throttleLimits(aspspProfile, now);
  for (let nth = 0; nth < 25; nth += 1) {
    const networkAndUser = `network and user ${nth < 5 ? 0 : nth}` as ThrottleKey;
    await signInThrottle.take({ network, networkAndUser }, limits, now);
  }
  const keys = { network, networkAndUser: "network and user 6" as ThrottleKey };
  await signInThrottle.giveBack(keys);
  await signInThrottle.wasRight(keys);
  await signInThrottle.destroyForgotten(longAgo, 10);
  await psuLanguages.keep(psuId, "en");
  await psuLanguages.of(psuId);
}

/** What the pages of the bank's own channel and of the sandbox ask. */
export async function ownChannel(stores: WatchedStores, psuId: PsuId): Promise<void> {
  const { signIns, passkeys, psuAttempts, psuDirectory, textBudget, sandboxMessages } = stores;
  const limits = { inactivityMinutes: 5, sessionMinutes: 60 };
  await psuDirectory.verifyPassword("ana", "wrong");
  await psuDirectory.find(psuId);
  await psuDirectory.findByUserId("ana");
  await guards(stores, psuId);
  await stores.sandboxPsu("ana");
  const user = "user" as UserKey;
  await psuAttempts.take(user, "password", attemptLimits(aspspProfile, now), now);
  await psuAttempts.giveBack(user, "password");
  await psuAttempts.isBlockedForGood(user, attemptLimits(aspspProfile, now));
  await psuAttempts.forget(user);
  for (const limits of Array.from({ length: 6 }, () => attemptLimits(aspspProfile, now))) {
    const taken = await psuAttempts.take(user, "second", limits, now);
    if (taken?.attemptsLeft === 0) await psuAttempts.block(user, now, limits);
  }
  await textBudget.take(psuId, { textsMax: 5, since: minutesOn(-60) }, now);
  await sandboxMessages.keep({ psuId, sentAt: now, text: "Code 123456", code: "123456" });
  await sandboxMessages.of(psuId, 20);

  await signIns.begin(session, psuId, now);
  await signIns.touch(session, limits, now);
  const code = { codeFingerprint: "one", expiresAt: minutesOn(5) };
  await signIns.startChallenge(session, code, 4, now);
  await signIns.withdrawCode(session, "one");
  await signIns.startPasskeyChallenge(session, { nonce: "one", expiresAt: minutesOn(5) }, now);
  await signIns.startChallenge(session, code, 4, now);
  for (const [nth, judged] of [{ codeFingerprint: "one" }, { passkeyNonce: "one" }].entries()) {
    await signIns.complete({ session, opened: again(nth), judged, at: now });
  }
  await signIns.revoke(again(0), now);

  const passkey: NewPasskey = {
    id: crypto.randomUUID() as string as PasskeyId,
    credentialId: "credential",
    psuId,
    publicKey: "key",
    counter: 0,
    transports: [],
    name: "Phone",
    createdAt: now,
  };
  await passkeys.add(passkey, 10);
  await passkeys.ofPsu(psuId);
  await passkeys.ownerOf("credential");
  await passkeys.use(passkey.id, 1, now);
  await passkeys.remove(passkey.id, psuId, now);
}

/** What the pages of an authorisation ask, and what ends one or takes its yes. */
export async function authorisationPages(
  database: TestDatabase,
  stores: WatchedStores,
): Promise<void> {
  const { authorisations, consents, fundsConsents, psuSessions, permissionRecords } = stores;
  await psuSessions.open("hash", "psu" as PsuId, now);
  await psuSessions.touch("hash", now, 5, 15);
  await psuSessions.revoke("hash", now);

  const { db } = database;
  const decision = await challenged(storesOf(db));
  const { authorisationId: id, consentId, psuId, codeFingerprint } = decision;
  const authorisation = await authorisations.find(id);
  if (authorisation === undefined) throw new Error("no authorisation");
  await authorisations.findByResource("AIS", consentId);
  await authorisations.isOpenRedirectUri(exampleTpp.id, "https://tpp.example/ok", now);
  await authorisations.extendWindow(id, minutesOn(20), now);
  await consents.find(consentId);
  await consents.findByAuthorisation(id);
  await authorisations.takeAttempt(id, 5, now);
  await authorisations.authenticate(id, psuId, now);
  await authorisations.select(id, [accountOne], now);
  const challenge = { codeFingerprint, expiresAt: minutesOn(5) };
  await authorisations.startChallenge(id, [accountOne], challenge, 9, now);
  await authorisations.withdrawCode(id, "none", 3, now);
  const passkey = { nonce: "nonce", expiresAt: minutesOn(5) };
  await authorisations.startPasskeyChallenge(id, [accountOne], passkey, now);
  await authorisations.takeAttempt(id, 5, now);
  await authorisations.finaliseAccountConsent(decision);
  await permissionRecords.of(psuId, { offset: 0, limit: 20 });
  await permissionRecords.find(psuId, "accounts", consentId);
  const [read] = await permissionRecords.readsOf(consentId, { limit: 20 });
  const after = (read?.position ?? "9") as NonNullable<typeof read>["position"];
  await permissionRecords.readsOf(consentId, { after, limit: 20 });
  const ended = { from: "valid", to: "revokedByPsu", on: today, at: now } as const;
  await consents.end({ ...ended, consentId });

  const funds = await challengedFunds(fundsStoresOf(db));
  await fundsConsents.find(funds.consentId);
  await fundsConsents.findByAuthorisation(funds.authorisationId);
  await authorisations.finaliseFundsConsent(funds);
  await fundsConsents.end({ ...ended, consentId: funds.consentId });
  const { authorisationId } = await challengedFunds(fundsStoresOf(db));
  await authorisations.fail({ id: authorisationId, because: "cancelled", on: today, at: now });
}

/** Payments of every kind, from the TPP's request to the last booking, as the model has them. */
export async function payments(database: TestDatabase, stores: WatchedStores): Promise<void> {
  const { db } = database;
  await clearingAccounts(db, [EUR]);
  const terms = { credited: 150_000n, overdraft: 0n, ownLimit: null };
  for (const commands of fc.sample(undisturbed, { numRuns: 8, seed: 8 })) {
    const model = { now, lives: [], ...terms };
    const world = await aWorld(database, terms);
    await fc.asyncModelRun(() => ({ model, real: world }), commands);
  }
  const device = authenticator();
  const { complete, signature } = await payingWithPasskey({
    database,
    stores: storesOf(db),
    device,
  });
  await complete(await signature());
  const decided = await challengedPayment(storesOf(db), await payer(db));
  await stores.authorisations.finalisePayment(decided);
  const due = await stores.payments.claimSubmissions(longAhead, {
    ...aspspProfile.payments.submission,
    rowsAtOnce: 1_000,
  });
  const claimed = due.find(({ status }) => status === "ACTC");
  if (claimed === undefined) throw new Error("nothing is to be submitted");
  const { id, order } = claimed;
  await stores.coreBank.quotePayment({ customerId: decided.psuId, order, now });
  const ports = { ...stores, profile: aspspProfile, submissionFaults: () => undefined };
  await submitPayment(ports, claimed, now);
  await stores.coreBank.payments([id]);
  const begun = initiation();
  await stores.payments.initiate(begun);
  await stores.payments.findByAuthorisation(begun.started.payment.authorisationId);
  await stores.paymentExecution.advance(now, 1);
}

/** What tokens, the bank's own command, the sweep and the sandbox's clock ask. */
export async function bankItself(stores: WatchedStores, psuId: PsuId): Promise<void> {
  const { stopList, clock, tppRegister, overdue, models, psuAttempts, psuSessions } = stores;
  const tppId = "PSDRO-NBR-404" as typeof exampleTpp.id;
  await tppRegister.remember({ ...exampleTpp, id: tppId }, now);
  await tppRegister.find(tppId);
  await stopList.block({ tppId, blockedAt: now });
  await stopList.find(tppId, now);
  await stopList.list(now);
  await stopList.unblock(tppId, now);
  await stores.coreBank.accountsOf(psuId);

  const keys = { grantId: "grant", uid: "uid", accountId: "account" };
  for (const kind of ["Grant", "RefreshToken"]) {
    await models.upsert(kind, "hash", {}, minutesOn(5), keys);
    await models.find(kind, "hash", now);
    await models.findByUid(kind, "uid", now);
  }
  await models.rotate("hash", now, 60);
  await models.consume("RefreshToken", "hash", now);
  await models.destroy("Grant", "hash");
  await models.revokeByGrant("none");
  await models.destroyExpired(longAgo, 200);

  await overdue.authorisations(longAgo, 200);
  const day = "2000-01-01" as IsoDate;
  const since = { recurringSince: longAgo, oneOffSince: longAgo };
  await overdue.consents({ lastDayBefore: day, ...since }, 200);
  await overdue.fundsConsents(day, 200);
  await psuAttempts.destroyForgotten(attemptLimits(aspspProfile, longAgo), 200);
  await psuSessions.destroyOpenedBefore("authorisation", longAgo, 200);

  await clock.reset();
  await clock.advance(1_000);
  await clock.read();
  await clock.now();
}
