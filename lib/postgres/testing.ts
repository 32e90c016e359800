import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { afterAll, expect, inject } from "vitest";
import { ledger } from "@/lib/core-bank/ledger/core-bank";
import {
  addAccount,
  addCustomer,
  addEntries,
  today as testingToday,
} from "@/lib/core-bank/ledger/testing";
import type { GrantedAccount } from "@/lib/domain/accounts";
import type {
  AccountConsentDecision,
  Authorisation,
  FundsConsentDecision,
  PaymentDecision,
  ResourceKind,
} from "@/lib/domain/authorisation";
import { type AspspProfile, money } from "@/lib/domain/bank-profile";
import type { AccountConsent } from "@/lib/domain/consents";
import { type Finalisation, linkedPayment, subjectOf } from "@/lib/domain/dynamic-linking";
import { confirmFunds, type FundsConsent, type FundsRequest } from "@/lib/domain/funds";
import type { Payment, PaymentOrder } from "@/lib/domain/payment-order";
import { type Initiation, type SubmissionFaults, submitPayment } from "@/lib/domain/payments";
import type { RequestContexts } from "@/lib/domain/request-context";
import {
  beginChallenge,
  completeAuthorisation,
  identifyPsu,
  openPasskeyChallenge,
  type Proof,
} from "@/lib/domain/sca";
import { type Authenticator, enrolled } from "@/lib/domain/testing/authenticator";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import { speltOut } from "@/lib/domain/testing/samples";
import type { Tpp } from "@/lib/domain/tpp";
import {
  type AccountId,
  type AuthorisationId,
  type ConsentId,
  type Currency,
  type Iban,
  type IsoDate,
  newAuthorisationId,
  newConsentId,
  newPaymentId,
  newResourceId,
  type PsuId,
  type RequestId,
  type TppId,
} from "@/lib/domain/values";
import { systemClock } from "@/lib/system-clock";
import { aspspProfile } from "@/lib/testing-profile";
import { accessBudget } from "./account-access";
import { authorisationStore } from "./authorisations";
import { type Connection, connect, type Database } from "./client";
import { consentStore } from "./consents";
import { fundsCheck, fundsConsentStore } from "./funds";
import type { Bounds } from "./guard";
import { clientOptions } from "./guarded-client";
import { oidcModels } from "./oidc";
import { passkeyStore } from "./passkeys";
import { paymentStore } from "./payments";
import { psuAttempts } from "./psu-attempts";
import { requestContexts } from "./request-context";
import { tppRegister } from "./tpps";

export type TestDatabase = Connection & {
  readonly sql: postgres.Sql;
  /** Of the role that the server runs as, as `db` is. */
  readonly url: string;
  /** Of the role that owns the tables, as `sql` is. */
  readonly ownerUrl: string;
};

export type TestSettings = Partial<Parameters<typeof connect>[1]>;

/** Milliseconds: however long a busy machine takes over a thousand calls at once, it is no outage. */
export const patientBounds: Bounds = { connect: 10_000, wait: 60_000, answer: 60_000, rest: 5_000 };

/**
 * A migrated database of its own for one test file; `close` drops it. `db` is of the role that the server runs as, and
 * `sql` of the owner; `settings` are of the former. Twenty connections, so that racing calls really run in parallel.
 */
export async function testDatabase(settings: TestSettings = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const admin = postgres(inject("databaseUrl"), { max: 1, onnotice: () => undefined });
  await admin`create database ${admin(name)} template ${admin(inject("templateDatabase"))} strategy file_copy`;
  const [url, ownerUrl] = [inject("serverUrl"), inject("databaseUrl")].map(
    (one) => Object.assign(new URL(one), { pathname: `/${name}` }).href,
  ) as [string, string];
  const server = connect(url, { max: 20, bounds: patientBounds, ...settings });
  const sql = postgres(ownerUrl, { ...clientOptions, max: 20 });
  const close = async () => {
    await Promise.all([server.close(), sql.end({ timeout: patientBounds.rest / 1_000 })]);
    await admin`drop database ${admin(name)} with (force)`;
    await admin.end();
  };
  return { ...server, sql, url, ownerUrl, close };
}

