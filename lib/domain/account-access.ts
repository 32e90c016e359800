import type { Balance, BankAccount, GrantedAccount, StandingOrder, Transaction } from "./accounts";
import type { AspspProfile } from "./bank-profile";
import type { AccountConsent } from "./consents";
import {
  type AccountRead,
  type AccountReport,
  type AccountWithBalances,
  type CoreBank,
  type EntryPosition,
  isCoreBankId,
} from "./core-bank";
import { reject, UnavailableError } from "./errors";
import {
  type AddressIgnored,
  type Allowance,
  type NamedConsent,
  rateLimitHeaders,
  type Served,
} from "./request-context";
import {
  type AccountId,
  addDays,
  addTime,
  type ConsentId,
  dayIn,
  type IsoDate,
  type PsuId,
  type ReportCursor,
  type RequestId,
  type TppId,
} from "./values";

type AccessPorts = {
  readonly coreBank: CoreBank;
  readonly accessBudget: AccessBudget;
  readonly profile: AspspProfile;
};

/** `balances` is there when it was asked for, is granted and the account is not blocked. */
export type AccountView = OpenAccount & { readonly balances?: readonly Balance[] | undefined };

/** Every account of the consent that is still there, in the order the PSU's bank shows them. */
export async function listAccounts(
  ports: AccessPorts,
  access: Access,
  { withBalance }: { readonly withBalance: boolean },
): Promise<Served<readonly AccountView[]>> {
  const { grantedAccounts } = access.consent;
  const balances = withBalance && grantedAccounts.some(({ rights }) => rights.balances);
  const found = await lookUp(ports, access, grantedAccounts, balances);
  const byId = new Map(found.map((known) => [known.account.id, known]));
  const content = grantedAccounts.flatMap((granted) => {
    const known = byId.get(granted.accountId);
    return known === undefined || known.account.status === "deleted" ? [] : view(granted, known);
  });
  const what = balances ? "accounts-with-balances" : "accounts";
  const allowance = await admitAccess(ports, access, { resource: "accounts", what });
  return { content, allowance };
}

/** One account of the consent. Rejects with 404 RESOURCE_UNKNOWN. */
export async function readAccount(
  ports: AccessPorts,
  access: Access,
  { resourceId, withBalance }: { readonly resourceId: string; readonly withBalance: boolean },
): Promise<Served<AccountView>> {
  const granted = findGrantedAccount(access, resourceId);
  const balances = withBalance && granted.rights.balances;
  const [known] = await lookUp(ports, access, [granted], balances);
  const content = view(granted, openAccount(granted, known));
  const allowance = await admitAccess(ports, access, {
    resource: `account:${resourceId}`,
    what: content.balances === undefined ? "account-details" : "account-details-with-balances",
    accountId: granted.accountId,
  });
  return { content, allowance };
}

type Known = Pick<AccountWithBalances, "account"> & Partial<AccountWithBalances>;

/** One call, with or without balances. */
async function lookUp(
  { coreBank }: { readonly coreBank: CoreBank },
  access: Access,
  granted: readonly GrantedAccount[],
  balances: boolean,
): Promise<readonly Known[]> {
  const asked = { customerId: customerOf(access), ids: granted.map(({ accountId }) => accountId) };
  const found = balances
    ? await coreBank.balances(asked, access.now)
    : (await coreBank.accounts(asked)).map((account) => ({ account }));
  const byId = new Map(found.map((known) => [known.account.id, known]));
  for (const one of granted) {
    checkSame(coreBank, balances ? "balances" : "accounts", one, byId.get(one.accountId));
  }
  return found;
}

function customerOf({ consent: { psuId } }: NamedConsent): PsuId {
  if (psuId === undefined) throw new Error("an open consent has its PSU");
  return psuId;
}

