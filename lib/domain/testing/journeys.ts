import { expect } from "vitest";
import { type Access, readTransactions } from "../account-access";
import type { AccessRequest, BankAccount } from "../accounts";
import { currentAuthorisation, startedAuthorisation } from "../authorisation";
import { money } from "../bank-profile";
import type { AccountConsent } from "../consents";
import {
  confirmFunds,
  createFundsConsent,
  type FundsConsent,
  type FundsConsentRequest,
  type FundsRequest,
} from "../funds";
import type { Payment, PaymentOrder } from "../payment-order";
import { type AnswerWriter, initiatePayment, type StoredAnswer } from "../payments";
import type { Ports } from "../ports";
import { beginChallenge, completeAuthorisation, identifyPsu, selectAccounts } from "../sca";
import {
  type Iban,
  type IsoDate,
  type Money,
  newAuthorisationId,
  newPaymentId,
  type ReportCursor,
} from "../values";
import type { Holding, InMemoryBank } from "./in-memory-authorisations";
import { inMemoryBank } from "./in-memory-bank";
import {
  ana,
  current,
  EUR,
  multiEur,
  multiRon,
  newRequestId,
  now,
  RON,
  receivedConsent,
  speltOut,
  tpp,
  validConsent,
} from "./samples";

/** A consent that waits for its PSU, at a bank of its own unless one is given. */
export async function openedConsent(access?: AccessRequest, { bank, ports } = inMemoryBank()) {
  bank.accountsOf.set(ana, [current, multiRon, multiEur]);
  const consent = await receivedConsent(ports, access === undefined ? {} : { access });
  const asked = { kind: "AIS", resourceId: consent.id, tppId: tpp.id } as const;
  const authorisation = async (at = now) => {
    const found = await currentAuthorisation(ports, { ...asked, now: at });
    if (found === undefined) throw new Error("no authorisation");
    return found;
  };
  const login = async (userId: string, password: string, at = now) =>
    identifyPsu(ports, { authorisation: await authorisation(at), userId, password, now: at });
  const select = async (...selected: string[]) =>
    selectAccounts(ports, {
      authorisation: await authorisation(),
      selected,
      wording: speltOut,
      now,
    });
  const confirm = async (code: string, at = now) =>
    completeAuthorisation(ports, {
      authorisation: await authorisation(),
      proof: { method: "code", code },
      now: at,
    });
  const status = () => bank.consents.get(consent.id)?.status;
  return { bank, ports, consent, authorisation, login, select, confirm, status };
}

export async function startedConsent(at = inMemoryBank()) {
  const flow = await openedConsent(undefined, at);
  await flow.login("ana", "ana-sandbox");
  await flow.select(current.id, multiEur.id);
  return flow;
}

export const access = (consent: AccountConsent, at = now): Access => ({
  consent,
  now: at,
  requestId: newRequestId(),
  attended: true,
});
export const resourceIdOf = (consent: AccountConsent) => {
  const [first] = consent.grantedAccounts;
  if (first === undefined) throw new Error("nothing granted");
  return first.resourceId;
};
export const refused = (status: number, code: string) => ({ status, faults: [{ code }] });

export async function openedAccess(
  rights = { balances: true, transactions: true, ownerName: false },
) {
  const world = inMemoryBank();
  const consent = await validConsent(world, { access: { model: "global", rights, named: [] } });
  return { ...world, consent, resourceId: resourceIdOf(consent) };
}

export async function report(
  { ports, consent, resourceId }: Awaited<ReturnType<typeof openedAccess>>,
  asked: {
    dateFrom?: string;
    dateTo?: string;
    bookingStatus?: "booked" | "information" | "all";
    after?: ReportCursor;
  },
  at = now,
) {
  const { content } = await readTransactions(ports, access(consent, at), {
    resourceId,
    bookingStatus: asked.bookingStatus ?? "booked",
    ...(asked.dateFrom === undefined ? {} : { dateFrom: asked.dateFrom as IsoDate }),
    ...(asked.dateTo === undefined ? {} : { dateTo: asked.dateTo as IsoDate }),
    ...(asked.after === undefined ? {} : { after: asked.after }),
  });
  return content;
}

export async function readAll(world: Awaited<ReturnType<typeof openedAccess>>) {
  const ids: string[] = [];
  let page = await report(world, { dateFrom: "2026-11-01" });
  let days = page.entries.map(({ day }) => day);
  ids.push(...page.entries.map(({ id }) => id));
  while (page.next !== undefined) {
    page = await report(world, { dateFrom: "2026-11-01", after: page.next });
    ids.push(...page.entries.map(({ id }) => id));
    days = [...days, ...page.entries.map(({ day }) => day)];
  }
  expect(days).toEqual([...days].sort().reverse());
  return ids;
}

type World = { readonly bank: InMemoryBank; readonly ports: Ports };

/** A funds consent that has just been received: for ana's current account, unless said otherwise. */
export async function receivedFundsConsent(
  { ports }: Pick<World, "ports">,
  asked: Partial<FundsConsentRequest> = {},
  requestId = newRequestId(),
): Promise<FundsConsent> {
  return createFundsConsent(ports, {
    tpp,
    requestId,
    bodyDigest: "digest",
    request: { account: { iban: current.iban }, ...asked },
    redirectUris: { redirectUri: "https://tpp.example/cb" },
    now,
  });
}