/** A database for the tests of this file or `describe`, dropped after them. */
export async function fileDatabase(settings?: TestSettings): Promise<TestDatabase> {
  const database = await testDatabase(settings);
  afterAll(() => database.close());
  return database;
}

/** The same with its stores, which know both example TPPs. */
export async function testStores(settings?: TestSettings) {
  const database = await fileDatabase(settings);
  const stores = storesOf(database.db);
  for (const tpp of [exampleTpp, otherTpp]) await stores.tpps.remember(tpp, now);
  return { database, stores };
}

/** The examples are all of one morning. */
export const now = new Date("2026-11-20T10:00:00.123Z");
export const today = "2026-11-20" as IsoDate;
export const minutesOn = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

/** More than any test has open. */
export const openMax = 5_000;

export const ana = "psu-ana" as PsuId;
export const mihai = "psu-mihai" as PsuId;

export const exampleTpp: Tpp = {
  id: "PSDRO-NBR-1234567" as TppId,
  name: "Example TPP",
  authorityName: "National Bank of Romania",
  authorityId: "RO-NBR",
  roles: ["PSP_AI", "PSP_PI"],
};
export const otherTpp: Tpp = { ...exampleTpp, id: "PSDDE-BAFIN-99" as TppId, name: "Other TPP" };

export function storesOf(db: Database) {
  return {
    tpps: tppRegister(db),
    consents: consentStore(db),
    fundsConsents: fundsConsentStore(db),
    payments: paymentStore(db),
    authorisations: authorisationStore(db),
    psuAttempts: psuAttempts(db),
    budget: accessBudget(db),
    models: oidcModels(db),
  };
}
export type Stores = ReturnType<typeof storesOf>;

type Received = { readonly consent: AccountConsent; readonly authorisation: Authorisation };

export function receivedConsent(
  given: Partial<AccountConsent> = {},
  started: Partial<Authorisation> = {},
): Received {
  const consent: AccountConsent = {
    id: newConsentId(),
    tppId: exampleTpp.id,
    authorisationId: newAuthorisationId(),
    status: "received",
    requestedAccess: { transactions: [], balances: [], availableAccounts: "allAccounts" },
    access: {
      model: "bankOffered",
      rights: { balances: true, transactions: true, ownerName: false },
      named: [],
    },
    recurringIndicator: true,
    validUntil: "2027-05-19" as IsoDate,
    frequencyPerDay: 4,
    createdAt: now,
    lastActionDate: today,
    grantedAccounts: [],
    ...given,
  };
  return { consent, authorisation: { ...authorisationOf("AIS", consent), ...started } };
}

/** As it is before its PSU comes. */
function authorisationOf(
  kind: ResourceKind,
  {
    id,
    authorisationId,
    tppId,
  }: Pick<AccountConsent | FundsConsent | Payment, "id" | "authorisationId" | "tppId">,
): Authorisation {
  return {
    id: authorisationId,
    kind,
    resourceId: id,
    tppId,
    requestId: newRequestId(),
    scaStatus: "received",
    redirectUris: { redirectUri: "https://tpp.example/ok" },
    failedAttempts: 0,
    selection: [],
    codesSent: 0,
    createdAt: now,
    expiresAt: minutesOn(15),
  };
}

export const accountOne = "account-1" as AccountId;

export function granted(accountId: AccountId = accountOne): GrantedAccount {
  return {
    resourceId: newResourceId(),
    accountId,
    iban: "RO49DRWB1B31007593840000" as Iban,
    currency: "RON" as Currency,
    rights: { balances: true, transactions: false, ownerName: true },
  };
}

/** A consent whose PSU has signed in, chosen and sent the code of the decision that comes back. */
export async function challenged(
  stores: Stores,
  { psuId = ana, ...given }: Partial<AccountConsent> = {},
): Promise<AccountConsentDecision & { readonly codeFingerprint: string }> {
  const { consent, authorisation } = receivedConsent(given);
  const { id } = authorisation;
  await stores.consents.insert(consent, authorisation, openMax);
  const codeFingerprint = await sendCode(stores, id, psuId, accountOne);
  await keepToken(stores, id, minutesOn(60));
  return {
    authorisationId: id,
    consentId: consent.id,
    psuId,
    codeFingerprint,
    grantedAccounts: [granted()],
    on: today,
    at: now,
  };
}