/** The PSU has granted one account: under its id the core bank may not answer with another one. */
function checkSame(
  coreBank: CoreBank,
  asked: AccountRead,
  { accountId, iban, currency }: GrantedAccount,
  known: { readonly account: BankAccount } | undefined,
): void {
  const account = known?.account;
  if (account === undefined || (account.iban === iban && account.currency === currency)) return;
  const detail = `the account ${accountId} has another IBAN or currency than in the consent`;
  throw coreBank.malformed?.(asked, detail) ?? new UnavailableError(detail);
}

function view(granted: GrantedAccount, { account, balances }: Known): AccountView {
  const shows = granted.rights.balances && account.status === "enabled";
  return { account, granted, balances: shows ? balances : undefined };
}

export type BalancesView = OpenAccount & { readonly balances: readonly Balance[] };

/** The balances of one account, when the PSU granted them. */
export async function readBalances(
  ports: AccessPorts,
  access: Access,
  resourceId: string,
): Promise<Served<BalancesView>> {
  const granted = findGrantedAccount(access, resourceId);
  checkRight(granted, "balances");
  const { accountId } = granted;
  const asked = { customerId: customerOf(access), ids: [accountId] };
  const [known] = await ports.coreBank.balances(asked, access.now);
  checkSame(ports.coreBank, "balances", granted, known);
  const content = openAccount(granted, known);
  checkUnblocked(content);
  const resource = `balances:${resourceId}`;
  const allowance = await admitAccess(ports, access, { resource, what: "balances", accountId });
  return { content, allowance };
}

/** One page of an account's report, newest first. Following pages are the same access: they do not count. */
export async function readTransactions(
  ports: AccessPorts,
  access: Access,
  asked: TransactionsAsked,
): Promise<Served<TransactionsPage>> {
  const granted = findGrantedAccount(access, asked.resourceId);
  if (asked.reportOf !== undefined && asked.reportOf !== asked.resourceId) {
    throw reject("FORMAT_ERROR", "the cursor belongs to another account", { path: "cursor" });
  }
  checkRight(granted, "transactions");
  const { dateFrom, after } = asked;
  if (listsOf[asked.bookingStatus].statuses !== undefined && dateFrom !== undefined) {
    // A report may go on after midnight: its first page was read a day before.
    const [from, path] =
      after === undefined ? [dateFrom, "dateFrom"] : [addDays(dateFrom, 1), "cursor"];
    checkHistory(ports.profile, access.consent, from, access.now, path);
  }
  const { accountId } = granted;
  const page = openAccount(granted, await readPage(ports, access, granted, asked));
  checkUnblocked(page);
  const admit = after === undefined ? admitAccess : continueAccess;
  const resource = `transactions:${asked.resourceId}`;
  const allowance = await admit(ports, access, { resource, what: "transactions", accountId });
  const entries = page.entries.map((entry) => entryView(granted, entry));
  return { content: { ...page, entries }, allowance };
}

/** The balance after an entry is one of the balances, and needs their right. */
function entryView({ rights }: GrantedAccount, entry: Transaction): Transaction {
  if (rights.balances || entry.details?.balanceAfter === undefined) return entry;
  const { balanceAfter: _, ...details } = entry.details;
  return { ...entry, details };
}

