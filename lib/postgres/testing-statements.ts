import { X509Certificate } from "node:crypto";
import fc from "fast-check";
import { expect, vi } from "vitest";
import { routes } from "@/app/(xs2a)/routes";
import { ledger } from "@/lib/core-bank/ledger/core-bank";
import { clearingAccounts } from "@/lib/core-bank/ledger/entries";
import { paymentExecution } from "@/lib/core-bank/ledger/payment-execution";
import { findPsuByUserId, psuDirectory } from "@/lib/core-bank/ledger/psu-directory";
import { addAccount, addCustomer, addEntries } from "@/lib/core-bank/ledger/testing";
import type { NewPasskey, PasskeyId } from "@/lib/domain/passkeys";
import { submitPayment } from "@/lib/domain/payments";
import { attemptLimits, type UserKey } from "@/lib/domain/psu-attempts";
import type { SessionHash } from "@/lib/domain/sign-in";
import { type ThrottleKey, throttleLimits } from "@/lib/domain/sign-in-throttle";
import { authenticator } from "@/lib/domain/testing/authenticator";
import type { Iban, IsoDate, PsuId, TppId } from "@/lib/domain/values";
import { thumbprintOf } from "@/lib/eidas/certificate";
import { replaceServices, type Services } from "@/lib/services";
import { aspspProfile } from "@/lib/testing-profile";
import { paymentBody } from "@/lib/xs2a/testing/requests";
import { certificatesOf, now, portsOf, requestId, signedRequest } from "@/lib/xs2a/testing/tpp";
import { accessBudget } from "./account-access";
import { authorisationStore } from "./authorisations";
import { caseRecords } from "./case-records";
import type { Database } from "./client";
import { consentStore } from "./consents";
import { eventLog, eventReader } from "./events";
import { fundsCheck, fundsConsentStore } from "./funds";
import { interfaceFigures } from "./interface-figures";
import { oidcModels } from "./oidc";
import { optOutStore } from "./opt-outs";
import { overdue } from "./overdue";
import { passkeyStore } from "./passkeys";
import { paymentStore } from "./payments";
import { permissionRecords } from "./permissions";
import { psuAttempts, signInThrottle } from "./psu-attempts";
import { psuLanguages, textBudget } from "./psus";
import { refusedRequestStore } from "./refused-requests";
import { requestContexts } from "./request-context";
import { messageStore, sandboxClock } from "./sandbox";
import { psuSessionStore, signInStore } from "./sign-ins";
import { staffSessionStore } from "./staff-sessions";
import { statistics } from "./statistics";
import {
  challenged,
  challengedFunds,
  challengedPayment,
  exampleTpp,
  granted,
  initiation,
  minutesOn,
  newRequestId,
  payer,
  payingWithPasskey,
  storesOf,
  type TestDatabase,
  now as testingNow,
  today,
  validFunds,
} from "./testing";
import {
  askedByOperators,
  askedByStaff,
  askedBySystems,
  askedOfTheApp,
} from "./testing-bank-statements";
import { undisturbed } from "./testing-payments";
import { aWorld, EUR } from "./testing-payments-model";
import { tppBlocks } from "./tpp-blocks";
import { seenTpps, stopList, tppAllowance, tppRegister } from "./tpps";
import { webhookOutbox } from "./webhooks";

