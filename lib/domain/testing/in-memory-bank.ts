import { passkeyVerifier } from "@/lib/core-bank/passkey-verifier";
import { aspspProfile } from "@/lib/testing-profile";
import type { Authorisation, ResourceKind } from "../authorisation";
import { convert, hasRate } from "../bank-profile";
import {
  type AccountOfCustomer,
  type CoreBank,
  type CorePayments,
  CustomerBlocked,
  type FundsAnswer,
  type TransactionQuery,
} from "../core-bank";
import type { OptOut, OptOutPosition, OptOutStore, StandingOptOut } from "../opt-outs";
import {
  type PermissionFilter,
  type PermissionKind,
  type PermissionPosition,
  type PermissionRecord,
  type PermissionRecords,
  type PermissionState,
  permissionState,
  type ReadPosition,
  type TppPosition,
} from "../permissions";
import type { Ports } from "../ports";
import type { RequestContexts } from "../request-context";
import { type BlockOrder, isBlockInForce, type StopList } from "../tpp";
import type { ConsentId, Money, PsuId, ReportCursor } from "../values";
import {
  accessBudgetOf,
  authorisationsOf,
  consentsOf,
  corePaymentsOf,
  fundsCheckOf,
  fundsConsentsOf,
  type Holding,
  type InMemoryBank,
  paymentsOf,
} from "./in-memory-authorisations";
import {
  passkeysOf,
  psuAttemptsOf,
  signInsOf,
  signInThrottleOf,
  textBudgetOf,
} from "./in-memory-psu";
import { tpp } from "./samples";

export function inMemoryBank(): { readonly bank: InMemoryBank; readonly ports: Ports } {
  const bank: InMemoryBank = {
    consents: new Map(),
    fundsConsents: new Map(),
    payments: new Map(),
    firstAnswers: new Map(),
    events: [],
    holding: undefined,
    fundsVerdict: { admitted: true, retryAfterSeconds: 0 },
    paymentFinalisation: "finalised",
    authorisations: new Map(),
    psuFailures: new Map(),
    passkeys: new Map(),
    signIns: new Map(),
    blocked: new Map(),
    optOuts: [],
    accountsOf: new Map(),
    transactions: [],
    standingOrders: [],
    toldOfBlock: [],
    languages: new Map(),
    texts: [],
    textsSent: new Map(),
    admissions: [],
    reads: [],
    budget: Number.POSITIVE_INFINITY,
    delivers: true,
  };
  const codes = ["123456", "234567", "345678", "456789", "567890"];
  const single: Omit<Ports, "requestContexts"> = {
    profile: aspspProfile,
    clock: { now: async () => new Date("2026-11-20T10:00:00Z") },
    tppRegister: {
      remember: async () => undefined,
      find: async () => undefined,
      hasQwacFor: async () => false,
    },
    stopList: stopListOf(bank.blocked),
    tppAllowance: { take: async () => "admitted" },
    consents: consentsOf(bank),
    fundsConsents: fundsConsentsOf(bank),
    fundsCheck: fundsCheckOf(bank),
    payments: paymentsOf(bank),
    submissionFaults: ({ err }) => {
      throw err;
    },
    events: {
      record: async (event) => {
        bank.events.push(event);
      },
    },
    caseRecords: { find: async () => [], tpps: async () => [], timeline: async () => [] },
    refusedRequests: { keep: async () => undefined, of: async () => [] },
    authorisations: authorisationsOf(bank),
    psuAttempts: psuAttemptsOf(bank.psuFailures),
    signIns: signInsOf(bank.signIns),
    psuDirectory: {
      verifyPassword: async (userId, password) =>
        password === `${userId}-sandbox`
          ? { id: userId as PsuId, userId, name: userId.toUpperCase() }
          : undefined,
      findByUserId: async (userId) =>
        userId.startsWith("nobody")
          ? undefined
          : { id: userId as PsuId, userId, name: userId.toUpperCase() },
      find: async (id) => ({ id, userId: id, name: id.toUpperCase() }),
    },
    oneTimeCodes: {
      create: () => codes[bank.texts.length] ?? "999999",
      fingerprint: (text) => `#${text}`,
      fingerprints: (text) => [`#${text}`],
      matches: (text, kept) => `#${text}` === kept,
      send: async (message) => {
        bank.texts.push(message);
        return bank.delivers;
      },
    },
    signInThrottle: signInThrottleOf(),
    passwordTurns: { run: (_network, work) => work() },
    blockNotices: {
      tell: (userId, notice) => {
        bank.toldOfBlock.push([userId, notice]);
      },
    },
    psuLanguages: {
      of: async (psuId) => bank.languages.get(psuId),
      keep: async (psuId, language) => {
        bank.languages.set(psuId, language);
      },
    },
    textBudget: textBudgetOf(bank.textsSent),
    passkeys: passkeysOf(bank.passkeys),
    // The real one: what it judges are real signatures.
    passkeyVerifier: passkeyVerifier("http://localhost:3000"),
    coreBank: { ...coreBankOf(bank), ...corePaymentsOf(bank) },
    permissionRecords: permissionRecordsOf(bank),
    optOuts: optOutsOf(bank.optOuts),
    accessBudget: accessBudgetOf(bank),
  };
  return { bank, ports: { ...single, requestContexts: requestContextsBy(single) } };
}