/** Entries and standing orders are two calls to the core bank, where both are asked for. */
async function readPage(
  { coreBank, profile }: AccessPorts,
  access: Access,
  granted: GrantedAccount,
  asked: TransactionsAsked,
): Promise<Omit<TransactionsPage, "granted"> | undefined> {
  const { statuses, standingOrders } = listsOf[asked.bookingStatus];
  const { dateFrom: from, dateTo, after, last } = asked;
  const today = dayIn(profile.timeZone, access.now);
  const to = dateTo === undefined || dateTo > today ? today : dateTo;
  const limit = profile.transactionsPerPage;
  const account = { customerId: customerOf(access), accountId: granted.accountId };
  const [report, orders] = await Promise.all([
    statuses === undefined || from === undefined
      ? undefined
      : coreBank.transactions({
          ...{ ...account, statuses, from, to, limit },
          ...(after !== undefined && { after, ...(last && { last }) }),
        }),
    standingOrders && after === undefined ? coreBank.standingOrders(account) : undefined,
  ]);
  checkSame(coreBank, "transactions", granted, report);
  checkSame(coreBank, "standingOrders", granted, orders);
  const known = report ?? orders;
  if (known === undefined) return undefined;
  // One whose last day has passed will not be executed any more.
  const active = orders?.standingOrders.filter(({ endDate }) => !endDate || endDate >= today);
  return {
    ...{ entries: [], ...report, account: known.account, standingOrders: active ?? [] },
    // Following pages end on the same day as the first, whenever they are read.
    asked: { ...asked, dateTo: to },
  };
}

export type TransactionView = OpenAccount & { readonly transaction: Transaction };

const TRANSACTION_UNKNOWN = "this transaction is not known";

/** One entry of the account; the ninety days hold here too. Rejects with 404 RESOURCE_UNKNOWN. */
export async function readTransaction(
  ports: AccessPorts,
  access: Access,
  asked: { readonly resourceId: string; readonly transactionId: Transaction["id"] },
): Promise<Served<TransactionView>> {
  const granted = findGrantedAccount(access, asked.resourceId);
  checkRight(granted, "transactions");
  const { accountId } = granted;
  if (!isCoreBankId(asked.transactionId)) throw reject("RESOURCE_UNKNOWN", TRANSACTION_UNKNOWN);
  const account = { customerId: customerOf(access), accountId };
  const entry = await ports.coreBank.transaction(account, asked.transactionId);
  checkSame(ports.coreBank, "transaction", granted, entry);
  const open = openAccount(granted, entry);
  checkUnblocked(open);
  const { transaction } = open;
  if (transaction === undefined) throw reject("RESOURCE_UNKNOWN", TRANSACTION_UNKNOWN);
  checkHistory(ports.profile, access.consent, transaction.day, access.now);
  const allowance = await admitAccess(ports, access, {
    resource: `transaction:${asked.resourceId}:${transaction.id}`,
    what: "transaction",
    accountId,
  });
  return { content: { ...open, transaction: entryView(granted, transaction) }, allowance };
}

/** The entries each booking status asks for, and whether it asks for the standing orders. */
export const listsOf = {
  booked: { statuses: ["booked"], standingOrders: false },
  pending: { statuses: ["pending"], standingOrders: false },
  both: { statuses: ["booked", "pending"], standingOrders: false },
  information: { statuses: undefined, standingOrders: true },
  all: { statuses: ["booked", "pending"], standingOrders: true },
} as const;
export type BookingStatus = keyof typeof listsOf;

/** `dateFrom` is there unless the booking status is `information`, which has no dates. */
export type TransactionsAsked = {
  readonly resourceId: string;
  readonly bookingStatus: BookingStatus;
  readonly dateFrom?: IsoDate;
  readonly dateTo?: IsoDate;
  readonly after?: ReportCursor;
  /** On a following page: the last entry of the page before. */
  readonly last?: EntryPosition;
  /** On a following page: the account whose report it continues. */
  readonly reportOf?: string;
};

export type TransactionsPage = OpenAccount &
  AccountReport & {
    readonly asked: TransactionsAsked;
    readonly standingOrders: readonly StandingOrder[];
  };

/**
 * Ninety days back from the request and no further, save in the first ten minutes after SCA
 * (RTS art. 10a). The ninetieth day itself is still open. Rejects with 400 PERIOD_INVALID.
 */
