import type { AccessRights } from "../consent/access-request";
import { currentConsent } from "../consent/current-consent";
import { currentFundsConsent } from "../funds-confirmation/current-funds-consent";
import type { Iban } from "../iban";
import type { AccountId } from "../identifiers";
import type { Currency } from "../money";
import { currentPayment } from "../payment/current-payment";
import type { Ports } from "../ports";
import type { PermissionRecord } from "./permission-records";
import { type PermissionState, permissionState } from "./permission-state";

/** An account as the PSU knows it; without a name where the bank has it no more. */
export type SharedAccount = {
  readonly id?: AccountId;
  readonly iban: Iban;
  readonly currency?: Currency;
  readonly name?: string;
  /** Of account information. */
  readonly rights?: AccessRights;
};

/** A permission or payment order as it stands now, for its PSU's eyes. */
export type Permission = PermissionRecord & {
  readonly state: PermissionState;
  readonly accounts: readonly SharedAccount[];
};

export type PermissionPorts = Pick<
  Ports,
  "consents" | "fundsConsents" | "payments" | "authorisations" | "coreBank" | "profile"
>;

/** Settles what time has ended, and names the accounts; in the order of the records. */
export async function permissionsOf(
  ports: PermissionPorts,
  records: readonly PermissionRecord[],
  now: Date,
): Promise<readonly Permission[]> {
  const settled: PermissionRecord[] = [];
  for (const record of records) settled.push(await settle(ports, record, now));
  const known = settled.map(sharedAccounts);
  const ids = known.flat().flatMap(({ id }) => (id === undefined ? [] : [id]));
  const found = await ports.coreBank.accounts([...new Set(ids)]);
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