/** Every account has the same entries and standing orders. */
function coreBankOf(bank: InMemoryBank): Omit<CoreBank, keyof CorePayments> {
  const accounts: CoreBank["accounts"] = async ({ customerId, ids }) =>
    (bank.accountsOf.get(customerId) ?? []).filter(({ id }) => ids.includes(id));
  const known = async <Content extends object>(asked: AccountOfCustomer, content: Content) => {
    const [account] = await accounts({ ...asked, ids: [asked.accountId] });
    return account && { account, ...content };
  };
  return {
    accountsOf: async (customerId) => bank.accountsOf.get(customerId) ?? [],
    accounts,
    balances: async (asked, now) =>
      (await accounts(asked)).map((account) => {
        const amount = { currency: account.currency, minorUnits: 1_234n };
        return { account, balances: [{ type: "expected", amount, lastChangeAt: now }] };
      }),
    transactions: async (query) => known(query, pageOf(bank, query)),
    transaction: async (account, id) =>
      known(account, { transaction: bank.transactions.find((entry) => entry.id === id) }),
    standingOrders: async (account) => known(account, { standingOrders: bank.standingOrders }),
    checkFunds: async ({ amounts }) => bank.holding && fundsOf(bank.holding, amounts),
  };
}

const blocked = async () => {
  throw new CustomerBlocked();
};

/** Of a core bank that has blocked every customer in all channels. */
export const customersBlocked = {
  ...{ accountsOf: blocked, accounts: blocked, balances: blocked, transactions: blocked },
  ...{ transaction: blocked, standingOrders: blocked, checkFunds: blocked },
  ...{ quotePayment: blocked, limits: blocked },
} satisfies Partial<CoreBank>;

function fundsOf({ status, available }: Holding, amounts: readonly Money[]): FundsAnswer {
  const { currency } = available;
  return { currency, status, compared: amounts.map((asked) => comparedTo(available, asked)) };
}

function comparedTo(available: Money, asked: Money) {
  const { currency } = available;
  const hasRates = hasRate(currency, aspspProfile) && hasRate(asked.currency, aspspProfile);
  if (currency !== asked.currency && !hasRates) return undefined;
  const amount = currency === asked.currency ? asked : convert(asked, currency, aspspProfile);
  return { amount, isCovered: amount.minorUnits <= available.minorUnits };
}

/** Nothing is booked here while somebody pages, so that the books have one state only. */
function pageOf(bank: InMemoryBank, { statuses, from, to, after, limit }: TransactionQuery) {
  const rest = bank.transactions
    .filter(({ status, day }) => statuses.includes(status) && day >= from && day <= to)
    .filter(({ day, id }) => after === undefined || `${day}${id}` < after)
    .sort((one, other) => (`${one.day}${one.id}` < `${other.day}${other.id}` ? 1 : -1));
  const entries = rest.slice(0, limit);
  const last = rest.length > limit ? entries.at(-1) : undefined;
  if (last === undefined) return { entries };
  return { entries, next: `${last.day}${last.id}` as ReportCursor };
}

type Asked = Pick<Ports, "clock" | "tppRegister" | "stopList" | "consents" | "fundsConsents">;

/** A request context made of the single ports; a test that replaces a port makes the contexts again. */
export function requestContextsBy(ports: Asked): RequestContexts {
  return {
    load: async ({ tppId, consentId, fundsConsentId, token }) => {
      const now = await ports.clock.now();
      if (tppId === undefined) return { now, bankNow: now, tppId };
      const order = await ports.stopList.find(tppId, now);
      const tpp = await ports.tppRegister.find(tppId);
      const consent =
        consentId === undefined ? undefined : await ports.consents.findOfTpp(consentId, tppId);
      const fundsConsent =
        fundsConsentId && (await ports.fundsConsents.findOfTpp(fundsConsentId, tppId));
      return {
        now,
        bankNow: now,
        tppId,
        // There are no grants here: whatever is read as a token lives.
        tokenActive: token !== undefined,
        ...(tpp !== undefined && { tpp }),
        ...(order !== undefined && { order }),
        ...(consent !== undefined && { named: { consent } }),
        ...(fundsConsent !== undefined && { fundsConsent }),
      };
    },
  };
}