function checkHistory(
  profile: AspspProfile,
  consent: Pick<AccountConsent, "authorisedAt">,
  from: IsoDate,
  now: Date,
  path?: string,
): void {
  const { historyDays, unlimitedHistoryMinutes } = profile.accountConsent;
  const { authorisedAt } = consent;
  const fresh =
    authorisedAt !== undefined && now < addTime(authorisedAt, unlimitedHistoryMinutes, "minute");
  const oldest = addDays(dayIn(profile.timeZone, now), -historyDays);
  if (fresh || from >= oldest) return;
  const text = `entries before ${oldest} (${historyDays} days) are open only in the first ${unlimitedHistoryMinutes} minutes after the PSU's authorisation`;
  throw reject("PERIOD_INVALID", text, path === undefined ? {} : { path });
}

const ACCOUNT_UNKNOWN = "this account is not part of the consent";

/** What an access to account data starts from: an open consent, the instant, and who asked. */
export type Access = NamedConsent & {
  readonly now: Date;
  readonly requestId: RequestId;
  /** The PSU caused the call: it does not count against `frequencyPerDay`. */
  readonly attended: boolean;
  /** Set where the TPP has named an address of its PSU, and no PSU can have called from it. */
  readonly addressIgnored?: AddressIgnored;
};

/** An account of the consent as the bank has it now. */
export type OpenAccount = { readonly granted: GrantedAccount; readonly account: BankAccount };

/** The account that this consent calls `resourceId`. Rejects with 404 RESOURCE_UNKNOWN when there is none. */
function findGrantedAccount({ consent }: NamedConsent, resourceId: string): GrantedAccount {
  const granted = consent.grantedAccounts.find((account) => account.resourceId === resourceId);
  if (granted === undefined) throw reject("RESOURCE_UNKNOWN", ACCOUNT_UNKNOWN);
  return granted;
}

/** Balances and transactions need their own right. Rejects with 401 CONSENT_INVALID. */
function checkRight({ rights }: GrantedAccount, right: "balances" | "transactions"): void {
  if (rights[right]) return;
  throw reject("CONSENT_INVALID", `the consent does not cover the ${right} of this account`);
}

/**
 * With what the core bank has of it. Rejects with 404 RESOURCE_UNKNOWN when it has been closed since, or
 * is the PSU's no longer, which looks like an account that was never granted.
 */
function openAccount<Known extends Pick<OpenAccount, "account">>(
  granted: GrantedAccount,
  known: Known | undefined,
): Known & OpenAccount {
  if (known === undefined || known.account.status === "deleted") {
    throw reject("RESOURCE_UNKNOWN", ACCOUNT_UNKNOWN);
  }
  return { ...known, granted };
}

/** A blocked account shows neither balances nor transactions. */
function checkUnblocked({ account }: OpenAccount): void {
  if (account.status === "blocked") throw reject("SERVICE_BLOCKED", "this account is blocked");
}

type BudgetPorts = Pick<AccessPorts, "accessBudget" | "profile">;

type Reading = {
  /** What it is counted under. */
  readonly resource: string;
  readonly what: Exclude<ReadKind, "funds-check">;
  readonly accountId?: AccountId;
};

/**
 * Admits an unattended access as often as the consent says in 24 hours, per endpoint and account (RTS art.
 * 36(5)(b)), and an attended one always. Called last, since a refused call does not count, nor is it in the PSU's
 * access history. Rejects with 429 ACCESS_EXCEEDED.
 */
async function admitAccess(
  ports: BudgetPorts,
  access: Access,
  reading: Reading,
): Promise<Allowance | undefined> {
  if (access.attended) return admitAttended(ports, access, reading);
  const counted = unattended(ports, access, reading);
  const admission = await ports.accessBudget.admitUnattended(counted);
  const allowance = allowanceOf(admission, counted.limit, access);
  if (admission.admitted) return allowance;
  const accesses = counted.limit === 1 ? "access" : "accesses";
  const text = `the consent allows ${counted.limit} unattended ${accesses} in ${counted.windowHours} hours`;
  const wait = Math.max(1, allowance.resetSeconds);
  throw reject("ACCESS_EXCEEDED", text, {
    headers: { ...rateLimitHeaders(allowance), "retry-after": String(wait) },
  });
}