/** All that asks this database, and what of it has been asked nothing. */
export function watchedStores(db: Database) {
  const unasked = new Set<string>();
  const watched = <Store extends object>(name: string, store: Store): Store => {
    for (const method of Object.keys(store)) unasked.add(`${name}.${method}`);
    return new Proxy(store, {
      get: (target, method) => {
        unasked.delete(`${name}.${String(method)}`);
        return Reflect.get(target, method);
      },
    });
  };
  const stores = {
    clock: watched("clock", sandboxClock(db)),
    requestContexts: watched("requestContexts", requestContexts(db, undefined)),
    tppRegister: watched("tppRegister", tppRegister(db)),
    stopList: watched("stopList", stopList(db)),
    tppBlocks: watched("tppBlocks", tppBlocks(db)),
    statistics: watched("statistics", statistics(db)),
    tppAllowance: watched("tppAllowance", tppAllowance(db, 60_000)),
    consents: watched("consents", consentStore(db)),
    fundsConsents: watched("fundsConsents", fundsConsentStore(db)),
    fundsCheck: watched("fundsCheck", fundsCheck(db)),
    payments: watched("payments", paymentStore(db)),
    events: watched("events", eventLog(db)),
    eventReader: watched("eventReader", eventReader(db)),
    seenTpps: watched("seenTpps", seenTpps(db)),
    webhooks: watched("webhooks", webhookOutbox(db)),
    permissionRecords: watched("permissionRecords", permissionRecords(db)),
    optOuts: watched("optOuts", optOutStore(db)),
    caseRecords: watched("caseRecords", caseRecords(db)),
    refusedRequests: watched("refusedRequests", refusedRequestStore(db)),
    staffSessions: watched("staffSessions", staffSessionStore(db)),
    authorisations: watched("authorisations", authorisationStore(db)),
    interfaceFigures: watched("interfaceFigures", interfaceFigures(db)),
    accessBudget: watched("accessBudget", accessBudget(db)),
    psuDirectory: watched("psuDirectory", psuDirectory(db)),
    psuAttempts: watched("psuAttempts", psuAttempts(db)),
    signInThrottle: watched("signInThrottle", signInThrottle(db)),
    psuLanguages: watched("psuLanguages", psuLanguages(db)),
    signIns: watched("signIns", signInStore(db)),
    coreBank: watched("coreBank", ledger(db, aspspProfile)),
    textBudget: watched("textBudget", textBudget(db)),
    passkeys: watched("passkeys", passkeyStore(db)),
    psuSessions: watched("psuSessions", psuSessionStore(db)),
    sandboxMessages: watched("sandboxMessages", messageStore(db)),
    models: watched("models", oidcModels(db)),
    overdue: watched("overdue", overdue(db)),
    paymentExecution: watched("paymentExecution", paymentExecution(db, aspspProfile)),
    sandboxPsu: findPsuByUserId(db),
  };
  return { stores, unasked };
}

export type WatchedStores = ReturnType<typeof watchedStores>["stores"];

const iban = "RO06DRWB0001000000000101" as Iban;
const fundsIban = "RO76DRWB0001000000000102" as Iban;
const attended = { "psu-ip-address": "198.51.100.7" };
const redirect = { ...attended, "tpp-redirect-uri": "https://tpp.example/cb" };

/** A PSU's account with more entries than a page has, shared with the TPP. */
async function shared(db: Database) {
  const psuId = await addCustomer(db, "Ana Popescu");
  const accountId = await addAccount(db, { [psuId]: "owner" }, { iban });
  const entry = { amountMinor: 5_00n, enteredOn: today };
  const entries = Array.from({ length: 102 }, (_, nth) =>
    nth % 2 === 0 ? entry : { ...entry, bookedOn: today },
  );
  const [transactionId] = await addEntries(db, accountId, [...entries, ...entries]);
  const stores = storesOf(db);
  const decision = { ...(await challenged(stores, { psuId, createdAt: now })), at: now };
  const grant = granted(accountId);
  const rights = { balances: true, transactions: true, ownerName: true };
  await stores.authorisations.finaliseAccountConsent({
    ...decision,
    grantedAccounts: [{ ...grant, iban, rights }],
  });
  return { ...decision, psuId, accountId, transactionId, resourceId: grant.resourceId };
}

/** Every request that a TPP may send, each of them answered as it is to be. */
export async function tppRequests(db: Database, stores: WatchedStores, send: Send): Promise<void> {
  await accountRequests(send, await shared(db), stores);
  await consentRequests(send);
  await fundsRequests(send, db);
  await paymentRequests(send);
}

async function accountRequests(
  send: Send,
  { consentId, psuId, resourceId, transactionId }: Awaited<ReturnType<typeof shared>>,
  stores: WatchedStores,
): Promise<void> {
  const accounts = "/aisp/v1/accounts";
  const own = { "consent-id": consentId, authorization: `Bearer AIS:${consentId}` };
  const path = { accountId: resourceId, transactionId };
  for (const headers of [own, { ...own, ...attended }]) {
    await send(accounts, {}, { headers });
    await send(`${accounts}/{accountId}`, path, { headers, query: "?withBalance=true" });
    await send(`${accounts}/{accountId}/balances`, path, { headers });
    await send(`${accounts}/{accountId}/transactions/{transactionId}`, path, { headers });
    for (const status of ["booked", "pending", "both", "all"]) {
      if (status !== "all" && !("psu-ip-address" in headers)) continue;
      const route = `${accounts}/{accountId}/transactions`;
      const query = `?bookingStatus=${status}&dateFrom=2026-11-01`;
      const page = await send(route, path, { headers, query });
      const next = JSON.stringify(page).match(/[?&]cursor=([\w-]+)/)?.[1];
      if (next === undefined) throw new Error(`there is one page only: ${status}`);
      await send(route, path, { headers, query: `?cursor=${next}` });
    }
  }
  await stores.coreBank.accounts({ customerId: psuId, ids: [] });
}

