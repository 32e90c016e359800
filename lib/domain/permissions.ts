import type { ServedRead } from "./account-access";
import type { AccessRights } from "./accounts";
import type { FailureReason } from "./authorisation";
import {
  type AccountConsent,
  type ConsentPorts,
  type ConsentStatus,
  currentConsent,
  revokeAccountConsent,
} from "./consents";
import { type CoreBank, whereBlocked } from "./core-bank";
import {
  currentFundsConsent,
  type FundsConsent,
  type FundsConsentPorts,
  type FundsConsentStatus,
  revokeFundsConsent,
} from "./funds";
import type { Payment, PaymentRejection } from "./payment-order";
import { currentPayment, type PaymentStore } from "./payments";
import type { Tpp } from "./tpp";
import type { AccountId, Branded, ConsentId, Currency, Iban, PsuId, TppId } from "./values";

type RecordPorts = PermissionPorts & { readonly permissionRecords: PermissionRecords };

type ListAsked<Position> = {
  readonly psuId: PsuId;
  readonly filter: PermissionFilter;
  readonly after?: Position | undefined;
  readonly limit: number;
  readonly now: Date;
};

export type PermissionList = {
  readonly permissions: readonly Permission[];
  /** Where the next page begins; absent on the last one. */
  readonly next?: PermissionPosition;
};

/** The PSU's permissions and payments, the newest request first. */
export async function listPermissions(
  ports: RecordPorts,
  { psuId, filter, after, limit, now }: ListAsked<PermissionPosition>,
): Promise<PermissionList> {
  const page = { after, limit: limit + 1 };
  const records = await ports.permissionRecords.list(psuId, filter, page);
  const permissions = await permissionsOf(ports, { psuId, records: records.slice(0, limit), now });
  const last = records[limit - 1];
  return { permissions, ...(records.length > limit && last && { next: last.position }) };
}

/** Of one TPP: how many there are, and the newest of them. */
type PermissionsOfTpp = {
  readonly tpp: Tpp;
  readonly count: number;
  readonly newest: readonly Permission[];
};

type TppsAsked = ListAsked<TppPosition> & { readonly newestMax: number };

export type PermissionsByTpp = {
  readonly tpps: readonly PermissionsOfTpp[];
  readonly next?: TppPosition;
};

/** The same by TPP, the one with the newest request first; of each no more than `newestMax`. */
export async function listPermissionsByTpp(
  ports: RecordPorts,
  { psuId, filter, after, limit, newestMax, now }: TppsAsked,
): Promise<PermissionsByTpp> {
  const page = { after, limit: limit + 1, newestMax };
  const groups = await ports.permissionRecords.byTpp(psuId, filter, page);
  const shown = groups.slice(0, limit);
  const newest = shown.flatMap(({ newest }) => newest);
  const all = await permissionsOf(ports, { psuId, records: newest, now });
  const tpps = shown.map(({ tpp, count }) => ({
    tpp,
    count,
    newest: all.filter((permission) => permission.tpp.id === tpp.id),
  }));
  const last = shown.at(-1);
  return { tpps, ...(groups.length > limit && last && { next: last.position }) };
}

type PermissionAsked = {
  readonly psuId: PsuId;
  readonly kind: PermissionKind;
  readonly id: string;
  readonly now: Date;
};

/** Undefined for an unknown one and for another PSU's. */
export async function findPermission(
  ports: RecordPorts,
  { psuId, kind, id, now }: PermissionAsked,
): Promise<Permission | undefined> {
  const record = await ports.permissionRecords.find(psuId, kind, id);
  if (record === undefined) return undefined;
  const [permission] = await permissionsOf(ports, { psuId, records: [record], now });
  return permission;
}

/** A line of the access history, with the account as the PSU knows it. */
export type HistoryLine = LoggedRead & { readonly account?: SharedAccount };

export type History = {
  readonly lines: readonly HistoryLine[];
  /** Where the next page begins; absent on the last one. */
  readonly next?: ReadPosition;
};

/** When the TPP read what by this permission, newest first. A payment reads nothing. */
export async function readHistory(
  { permissionRecords }: { readonly permissionRecords: PermissionRecords },
  permission: Permission,
  { after, limit }: { readonly after?: ReadPosition; readonly limit: number },
): Promise<History> {
  if (permission.kind === "payments") return { lines: [] };
  const page = { limit: limit + 1, ...(after !== undefined && { after }) };
  const reads = await permissionRecords.readsOf(permission.consent.id, page);
  const lines = reads.slice(0, limit).map((read) => {
    const account = permission.accounts.find(({ id }) => id !== undefined && id === read.accountId);
    return account === undefined ? read : { ...read, account };
  });
  const last = lines.at(-1);
  return { lines, ...(reads.length > limit && last && { next: last.position }) };
}