/** For a call that belongs to an access which was counted before: what is left of the budget. */
async function continueAccess(
  ports: BudgetPorts,
  access: Access,
  reading: Reading,
): Promise<Allowance | undefined> {
  if (access.attended) return admitAttended(ports, access, reading);
  const counted = unattended(ports, access, reading);
  const budget = await ports.accessBudget.continueUnattended(counted);
  return allowanceOf(budget, counted.limit, access);
}

async function admitAttended(ports: BudgetPorts, access: Access, reading: Reading) {
  await ports.accessBudget.admitAttended(servedRead(access, reading));
  return undefined;
}

function unattended({ profile }: BudgetPorts, access: Access, reading: Reading): UnattendedAccess {
  return {
    read: servedRead(access, reading),
    resource: reading.resource,
    limit: access.consent.frequencyPerDay,
    windowHours: profile.accountConsent.frequencyWindowHours,
  };
}

function servedRead(access: Access, reading: Reading): ServedRead {
  const { consent, now, attended, requestId } = access;
  const { id: consentId, tppId, firstUsedAt } = consent;
  const { what, accountId } = reading;
  const isFirst = firstUsedAt === undefined;
  return { consentId, tppId, what, accountId, at: now, attended, isFirst, requestId };
}

/**
 * The unattended accesses of a consent (RTS art. 36(5)(b)), and with each the line of the access log:
 * what is admitted is logged in the same statement, what is refused is not.
 */
export type AccessBudget = {
  /** Counts one access in the rolling window, in one statement; refused when `limit` are in it. */
  readonly admitUnattended: (access: UnattendedAccess) => Promise<Admission>;
  /** A following page of an access that was counted before: logged, and counts nothing. */
  readonly continueUnattended: (access: UnattendedAccess) => Promise<Budget>;
  /** Not limited; logged all the same. */
  readonly admitAttended: (read: ServedRead) => Promise<void>;
};

export type UnattendedAccess = {
  readonly read: ServedRead;
  /** Endpoint and account, e.g. `balances:3f…`: each has its own count. */
  readonly resource: string;
  readonly limit: number;
  readonly windowHours: number;
};

/** `resetAt` is when the oldest access in the window falls out of it, so that one more is left. */
export type Budget = { readonly left: number; readonly resetAt: Date };

export type Admission = Budget & { readonly admitted: boolean };

/** What one call of a TPP was answered with. */
export const readKinds = [
  "accounts",
  "accounts-with-balances",
  "account-details",
  "account-details-with-balances",
  "balances",
  "transactions",
  "transaction",
  "funds-check",
] as const;
export type ReadKind = (typeof readKinds)[number];

/** A read that was served, without anything of its content. A refused call is none. */
export type ServedRead = {
  readonly consentId: ConsentId;
  readonly tppId: TppId;
  readonly what: ReadKind;
  /** Absent where the list of accounts was read. */
  readonly accountId?: AccountId | undefined;
  readonly at: Date;
  /** As far as the consent said when the request began, nothing has been read by it before. */
  readonly isFirst?: boolean;
  /** The PSU caused it. A funds check is always unattended: the payee's side asks. */
  readonly attended: boolean;
  /** Absent where a server of an earlier release has served it. */
  readonly requestId?: RequestId;
};

/** Seconds are rounded up: after that wait the access is admitted. */
export function allowanceOf(
  { left, resetAt }: Budget,
  limit: number,
  { now, addressIgnored }: Pick<Access, "now" | "addressIgnored">,
): Allowance {
  const seconds = Math.ceil((resetAt.getTime() - now.getTime()) / 1_000);
  const allowance = { limit, left, resetSeconds: Math.max(0, seconds) };
  return addressIgnored === undefined ? allowance : { ...allowance, addressIgnored };
}