/** The PSU signs in and is sent a code for this account, whose fingerprint it yields; the attempt at it is counted. */
async function sendCode(
  { authorisations }: Stores,
  id: AuthorisationId,
  psuId: PsuId,
  accountId: AccountId,
): Promise<string> {
  const codeFingerprint = `fingerprint of ${id}`;
  await authorisations.takeAttempt(id, 5, now);
  await authorisations.authenticate(id, psuId, now);
  const challenge = { codeFingerprint, expiresAt: minutesOn(5), linkHash: "link" };
  await authorisations.startChallenge(id, [accountId], challenge, 4, now);
  await authorisations.takeAttempt(id, 5, now);
  return codeFingerprint;
}

async function keepToken({ models }: Stores, id: AuthorisationId, expiresAt: Date): Promise<void> {
  const of = { grantId: `grant of ${id}`, accountId: id };
  await models.upsert("AccessToken", `token of ${id}`, { of: id }, expiresAt, of);
}

/** A valid one-off consent of `exampleTpp` for these accounts. */
export async function consentedTo(
  stores: Stores,
  ...accounts: readonly [AccountId, ...AccountId[]]
): Promise<ConsentId> {
  const decision = await challenged(stores, { recurringIndicator: false });
  const grantedAccounts = accounts.map((account) => granted(account));
  await stores.authorisations.finaliseAccountConsent({ ...decision, grantedAccounts });
  return decision.consentId;
}

export const tokenAlive = async (
  { models }: Stores,
  { authorisationId }: Pick<AccountConsentDecision, "authorisationId">,
) => (await models.find("AccessToken", `token of ${authorisationId}`, now)) !== undefined;

/** The calls start together; how many of them yielded `true`. */
export async function winners(count: number, call: () => Promise<boolean>): Promise<number> {
  const answers = await Promise.all(Array.from({ length: count }, call));
  return answers.filter(Boolean).length;
}

/** Until this many connections to the database stand before a lock of another. */
export async function waitingForLocks(
  database: { readonly sql: postgres.Sql },
  count: number,
): Promise<void> {
  const waiting = await database.sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  if (waiting.length < count) await waitingForLocks(database, count);
}

type ReceivedFunds = { readonly consent: FundsConsent; readonly authorisation: Authorisation };

export function receivedFundsConsent(
  given: Partial<FundsConsent> = {},
  started: Partial<Authorisation> = {},
): ReceivedFunds {
  const consent: FundsConsent = {
    id: newConsentId(),
    tppId: exampleTpp.id,
    authorisationId: newAuthorisationId(),
    status: "received",
    account: { iban: "RO49DRWB1B31007593840000" as Iban },
    createdAt: now,
    ...given,
  };
  return { consent, authorisation: { ...authorisationOf("PIIS", consent), ...started } };
}

export const newAccountId = () => crypto.randomUUID() as string as AccountId;

/** A consent whose PSU has signed in and been sent the code of the decision that comes back. */
export async function challengedFunds(
  stores: Stores,
  { psuId = ana, accountId = newAccountId(), ...given }: Partial<FundsConsent> = {},
): Promise<FundsConsentDecision> {
  const { consent, authorisation } = receivedFundsConsent(given);
  const { id } = authorisation;
  await stores.fundsConsents.insert(consent, authorisation, openMax);
  const codeFingerprint = await sendCode(stores, id, psuId, accountId);
  await keepToken(stores, id, minutesOn(6_000_000));
  return {
    authorisationId: id,
    consentId: consent.id,
    accountId,
    psuId,
    codeFingerprint,
    on: today,
    at: now,
  };
}

/** The same, and the PSU has said yes. */
export async function validFunds(stores: Stores, given: Partial<FundsConsent> = {}) {
  const decision = await challengedFunds(stores, given);
  const finalised = await stores.authorisations.finaliseFundsConsent(decision);
  if (!finalised) throw new Error("not finalised");
  return decision;
}

type FundsPorts = Parameters<typeof confirmFunds>[0] & {
  readonly requestContexts: RequestContexts;
};

/** All that a question about funds takes, with the ledger as the core bank. */
export const fundsPortsOf = (db: Database, profile: AspspProfile = aspspProfile): FundsPorts => ({
  ...storesOf(db),
  coreBank: ledger(db, aspspProfile),
  fundsCheck: fundsCheck(db),
  requestContexts: requestContexts(db, systemClock),
  profile,
});