/** An account as the PSU knows it; without a name where the bank has it no more. */
export type SharedAccount = {
  readonly id?: AccountId;
  readonly iban: Iban;
  readonly currency?: Currency | undefined;
  readonly name?: string;
  /** Of account information. */
  readonly rights?: AccessRights;
};

/** A permission or payment order as it is now, for its PSU. */
export type Permission = PermissionRecord & {
  readonly state: PermissionState;
  readonly accounts: readonly SharedAccount[];
};

type PermissionPorts = RevokingPorts & {
  readonly payments: PaymentStore;
  readonly coreBank: CoreBank;
};

type RecordsOfPsu = {
  readonly psuId: PsuId;
  readonly records: readonly PermissionRecord[];
  readonly now: Date;
};

/**
 * In their current state, and with the names of the accounts that the PSU still has, of one whom the bank has blocked
 * without; in the order of the records.
 */
async function permissionsOf(
  ports: PermissionPorts,
  { psuId, records, now }: RecordsOfPsu,
): Promise<readonly Permission[]> {
  const settled: PermissionRecord[] = [];
  for (const record of records) settled.push(await settle(ports, record, now));
  const known = settled.map(sharedAccounts);
  const ids = known.flat().flatMap(({ id }) => (id === undefined ? [] : [id]));
  const found = await ports.coreBank
    .accounts({ customerId: psuId, ids: [...new Set(ids)] })
    .catch(whereBlocked([]));
  const names = new Map(found.map(({ id, name }) => [id, name]));
  const named = (account: SharedAccount): SharedAccount => {
    const name = account.id === undefined ? undefined : names.get(account.id);
    return name === undefined ? account : { ...account, name };
  };
  return settled.map((record, at) => ({
    ...record,
    state: permissionState(record),
    accounts: (known[at] ?? []).map(named),
  }));
}

async function settle(
  ports: PermissionPorts,
  record: PermissionRecord,
  now: Date,
): Promise<PermissionRecord> {
  const settled = await settledRecord(ports, record, now);
  const over = permissionState(settled) !== permissionState(record);
  return over && settled.endedAt === undefined ? { ...settled, endedAt: now } : settled;
}

async function settledRecord(
  ports: PermissionPorts,
  record: PermissionRecord,
  now: Date,
): Promise<PermissionRecord> {
  switch (record.kind) {
    case "accounts":
      return { ...record, consent: await currentConsent(ports, record.consent, now) };
    case "funds":
      return { ...record, consent: await currentFundsConsent(ports, record.consent, now) };
    case "payments":
      return { ...record, payment: await currentPayment(ports, record.payment, now) };
  }
}

function sharedAccounts(record: PermissionRecord): readonly SharedAccount[] {
  if (record.kind === "accounts") {
    return record.consent.grantedAccounts.map(({ accountId, iban, currency, rights }) => ({
      id: accountId,
      iban,
      currency,
      rights,
    }));
  }
  if (record.kind === "funds") {
    const { account, accountId } = record.consent;
    return [{ ...account, ...(accountId !== undefined && { id: accountId }) }];
  }
  const { order, debit } = record.payment;
  return [{ ...order.debtor, ...(debit !== undefined && { id: debit.accountId }) }];
}

/** The state of a permission or payment that a PSU sees. */
export type PermissionState =
  | "active"
  | "waiting"
  | "revoked"
  | "expired"
  | "ended-by-tpp"
  | "never-confirmed"
  | "in-progress"
  | "waiting-for-funds"
  | "paid"
  | "refused-by-bank";

const ofConsent: Readonly<Record<ConsentStatus | FundsConsentStatus, PermissionState>> = {
  received: "waiting",
  partiallyAuthorised: "waiting",
  valid: "active",
  rejected: "never-confirmed",
  expired: "expired",
  revokedByPsu: "revoked",
  terminatedByTpp: "ended-by-tpp",
};

const ofPayment: Readonly<Record<Exclude<Payment["status"], "RJCT">, PermissionState>> = {
  RCVD: "waiting",
  ACTC: "in-progress",
  ACCP: "in-progress",
  PDNG: "waiting-for-funds",
  ACSP: "in-progress",
  ACSC: "paid",
  ACCC: "paid",
};

/** Of what the PSU has confirmed; every other reason ended the authorisation, so the PSU's yes is missing. */
const refusedByBank: Readonly<Record<Exclude<PaymentRejection, FailureReason>, true>> = {
  "account-blocked": true,
  "psu-limit": true,
  "day-limit": true,
  "no-funds": true,
  "creditor-account-closed": true,
};

export function permissionState(record: PermissionRecord): PermissionState {
  return record.kind === "payments"
    ? paymentState(record.payment)
    : ofConsent[record.consent.status];
}

function paymentState({ status, reason }: Payment): PermissionState {
  if (status !== "RJCT") return ofPayment[status];
  return reason === undefined || reason in refusedByBank ? "refused-by-bank" : "never-confirmed";
}