async function consentRequests(send: Send): Promise<void> {
  const consents = "/aisp/v1/consents";
  const body = {
    access: { allPsd2: "allAccounts" },
    recurringIndicator: true,
    validUntil: "2027-02-01",
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
  };
  const creation = { method: "POST", headers: redirect, body, status: 201 } as const;
  // By the first one the bank gets to know the TPP as its certificate names it.
  await send(consents, {}, creation);
  await aboutConsent(send, consents, creation);
}

async function fundsRequests(send: Send, db: Database): Promise<void> {
  const consents = "/cbpii/v2/consents/confirmation-of-funds";
  const body = { account: { iban } };
  await aboutConsent(send, consents, { method: "POST", headers: redirect, body, status: 201 });

  const psuId = await addCustomer(db, "Ana Popescu");
  const accountId = await addAccount(db, { [psuId]: "owner" }, { iban: fundsIban });
  const given = { psuId, accountId, account: { iban: fundsIban } };
  const { consentId } = await validFunds(storesOf(db), given);
  await send(
    "/cbpii/v1/funds-confirmations",
    {},
    {
      method: "POST",
      headers: { "consent-id": consentId, authorization: `Bearer PIIS:${consentId}` },
      body: { account: { iban: fundsIban }, instructedAmount: { currency: "RON", amount: "1" } },
    },
  );
}

/** Its creation, and all that may be asked of it until it is deleted. */
async function aboutConsent(send: Send, route: string, creation: Sent): Promise<void> {
  const repeated = { ...creation, headers: { ...creation.headers, "x-request-id": requestId } };
  const first = await send(route, {}, repeated);
  // The same request again gets the first answer.
  expect(await send(route, {}, repeated)).toEqual(first);
  const { consentId } = await send(route, {}, creation);
  const path = { consentId: String(consentId) };
  await send(`${route}/{consentId}`, path);
  await send(`${route}/{consentId}/status`, path);
  await aboutAuthorisations(send, `${route}/{consentId}`, path);
  await send(`${route}/{consentId}`, path, { method: "DELETE", status: 204 });
}

async function paymentRequests(send: Send): Promise<void> {
  const route = "/pisp/v1/{paymentService}/{paymentProduct}";
  const product = { paymentService: "payments", paymentProduct: "sepa-credit-transfers" };
  const pay = (amount: string) => ({
    method: "POST" as const,
    headers: { ...redirect, "x-request-id": requestId },
    body: paymentBody("sepa-credit-transfers", { instructedAmount: { currency: "EUR", amount } }),
    status: 201,
  });
  const { paymentId } = await send(route, product, pay("1.00"));
  // The same id with another body gets the first answer, which is noted.
  expect(await send(route, product, pay("2.00"))).toMatchObject({ paymentId });
  expect(await send(route, product, pay("out of form"))).toMatchObject({ paymentId });
  const tooMuch = { ...pay("99999999.00"), headers: redirect, status: 400 };
  await send(route, product, tooMuch);
  await send(route, product, { ...pay("3.00"), headers: redirect });
  const path = { ...product, paymentId: String(paymentId) };
  await send(`${route}/{paymentId}`, path);
  await send(`${route}/{paymentId}/status`, path);
  await aboutAuthorisations(send, `${route}/{paymentId}`, path);
}

async function aboutAuthorisations(
  send: Send,
  route: string,
  path: Readonly<Record<string, string>>,
): Promise<void> {
  const { authorisationIds } = await send(`${route}/authorisations`, path);
  const [authorisationId] = authorisationIds as readonly string[];
  await send(`${route}/authorisations/{authorisationId}`, { ...path, authorisationId });
}

const base = "/open-banking/v3.1";

type Sent = {
  readonly method?: "GET" | "POST" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly query?: string;
  /** What it is to be answered with: 200 unless another is named. */
  readonly status?: number;
};

/** Sends a TPP's request to the handler of its route; yields the body of the answer. */
export type Send = (
  route: string,
  path: Readonly<Record<string, string | undefined>>,
  sent?: Sent,
) => Promise<Record<string, unknown>>;

type Handler = (
  request: Request,
  context: { readonly params: Promise<object> },
) => Promise<Response>;