type Asked = {
  readonly consentId: ConsentId;
  readonly tppId?: TppId;
  readonly request: FundsRequest;
  readonly now: Date;
};

/** A question by a TPP's own consent. */
export async function askForFunds(
  ports: FundsPorts,
  { consentId, tppId = exampleTpp.id, request, now: at }: Asked,
): Promise<boolean> {
  const { fundsConsent: consent } = await ports.requestContexts.load({
    tppId,
    fundsConsentId: consentId,
  });
  if (consent === undefined) throw new Error("there is no such consent");
  return confirmFunds(ports, { consent, requestId: newRequestId(), request, now: at });
}

export const newRequestId = () => crypto.randomUUID() as string as RequestId;
export const eur = (minorUnits: bigint) => money("EUR", minorUnits);

export type Payer = { readonly psuId: PsuId; readonly accountId: AccountId; readonly iban: Iban };

let numbers = 0;
type Account = Parameters<typeof addAccount>[2];

/** An account in euros of a PSU, a new one unless named, with 1,000.00 on it. */
export async function payer(
  db: Database,
  { psuId, ...account }: Account & { readonly psuId?: PsuId } = {},
): Promise<Payer> {
  numbers += 1;
  const iban = `RO00DRWB9${String(numbers).padStart(15, "0")}` as string as Iban;
  const owner = psuId ?? (await addCustomer(db, "Ana Popescu"));
  const accountId = await addAccount(
    db,
    { [owner]: "owner" },
    { iban, currency: eur(0n).currency, ...account },
  );
  await addEntries(db, accountId, [
    { amountMinor: 100_000n, enteredOn: testingToday, bookedOn: testingToday },
  ]);
  return { psuId: owner, accountId, iban };
}

export const order: PaymentOrder = {
  product: "sepa-credit-transfers",
  amount: eur(1_250n),
  debtor: { iban: "RO49DRWB1B31007593840000" as Iban },
  creditor: { name: "Shop", iban: "DE89370400440532013000" as Iban },
  chargeBearer: "SLEV",
  rejectWithoutFunds: false,
};

type Started = Initiation & { readonly started: NonNullable<Initiation["started"]> };

/** What `initiate` is given for a payment that has just come. */
export function initiation(given: Partial<Payment> = {}, requestId = newRequestId()): Started {
  const payment: Payment = {
    id: newPaymentId(),
    tppId: exampleTpp.id,
    authorisationId: newAuthorisationId(),
    order,
    instruction: { instructedAmount: { amount: "12.50", currency: "EUR" } },
    createdAt: now,
    status: "RCVD",
    statusAt: now,
    ...given,
  };
  const { tppId } = payment;
  const authorisation = { ...authorisationOf("PIS", payment), requestId };
  return {
    key: { tppId, requestId },
    bodyDigest: "digest",
    answer: { status: 201, headers: { location: `/${payment.id}` }, body: payment.id },
    at: now,
    started: { payment, authorisation, openMax },
  };
}

/** A payment whose PSU has signed in and been sent the code of the decision that comes back. */
export async function challengedPayment(
  stores: Stores,
  { psuId, accountId, iban }: Payer,
  given: Partial<PaymentOrder> = {},
  tppId = exampleTpp.id,
): Promise<PaymentDecision> {
  const begun = initiation({ tppId, order: { ...order, debtor: { iban }, ...given } });
  await stores.payments.initiate(begun);
  const { id: paymentId, authorisationId: id, order: asked } = begun.started.payment;
  const debit = { accountId, amount: asked.amount, fee: eur(600n) };
  const codeFingerprint = await sendCode(stores, id, psuId, accountId);
  return {
    authorisationId: id,
    paymentId,
    psuId,
    codeFingerprint,
    debit,
    linked: await linkedPayment({ id: paymentId, order: asked }, debit),
    submitAgainAt: minutesOn(2),
    on: testingToday,
    at: minutesOn(1),
  };
}