/** The PSU signs in and is sent a code, where the account is the PSU's own. */
export async function challengedFundsConsent(
  world: World,
  asked: Partial<FundsConsentRequest> = {},
  own: readonly BankAccount[] = [current, multiRon, multiEur],
) {
  const { bank, ports } = world;
  bank.accountsOf.set(ana, own);
  const consent = await receivedFundsConsent(world, asked);
  const authorisation = async () => {
    const found = await ports.authorisations.find(consent.authorisationId);
    if (found === undefined) throw new Error("no authorisation");
    return found;
  };
  const credentials = { userId: "ana", password: "ana-sandbox", now };
  await identifyPsu(ports, { authorisation: await authorisation(), ...credentials });
  const beginning = await beginChallenge(ports, {
    authorisation: await authorisation(),
    wording: speltOut,
    now,
  });
  const confirm = async (code = bank.texts.at(-1)?.code ?? "none", at = now) =>
    completeAuthorisation(ports, {
      authorisation: await authorisation(),
      proof: { method: "code", code },
      now: at,
    });
  return { consent, authorisation, outcome: beginning.outcome, confirm };
}

/** A funds consent that ana has authorised. */
export async function validFundsConsent(
  world: World,
  asked: Partial<FundsConsentRequest> = {},
): Promise<FundsConsent> {
  const { consent, confirm } = await challengedFundsConsent(world, asked);
  const { outcome } = await confirm();
  const made = world.bank.fundsConsents.get(consent.id);
  if (outcome !== "finalised" || made === undefined) throw new Error("not authorised");
  return made;
}

export const euros = (minorUnits: bigint) => ({ currency: EUR, minorUnits });
export const lei = (minorUnits: bigint) => ({ currency: RON, minorUnits });
export const holding = (available: Money): Holding => ({ status: "enabled", available });
export const refusedWith = (status: number, code: string, path?: string) => ({
  status,
  faults: [path === undefined ? { code } : { code, path }],
});

/** A valid consent for an account with 100.00 RON. */
export async function openedForFunds(
  asked: Partial<FundsConsentRequest> = {},
  account = holding(lei(100_00n)),
) {
  const world = inMemoryBank();
  const consent = await validFundsConsent(world, asked);
  world.bank.holding = account;
  const ask = (request: Partial<FundsRequest> = {}, at = now) => {
    const known = world.bank.fundsConsents.get(consent.id);
    return confirmFunds(world.ports, {
      consent: known ?? consent,
      requestId: newRequestId(),
      request: { account: { iban: consent.account.iban }, amount: lei(100_00n), ...request },
      now: at,
    });
  };
  return { ...world, consent, ask };
}

export const order: PaymentOrder = {
  product: "sepa-credit-transfers",
  amount: money("EUR", 1_250n),
  debtor: { iban: "RO21DRWB0000000000000001" as Iban },
  creditor: { name: "Merchant GmbH", iban: "DE89370400440532013000" as Iban },
  chargeBearer: "SLEV",
  rejectWithoutFunds: false,
};

/** Writes what the tests can read again. */
const writer: AnswerWriter = {
  initiated: ({ id, status }) => ({ status: 201, headers: { location: id }, body: status }),
  refused: ({ status, faults }) => ({ status, headers: {}, body: faults[0].code }),
};

type Initiated = Parameters<typeof initiatePayment>[1];

export function asked(given: Partial<Initiated> = {}): Initiated {
  return {
    tpp,
    requestId: newRequestId(),
    bodyDigest: "digest",
    order,
    instruction: { as: "sent" },
    redirectUris: { redirectUri: "https://tpp.example/cb" },
    now,
    writer,
    ...given,
  };
}

/** A bank at which payments are started. */
export function paymentsBank() {
  const { bank, ports } = inMemoryBank();
  const start = (given: Partial<Initiated> = {}) => initiatePayment(ports, asked(given));
  return { bank, ports, start, started: async () => startedOf(bank, await start()) };
}

function startedOf(bank: InMemoryBank, { headers }: StoredAnswer): Payment {
  const payment = bank.payments.get(headers["location"] ?? newAuthorisationId());
  if (payment === undefined) throw new Error("no payment was started");
  return payment;
}

/** A payment of ana's, who has signed in and been sent the code. */
export async function paymentAtCode({ bank, ports }: ReturnType<typeof inMemoryBank>) {
  bank.accountsOf.set(ana, [current]);
  const payment: Payment = {
    id: newPaymentId(),
    tppId: tpp.id,
    authorisationId: newAuthorisationId(),
    order: {
      product: "instant-sepa-credit-transfers",
      amount: money("RON", 1_250n),
      debtor: { iban: current.iban },
      creditor: { name: "Shop", iban: "RO49AAAA1B31007593840000" as Iban },
      chargeBearer: "SLEV",
      rejectWithoutFunds: false,
    },
    instruction: {},
    createdAt: now,
    status: "RCVD",
    statusAt: now,
  };
  bank.payments.set(payment.id, payment);
  const id = payment.authorisationId;
  const begun = startedAuthorisation(
    ports,
    { id, kind: "PIS", resourceId: payment.id },
    {
      tpp,
      requestId: newRequestId(),
      redirectUris: { redirectUri: "https://tpp.example/cb" },
      now,
    },
  );
  bank.authorisations.set(id, begun);
  const authorisation = async () => (await ports.authorisations.find(id)) ?? begun;
  await identifyPsu(ports, {
    authorisation: await authorisation(),
    userId: "ana",
    password: "ana-sandbox",
    now,
  });
  await beginChallenge(ports, { authorisation: await authorisation(), wording: speltOut, now });
  const confirm = async (code: string) =>
    completeAuthorisation(ports, {
      authorisation: await authorisation(),
      proof: { method: "code", code },
      now,
    });
  return { payment, authorisation, confirm };
}