type Sender = {
  readonly tppId?: TppId;
  readonly at?: Date;
  /** The hash of the grant that a token with this scope stands on. */
  readonly grantOf?: (scope: string) => Promise<string>;
};

/**
 * A TPP of the bank with these stores, which is this process's bank until `stop`. `counts` is how many
 * statements each request has sent, the last time, by a count of all statements.
 */
export async function tppSender(
  stores: WatchedStores,
  statements: () => number,
  { tppId = exampleTpp.id, at = now, grantOf }: Sender = {},
) {
  await stores.clock.moveTo(at);
  const own = await certificatesOf(tppId, ["PSP_AI", "PSP_PI", "PSP_IC"]);
  const thumbprint = thumbprintOf(new X509Certificate(own.qwacPem).raw);
  const expiresAt = new Date(at.getTime() + 900_000);
  const ofAll = "grant of all tokens";
  await stores.models.upsert("Grant", ofAll, {}, expiresAt, {});
  const issued = { clientId: tppId, expiresAt, thumbprint, hash: "token" };
  // A token's signature is judged without the database; this one is named after what it opens.
  const read = async (scope: string) => {
    return { ...issued, scope, grantHash: (await grantOf?.(scope)) ?? ofAll };
  };
  const drawbridge = { ...(await portsOf()), ...stores, accessTokens: { read } };
  replaceServices(drawbridge as unknown as Services);
  const counts = new Map<string, number>();

  const send: Send = async (route, path, sent = {}) => {
    const { method = "GET", query = "", status = 200, body, headers = {} } = sent;
    const url = Object.entries(path).reduce(
      (text, [name, value]) => text.replace(`{${name}}`, value ?? name),
      `https://bank.example${base}${route}${query}`,
    );
    const all = { "x-request-id": newRequestId(), date: at.toUTCString(), ...headers };
    const text = body === undefined ? "" : JSON.stringify(body);
    const request = signedRequest(own, { method, url, headers: all, body: text });
    const handlers = routes[`${base}${route}`] as Partial<Record<string, Handler>> | undefined;
    const before = statements();
    // A request that takes long loads its context twice; no machine is too slow to count.
    const stopped = vi.spyOn(performance, "now").mockReturnValue(performance.now());
    const answer = await handlers?.[method]?.(request, { params: Promise.resolve(path) });
    stopped.mockRestore();
    if (answer === undefined) throw new Error(`there is no ${method} ${route}`);
    counts.set(`${method} ${route}`, statements() - before);
    const said = await answer.text();
    expect([route, query, answer.status, said]).toEqual([route, query, status, said]);
    return said === "" ? {} : JSON.parse(said);
  };
  const stop = () => replaceServices(undefined);
  return { send, counts: counts as ReadonlyMap<string, number>, stop };
}

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
  const limits = throttleLimits(aspspProfile, testingNow);
  for (let nth = 0; nth < 25; nth += 1) {
    const networkAndUser = `network and user ${nth < 5 ? 0 : nth}` as ThrottleKey;
    await signInThrottle.take({ network, networkAndUser }, limits, testingNow);
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
  await psuAttempts.take(user, "password", attemptLimits(aspspProfile, testingNow), testingNow);
  await psuAttempts.giveBack(user, "password");
  await psuAttempts.isBlockedForGood(user, attemptLimits(aspspProfile, testingNow));
  await psuAttempts.blockOf(user, attemptLimits(aspspProfile, testingNow));
  await psuAttempts.rename(user, ["another" as UserKey]);
  await psuAttempts.forget(user);
  for (const limits of Array.from({ length: 6 }, () => attemptLimits(aspspProfile, testingNow))) {
    const taken = await psuAttempts.take(user, "code", limits, testingNow);
    if (taken?.attemptsLeft === 0) await psuAttempts.block(user, testingNow, limits);
  }
  await textBudget.take(psuId, { textsMax: 5, since: minutesOn(-60) }, testingNow);
  await sandboxMessages.keep({ psuId, sentAt: testingNow, text: "Code 123456", code: "123456" });
  await sandboxMessages.of(psuId, 20);

  await signIns.begin(session, psuId, testingNow);
  await signIns.beginSignedIn(again(7), psuId, testingNow, testingNow);
  await signIns.touch(session, limits, testingNow);
  const code = { codeFingerprint: "one", expiresAt: minutesOn(5) };
  await signIns.startChallenge(session, code, 4, testingNow);
  await signIns.withdrawCode(session, "one");
  const openPasskey = { nonce: "one", expiresAt: minutesOn(5) };
  await signIns.startPasskeyChallenge(session, openPasskey, testingNow);
  await signIns.startChallenge(session, code, 4, testingNow);
  for (const [nth, judged] of [{ codeFingerprint: "one" }, { passkeyNonce: "one" }].entries()) {
    await signIns.complete({ session, opened: again(nth), judged, at: testingNow });
  }
  await signIns.revoke(again(0), testingNow);

  const passkey: NewPasskey = {
    id: crypto.randomUUID() as string as PasskeyId,
    credentialId: "credential",
    psuId,
    publicKey: "key",
    counter: 0,
    transports: [],
    name: "Phone",
    createdAt: testingNow,
  };
  await passkeys.add(passkey, 10);
  await passkeys.ofPsu(psuId);
  await passkeys.ownerOf("credential");
  await passkeys.use(passkey.id, 1, testingNow);
  await passkeys.remove(passkey.id, psuId, testingNow);

  const { optOuts } = stores;
  for (const tppId of [undefined, exampleTpp.id]) {
    const refused = { psuId, kind: "funds", tppId } as const;
    await optOuts.set(refused, testingNow);
    await optOuts.refuses(psuId, "funds", exampleTpp.id);
    await optOuts.kinds(psuId, tppId);
    const [first] = await optOuts.list(psuId, { limit: 20 });
    await optOuts.list(psuId, { after: first?.position, limit: 20 });
    await optOuts.end(refused, testingNow);
  }
}