/** The PSU's yes, and its submission as the same request makes it. */
export async function confirmed(
  db: Database,
  decision: PaymentDecision,
  given: Partial<Pick<AspspProfile["payments"], "psuDayLimit">> = {},
): Promise<Finalisation> {
  const { payments, authorisations } = storesOf(db);
  const outcome = await authorisations.finalisePayment(decision);
  if (outcome !== "finalised") return outcome;
  const payment = await payments.findByAuthorisation(decision.authorisationId);
  if (payment === undefined) throw new Error("an authorised payment is lost");
  const terms = { ...aspspProfile.payments, ...given };
  const progress = await submitPayment(
    submissionPorts(db, { ...aspspProfile, payments: terms }),
    payment,
    { now: decision.at },
  );
  return progress?.status === "RJCT" ? "rejected" : "finalised";
}

export function submissionPorts(db: Database, profile: AspspProfile = aspspProfile) {
  const payments = paymentStore(db);
  const submissionFaults: SubmissionFaults = ({ err }) => {
    throw err;
  };
  return { profile, payments, coreBank: ledger(db, profile), submissionFaults };
}

/** Payment and authorisation are as `challengedPayment` has left them. */
export async function expectUnauthorised(
  database: TestDatabase,
  { authorisationId, paymentId }: PaymentDecision,
): Promise<void> {
  const { authorisations, payments } = storesOf(database.db);
  const authorisation = await authorisations.find(authorisationId);
  expect(authorisation).toMatchObject({ failedAttempts: 1 });
  expect(authorisation?.challenge).toBeDefined();
  const payment = await payments.findOfTpp(paymentId, exampleTpp.id);
  expect(payment).toMatchObject({ status: "RCVD", statusAt: now });
  expect(payment?.debit ?? payment?.psuId).toBeUndefined();
  const submissions = database.sql`select from payment_submission where payment_id = ${paymentId}`;
  expect(await submissions).toEqual([]);
}

type World = {
  readonly database: TestDatabase;
  readonly stores: Stores;
  readonly device: Authenticator;
};

/** A payment at the real stores, whose PSU has a passkey and has asked for a code as well. */
export async function payingWithPasskey({ database, stores, device }: World) {
  const { bank, ports: ofTheBank } = inMemoryBank();
  const { psuId, iban } = await payer(database.db);
  const ports = {
    ...ofTheBank,
    authorisations: stores.authorisations,
    payments: stores.payments,
    psuAttempts: stores.psuAttempts,
    tppRegister: stores.tpps,
    passkeys: passkeyStore(database.db),
    coreBank: ledger(database.db, aspspProfile),
    psuDirectory: {
      verifyPassword: async () => ({ id: psuId, userId: psuId, name: "Ana" }),
      findByUserId: async () => ({ id: psuId, userId: psuId, name: "Ana" }),
      find: async () => ({ id: psuId, userId: psuId, name: "Ana" }),
    },
  };
  await enrolled(ports, psuId, device);
  const begun = initiation({ order: { ...order, debtor: { iban } } });
  await stores.payments.initiate(begun);
  const { payment } = begun.started;
  const authorisation = async () => {
    const found = await stores.authorisations.find(payment.authorisationId);
    if (found === undefined) throw new Error("no authorisation");
    return found;
  };
  const asked = async () => ({ authorisation: await authorisation(), wording: speltOut, now });
  await identifyPsu(ports, { ...(await asked()), userId: psuId, password: "right" });
  const { outcome } = await beginChallenge(ports, await asked());
  if (outcome !== "passkey-asked" || bank.texts.length > 0) throw new Error(outcome);

  const code = async (): Promise<Proof> => {
    await beginChallenge(ports, { ...(await asked()), by: "code" });
    return { method: "code", code: bank.texts.at(-1)?.code ?? "none" };
  };
  const signature = async (): Promise<Proof> => {
    const subject = await subjectOf(ports, await authorisation(), now);
    const shown = subject?.linkHash ?? "nothing";
    const opened = await openPasskeyChallenge(ports, { ...(await asked()), shown });
    if (opened.outcome !== "challenged") throw new Error(opened.outcome);
    return { method: "passkey", assertion: device.use(opened.challenge) };
  };
  const complete = async (proof: Proof) =>
    (await completeAuthorisation(ports, { ...(await asked()), proof })).outcome;
  const statuses = () =>
    database.sql`select status from payment_status_change where payment_id = ${payment.id}`;
  return { psuId, payment, authorisation, code, signature, complete, statuses };
}