type RevokingPorts = ConsentPorts & FundsConsentPorts;

/** A payment order that its PSU has confirmed is not taken back (PSD2 art. 80). */
export function mayBeRevoked({ kind, state }: Pick<Permission, "kind" | "state">): boolean {
  return kind !== "payments" && state === "active";
}

/**
 * From now on the TPP's next call is refused, on every server, and its tokens are dead. False when there
 * is nothing to end: unknown, another PSU's, ended already, or a payment.
 */
export async function revokePermission(
  ports: RevokingPorts,
  { psuId, kind, id, now }: PermissionAsked,
): Promise<boolean> {
  const asked = { id: id as ConsentId, psuId, now };
  if (kind === "accounts") return revokeAccountConsent(ports, asked);
  return kind === "funds" && revokeFundsConsent(ports, asked);
}

/** Consents that are looked up at once when a customer's are ended. */
const ENDED_AT_ONCE = 50;

/**
 * Ends what the PSU has confirmed and what is still in force, of one TPP or of all. Yields how many there were: those
 * that ended by themselves meanwhile are none of them.
 */
export async function revokeEveryPermission(
  ports: RevokingPorts & Pick<RecordPorts, "permissionRecords">,
  { now, ...whose }: WhosePermissions & { readonly now: Date },
): Promise<number> {
  let revoked = 0;
  for (;;) {
    const found = await ports.permissionRecords.revocable(whose, ENDED_AT_ONCE);
    for (const one of found) {
      if (await revokePermission(ports, { ...one, psuId: whose.psuId, now })) revoked += 1;
    }
    if (found.length < ENDED_AT_ONCE) return revoked;
  }
}

export const permissionKinds = ["accounts", "funds", "payments"] as const;
export type PermissionKind = (typeof permissionKinds)[number];

type Kept =
  | { readonly kind: "accounts"; readonly consent: AccountConsent }
  | { readonly kind: "funds"; readonly consent: FundsConsent }
  | { readonly kind: "payments"; readonly payment: Payment };

/** A consent or payment order that a PSU has signed in for, whether or not they confirmed it. */
export type PermissionRecord = Kept & {
  readonly tpp: Tpp;
  readonly requestedAt: Date;
  readonly endedAt?: Date;
  /** When the TPP last read something by it. */
  readonly lastReadAt?: Date;
};

/** Where a line of the access history stands; a following page begins after it. */
export type ReadPosition = Branded<"ReadPosition">;
export type LoggedRead = ServedRead & { readonly position: ReadPosition };

/** Which of a PSU's permissions and payments; all without members. */
export type PermissionFilter = {
  readonly tppId?: TppId | undefined;
  readonly kind?: PermissionKind | undefined;
  /** False: not yet, or not any more. */
  readonly inForce?: boolean | undefined;
  /** Without what ended before. */
  readonly since?: Date | undefined;
  /** Part of the TPP's name or registration number, of an account's IBAN, or of the payee's name or IBAN. */
  readonly text?: string | undefined;
};

/** Where a permission, or a TPP, stands in its list; a following page begins after it. */
export type PermissionPosition = Branded<"PermissionPosition">;
export type TppPosition = Branded<"TppPosition">;
type Page<Position> = { readonly after?: Position | undefined; readonly limit: number };

export type ListedRecord = PermissionRecord & { readonly position: PermissionPosition };
export type RecordsOfTpp = {
  readonly tpp: Tpp;
  readonly count: number;
  readonly newest: readonly PermissionRecord[];
  readonly position: TppPosition;
};

export type WhosePermissions = { readonly psuId: PsuId; readonly tppId?: TppId | undefined };

/** A PSU's consents and payments. Another PSU's is not found, like an unknown one. */
export type PermissionRecords = {
  /** The newest request first. */
  readonly list: (
    psuId: PsuId,
    filter: PermissionFilter,
    page: Page<PermissionPosition>,
  ) => Promise<readonly ListedRecord[]>;
  /** TPPs, the one with the newest request first, each with no more than its `newestMax` newest. */
  readonly byTpp: (
    psuId: PsuId,
    filter: PermissionFilter,
    page: Page<TppPosition> & { readonly newestMax: number },
  ) => Promise<readonly RecordsOfTpp[]>;
  readonly find: (
    psuId: PsuId,
    kind: PermissionKind,
    id: string,
  ) => Promise<PermissionRecord | undefined>;
  /** Of those that `mayBeRevoked`, as many as `limit` says. */
  readonly revocable: (
    whose: WhosePermissions,
    limit: number,
  ) => Promise<readonly { readonly kind: "accounts" | "funds"; readonly id: ConsentId }[]>;
  /** Newest first, as they were served. Whose consent it is, `find` says. */
  readonly readsOf: (
    id: ConsentId,
    page: { readonly after?: ReadPosition; readonly limit: number },
  ) => Promise<readonly LoggedRead[]>;
};