/** What the pages of an authorisation ask, and what ends one or takes its yes. */
export async function authorisationPages(
  { db }: TestDatabase,
  stores: WatchedStores,
): Promise<void> {
  const { authorisations, consents, fundsConsents, psuSessions, permissionRecords } = stores;
  await psuSessions.open("hash", "psu" as PsuId, testingNow);
  await psuSessions.touch("hash", aspspProfile.sca, testingNow);
  await psuSessions.find("hash", aspspProfile.sca, testingNow);
  await psuSessions.revoke("hash", testingNow);

  const decision = await challenged(storesOf(db));
  const { authorisationId: id, consentId, psuId, codeFingerprint } = decision;
  const authorisation = await authorisations.find(id);
  if (authorisation === undefined) throw new Error("no authorisation");
  const { selection } = authorisation;
  await authorisations.findByResource("AIS", consentId);
  await authorisations.earlierSelection(exampleTpp.id, psuId);
  await authorisations.isOpenRedirectUri(exampleTpp.id, "https://tpp.example/ok", testingNow);
  await authorisations.extendWindow(id, minutesOn(20), testingNow);
  await consents.find(consentId);
  await consents.findByAuthorisation(id);
  await authorisations.takeAttempt(id, 5, testingNow);
  await authorisations.giveBackAttempt(id, testingNow);
  await authorisations.authenticate(id, psuId, testingNow);
  await authorisations.select(id, selection, testingNow);
  await authorisations.select(id, selection, testingNow, { linkHash: "link" });
  const challenge = { codeFingerprint, expiresAt: minutesOn(5), linkHash: "link" };
  await authorisations.startChallenge(id, selection, challenge, 9, testingNow);
  await authorisations.withdrawCode(id, "none", 3, testingNow);
  const passkey = { nonce: "nonce", expiresAt: minutesOn(5), linkHash: "link" };
  await authorisations.startPasskeyChallenge(id, selection, passkey, testingNow);
  await authorisations.takeAttempt(id, 5, testingNow);
  await authorisations.finaliseAccountConsent(decision);
  const page = { limit: 20, newestMax: 3 };
  const filter = { kind: "accounts", inForce: true, since: longAgo, text: "ro49 aaaa" } as const;
  for (const asked of [{}, { ...filter, tppId: exampleTpp.id }]) {
    const [listed] = await permissionRecords.list(psuId, asked, page);
    const [grouped] = await permissionRecords.byTpp(psuId, asked, page);
    await permissionRecords.list(psuId, asked, { ...page, after: listed?.position });
    await permissionRecords.byTpp(psuId, asked, { ...page, after: grouped?.position });
  }
  await permissionRecords.find(psuId, "accounts", consentId);
  await permissionRecords.revocable({ psuId, tppId: exampleTpp.id }, 20);
  await askedBySystems(stores, psuId);
  await askedByStaff(stores, psuId);
  const [read] = await permissionRecords.readsOf(consentId, { limit: 20 });
  const after = (read?.position ?? "9") as NonNullable<typeof read>["position"];
  await permissionRecords.readsOf(consentId, { after, limit: 20 });
  const ended = { from: "valid", to: "revokedByPsu", on: today, at: testingNow } as const;
  await consents.end({ ...ended, consentId });

  const { codeFingerprint: _code, ...approved } = await challenged(storesOf(db));
  await askedOfTheApp(authorisations, approved.authorisationId);
  const evidence = { means: "ciba", text: "text", idToken: "token" } as const;
  await authorisations.finaliseAccountConsent({ ...approved, approvalNonce: "nonce", evidence });

  const funds = await challengedFunds(storesOf(db));
  await fundsConsents.find(funds.consentId);
  await fundsConsents.findByAuthorisation(funds.authorisationId);
  await authorisations.finaliseFundsConsent(funds);
  await fundsConsents.end({ ...ended, consentId: funds.consentId });
  const { authorisationId } = await challengedFunds(storesOf(db));
  const cancelled = { because: "cancelled", on: today, at: testingNow } as const;
  await authorisations.fail({ id: authorisationId, ...cancelled });
}