/** Of one TPP only. Positions are places in the list. */
function permissionRecordsOf(bank: InMemoryBank): PermissionRecords {
  const all = (psuId: string, { inForce, kind }: PermissionFilter = {}) =>
    [...bank.authorisations.values()]
      .filter((authorisation) => authorisation.psuId === psuId)
      .flatMap((authorisation) => recordOf(bank, authorisation))
      .filter((record) => kind === undefined || record.kind === kind)
      .filter(
        (record) =>
          inForce === undefined || isPermissionInForce(permissionState(record)) === inForce,
      )
      .toSorted((one, other) => other.requestedAt.getTime() - one.requestedAt.getTime());
  return {
    list: async (psuId, filter, { after, limit }) =>
      all(psuId, filter)
        .map((record, at) => ({ ...record, position: `${at + 1}` as PermissionPosition }))
        .slice(after === undefined ? 0 : Number(after))
        .slice(0, limit),
    byTpp: async (psuId, filter, { after, newestMax }) => {
      const records = all(psuId, filter);
      if (after !== undefined || records.length === 0) return [];
      const position = "1" as TppPosition;
      return [{ tpp, count: records.length, newest: records.slice(0, newestMax), position }];
    },
    find: async (psuId, kind, id) =>
      all(psuId).find((record) => record.kind === kind && resourceOf(record).id === id),
    revocable: async ({ psuId, tppId }, limit) =>
      all(psuId)
        .flatMap((record) =>
          record.kind !== "payments" && record.consent.status === "valid"
            ? [{ kind: record.kind, id: record.consent.id, tppId: record.tpp.id }]
            : [],
        )
        .filter((one) => tppId === undefined || one.tppId === tppId)
        .slice(0, limit),
    readsOf: async (id, { after, limit }) => {
      const reads = readsOf(bank, id);
      return reads
        .filter(({ position }) => after === undefined || +position < +after)
        .slice(0, limit);
    },
  };
}

const kinds: Readonly<Record<ResourceKind, PermissionKind>> = {
  AIS: "accounts",
  PIIS: "funds",
  PIS: "payments",
};

const resourceOf = (record: PermissionRecord) =>
  record.kind === "payments" ? record.payment : record.consent;

function recordOf(bank: InMemoryBank, authorisation: Authorisation): readonly PermissionRecord[] {
  const { kind: resourceKind, resourceId, createdAt: requestedAt } = authorisation;
  const lastReadAt = readsOf(bank, resourceId as ConsentId)[0]?.at;
  const common = { tpp, requestedAt, ...(lastReadAt && { lastReadAt }) };
  const kind = kinds[resourceKind];
  if (kind === "payments") {
    const payment = bank.payments.get(resourceId);
    return payment === undefined ? [] : [{ ...common, kind, payment }];
  }
  if (kind === "funds") {
    const consent = bank.fundsConsents.get(resourceId);
    return consent === undefined ? [] : [{ ...common, kind, consent }];
  }
  const consent = bank.consents.get(resourceId);
  return consent === undefined ? [] : [{ ...common, kind, consent }];
}

function readsOf(bank: InMemoryBank, id: ConsentId) {
  return bank.reads
    .map((read, at) => ({ ...read, position: `${at + 1}` as ReadPosition }))
    .filter(({ consentId }) => consentId === id)
    .reverse();
}

function stopListOf(orders: Map<string, BlockOrder>): StopList {
  const find = (tppId: string, now: Date) => {
    const order = orders.get(tppId);
    return order !== undefined && isBlockInForce(order, now) ? order : undefined;
  };
  return {
    find: async (tppId, now) => find(tppId, now),
    block: async (order) => {
      orders.set(order.tppId, order);
      return { outcome: "blocked" };
    },
    unblock: async (tppId, now) => find(tppId, now) !== undefined && orders.delete(tppId),
    list: async (now) => [...orders.values()].filter((order) => isBlockInForce(order, now)),
  };
}

function optOutsOf(standing: StandingOptOut[]): OptOutStore {
  const at = ({ psuId, kind, tppId }: OptOut) =>
    standing.findIndex((one) => one.psuId === psuId && one.kind === kind && one.tppId === tppId);
  return {
    set: async (optOut, setAt) => {
      if (at(optOut) >= 0) return false;
      standing.push({ ...optOut, setAt, position: `${standing.length + 1}` as OptOutPosition });
      return true;
    },
    end: async (optOut) => at(optOut) >= 0 && standing.splice(at(optOut), 1).length === 1,
    list: async (psuId, page) => {
      const own = standing.filter((one) => one.psuId === psuId);
      if ("newest" in page) return own.toReversed().slice(0, page.newest);
      const from = Number(page.after ?? 0);
      return own.filter(({ position }) => Number(position) > from).slice(0, page.limit);
    },
    kinds: async (psuId, tppId) => {
      const own = standing.filter((one) => one.psuId === psuId && one.tppId === tppId);
      return own.map(({ kind }) => kind);
    },
    refuses: async (psuId, kind, tppId) =>
      at({ psuId, kind }) >= 0 || at({ psuId, kind, tppId }) >= 0,
  };
}

/** What the database says by the statuses. */
export function isPermissionInForce(state: PermissionState): boolean {
  return state === "active" || state === "in-progress" || state === "waiting-for-funds";
}