/** Payments of every kind, from the TPP's request to the last booking, as the model has them. */
export async function payments(database: TestDatabase, stores: WatchedStores): Promise<void> {
  const { db } = database;
  await clearingAccounts(db, [EUR], aspspProfile);
  const terms = { credited: 150_000n, overdraft: 0n, ownLimit: null };
  for (const commands of fc.sample(undisturbed, { numRuns: 8, seed: 8 })) {
    const model = { now: testingNow, lives: [], ...terms };
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
  await stores.coreBank.quotePayment({ customerId: decided.psuId, order, now: testingNow });
  await stores.coreBank.limits(decided.psuId, testingNow);
  const ports = { ...stores, profile: aspspProfile, submissionFaults: () => undefined };
  await submitPayment(ports, claimed, { now: testingNow });
  await stores.payments.noteConflict(id);
  await stores.coreBank.payment(id);
  await stores.coreBank.paymentChanges();
  const begun = initiation();
  await stores.payments.initiate(begun);
  await stores.payments.findByAuthorisation(begun.started.payment.authorisationId);
  await stores.paymentExecution.advance(testingNow, 1);
}

/** What tokens, the bank's own command, the sweep and the sandbox's clock ask. */
export async function bankItself(stores: WatchedStores, psuId: PsuId): Promise<void> {
  const { stopList, clock, tppRegister, overdue, models, psuAttempts, psuSessions } = stores;
  const tppId = "PSDRO-NBR-404" as typeof exampleTpp.id;
  await tppRegister.remember({ ...exampleTpp, id: tppId }, testingNow);
  await tppRegister.find(tppId);
  await stopList.block({ tppId, blockedAt: testingNow });
  await stopList.find(tppId, testingNow);
  await stopList.list(testingNow);
  await stopList.unblock(tppId, testingNow);
  await stores.coreBank.accountsOf(psuId);
  await askedByOperators(stores, psuId);

  const keys = { grantId: "grant", uid: "uid", accountId: "account" };
  for (const kind of ["Grant", "RefreshToken"]) {
    await models.upsert(kind, "hash", {}, minutesOn(5), keys);
    await models.find(kind, "hash", testingNow);
  }
  await models.rotate("hash", testingNow, 60);
  await models.consume("RefreshToken", "hash", testingNow);
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

  await publishedFigures(stores.interfaceFigures, day);

  await clock.reset();
  await clock.advance(1_000);
  await clock.read();
  await clock.now();
  await clock.setAhead(tppId, 60);
  await clock.aheadOf(tppId);
  for (const own of await clock.tppClocks()) await overdue.authorisations(longAgo, 1, own.tppId);
}

async function publishedFigures(figures: WatchedStores["interfaceFigures"], day: IsoDate) {
  const of = { interface: "xs2a", from: longAgo, until: testingNow } as const;
  // The sweep goes by the machine's clock.
  const at = new Date();
  await figures.keepRuns([{ ...of, beganAt: at, lastAt: at, answered: true, probes: 1 }]);
  await figures.announceDowntime({ ...of, reason: "upgrade", by: "test", at: longAgo });
  const shares = { plannedDowntime: 0, unplannedDowntime: 0, errors: 0 };
  await figures.keepChannelDays([{ channel: "app", day, ...shares }]);
  await figures.channelDays(day, day);
  await figures.sumDays(day, "UTC");
  await figures.read({ from: day, to: day, timeZone: "UTC" });
}
