import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { and, asc, eq, ne, type SQL, sql } from "drizzle-orm";
import { accountOwner, customer, ledgerAccount } from "@/drizzle/schema/ledger/accounts";
import { ledgerEntry } from "@/drizzle/schema/ledger/entries";
import { coreFaults, psu, sandboxNamespace } from "@/drizzle/schema/ledger/psus";
import { standingOrder } from "@/drizzle/schema/ledger/standing-orders";
import type { AccountOwner, Counterparty } from "@/lib/domain/accounts";
import type { AspspProfile } from "@/lib/domain/bank-profile";
import { reject } from "@/lib/domain/errors";
import { meantUserId } from "@/lib/domain/psu";
import {
  type AccountId,
  type Currency,
  dayIn,
  type IsoDate,
  type PsuId,
  type TppId,
  type TransactionId,
} from "@/lib/domain/values";
import type { LedgerDatabase, LedgerReader, LedgerTransaction } from "./database";
import { clearingAccount, counterpartyColumns, enterTransfers } from "./entries";
import { ibanOfBank } from "./own-iban";
import { enterPsus } from "./psu-directory";

export const namespaceLimits = {
  psus: 50,
  accountsPerPsu: 20,
  accounts: 200,
  entriesPerAccount: 5_000,
  standingOrdersPerAccount: 100,
  /** What was reset stays in the books. */
  resetsPerDay: 50,
} as const;

/** Of the core bank towards the people and accounts of a namespace. */
export const coreBankStates = ["available", ...coreFaults] as const;
type CoreBankState = (typeof coreBankStates)[number];

type NewPsu = {
  /** The beginning of the user ID: what follows is random, so that nobody finds out another's. */
  readonly login: string;
  readonly name: string;
  readonly paymentLimitMinor: bigint | null;
};

type NewAccount = {
  readonly psuId: PsuId;
  readonly currency: Currency;
  readonly name: string;
  readonly product: string;
  readonly openingMinor: bigint;
  readonly overdraftMinor: bigint;
};

type NewEntry = {
  readonly amountMinor: bigint;
  readonly status: "pending" | "booked";
  readonly day: IsoDate;
  readonly counterparty: Counterparty;
  readonly remittance?: string | undefined;
};

type NewOrder = {
  readonly amountMinor: bigint;
  readonly counterparty: Counterparty;
  readonly remittance?: string | undefined;
  readonly startOn: IsoDate;
  readonly frequency: (typeof standingOrder.$inferInsert)["frequency"];
  readonly dayOfExecution: number;
};

export type Namespaces = ReturnType<typeof namespaces>;

/**
 * The people and accounts that a TPP has made for itself in the sandbox. Whatever is not of the TPP's namespace rejects
 * with 404 as anything unknown, and what a limit forbids with 409 STATUS_INVALID.
 */
export function namespaces(database: LedgerDatabase & LedgerReader) {
  /** One at a time in each namespace, so that two together do not pass a limit. */
  function changing<Result>(tppId: TppId, change: (tx: LedgerTransaction) => Promise<Result>) {
    return database.transaction(async (tx) => {
      const lock = sql`pg_advisory_xact_lock(hashtextextended(${`namespace ${tppId}`}, 0))`;
      await tx.select({ lock }).from(sql`(values (1)) as one`);
      return change(tx);
    });
  }
  return {
    psus: (tppId: TppId) => psusOf(database, tppId),
    accounts: (tppId: TppId) => accountsOf(database, tppId),
    psu: (tppId: TppId, id: PsuId) => ownPsu(database, tppId, id),
    /** Whether a PSU of the namespace has this user ID, as it was typed. */
    hasUserId: async (tppId: TppId, userId: string) =>
      (await psusOf(database, tppId)).some((known) => known.userId === meantUserId(userId)),

    createPsu: (tppId: TppId, { login, name, paymentLimitMinor }: NewPsu) =>
      changing(tppId, async (tx) => {
        checkLimit(namespaceLimits.psus, (await psusOf(tx, tppId)).length, "PSUs");
        const id = randomUUID() as string as PsuId;
        const userId = `${login}-${randomBytes(4).toString("hex")}`;
        const password = randomBytes(12).toString("base64url");
        await tx.insert(customer).values({ id, name, paymentLimitMinor });
        await enterPsus(tx, [{ id, userId, name, password, tppId }]);
        return { id, userId, name, paymentLimitMinor, password };
      }),

    setPaymentLimit: (tppId: TppId, id: PsuId, paymentLimitMinor: bigint | null) =>
      changing(tppId, async (tx) => {
        const known = await ownPsu(tx, tppId, id);
        await tx.update(customer).set({ paymentLimitMinor }).where(eq(customer.id, id));
        return { ...known, paymentLimitMinor };
      }),

    createAccount: (tppId: TppId, account: NewAccount, bank: Bank) =>
      changing(tppId, async (tx) => {
        await ownPsu(tx, tppId, account.psuId);
        const all = await accountsOf(tx, tppId);
        checkLimit(namespaceLimits.accounts, all.length, "accounts");
        checkAccountsOf(account.psuId, all);
        const id = await openAccount(tx, account, { ...bank, position: all.length });
        return ownAccount(tx, tppId, id);
      }),

    setOverdraft: (tppId: TppId, id: AccountId, overdraftMinor: bigint) =>
      changing(tppId, async (tx) => {
        await ownAccount(tx, tppId, id);
        await tx.update(ledgerAccount).set({ overdraftMinor }).where(eq(ledgerAccount.id, id));
        return ownAccount(tx, tppId, id);
      }),

    addOwner: (tppId: TppId, accountId: AccountId, owner: Owner) =>
      changing(tppId, async (tx) => {
        const all = await accountsOf(tx, tppId);
        const { owners } = await ownAccount(tx, tppId, accountId);
        await ownPsu(tx, tppId, owner.psuId);
        const { psuId: customerId, role } = owner;
        if (!owners.some(({ id }) => id === customerId)) checkAccountsOf(customerId, all);
        const remains = owners.some((one) => one.role === "owner" && one.id !== customerId);
        if (role !== "owner" && !remains) {
          throw reject("STATUS_INVALID", "the account would have no owner left");
        }
        const { accountId: account, customerId: person } = accountOwner;
        await tx
          .insert(accountOwner)
          .values({ accountId, customerId, role })
          .onConflictDoUpdate({ target: [account, person], set: { role } });
        return ownAccount(tx, tppId, accountId);
      }),

    addEntry: (tppId: TppId, accountId: AccountId, entry: NewEntry, bank: Bank) =>
      changing(tppId, async (tx) => {
        const { currency } = await ownAccount(tx, tppId, accountId);
        const known = await countOf(tx, ledgerEntry, eq(ledgerEntry.accountId, accountId));
        checkLimit(namespaceLimits.entriesPerAccount, known, "entries of one account");
        await enterOne(tx, { ...entry, accountId, currency }, bank);
        return ownAccount(tx, tppId, accountId);
      }),

    addStandingOrder: (tppId: TppId, accountId: AccountId, order: NewOrder) =>
      changing(tppId, async (tx) => {
        const { currency } = await ownAccount(tx, tppId, accountId);
        const known = await countOf(tx, standingOrder, eq(standingOrder.accountId, accountId));
        checkLimit(namespaceLimits.standingOrdersPerAccount, known, "standing orders");
        const { counterparty, amountMinor, ...terms } = order;
        const id = randomUUID() as string as TransactionId;
        const parties = counterpartyColumns(counterparty);
        const row = { id, accountId, amountMinor: -amountMinor, ...parties, ...terms };
        await tx.insert(standingOrder).values(row);
        return { id, currency };
      }),

    coreBankState: async (tppId: TppId): Promise<CoreBankState> => {
      const { coreFault } = sandboxNamespace;
      const [row] = await database
        .select({ coreFault })
        .from(sandboxNamespace)
        .where(eq(sandboxNamespace.tppId, tppId));
      return row?.coreFault ?? "available";
    },

    setCoreBankState: (tppId: TppId, state: CoreBankState) =>
      database.transaction(async (tx) => {
        const coreFault = state === "available" ? null : state;
        await tx
          .insert(sandboxNamespace)
          .values({ tppId, coreFault })
          .onConflictDoUpdate({ target: sandboxNamespace.tppId, set: { coreFault } });
        return state;
      }),

    /**
     * The PSUs are gone, the accounts closed, and the core bank is available. Entries and payments stay in the books,
     * where nobody sees them.
     */
    reset: (tppId: TppId, { profile, now }: Bank) =>
      changing(tppId, async (tx) => {
        await countReset(tx, tppId, dayIn(profile.timeZone, now));
        const accounts = await accountsOf(tx, tppId);
        for (const { id } of accounts) {
          await tx.update(ledgerAccount).set({ status: "deleted" }).where(eq(ledgerAccount.id, id));
        }
        const psus = await tx.delete(psu).where(eq(psu.tppId, tppId)).returning({ id: psu.id });
        return { psus: psus.length, accounts: accounts.length };
      }),
  };
}

type Bank = {
  readonly profile: Pick<AspspProfile, "bic" | "country" | "bankCode" | "timeZone">;
  readonly now: Date;
};
type Owner = { readonly psuId: PsuId; readonly role: AccountOwner["role"] };

function psusOf(tx: LedgerReader, tppId: TppId) {
  const { userId } = psu;
  return tx
    .select({
      id: customer.id,
      userId,
      name: customer.name,
      paymentLimitMinor: customer.paymentLimitMinor,
    })
    .from(psu)
    .innerJoin(customer, eq(sql`${customer.id}::text`, psu.id))
    .where(eq(psu.tppId, tppId))
    .orderBy(asc(userId));
}

async function ownPsu(tx: LedgerReader, tppId: TppId, id: PsuId) {
  const found = (await psusOf(tx, tppId)).find((known) => known.id === id);
  if (found === undefined) throw reject("RESOURCE_UNKNOWN", "there is no such PSU");
  return found;
}

async function accountsOf(tx: LedgerReader, tppId: TppId) {
  const rows = await tx
    .select({ account: ledgerAccount, id: psu.id, role: accountOwner.role })
    .from(ledgerAccount)
    .innerJoin(accountOwner, eq(accountOwner.accountId, ledgerAccount.id))
    .innerJoin(psu, eq(psu.id, sql`${accountOwner.customerId}::text`))
    .where(and(eq(psu.tppId, tppId), ne(ledgerAccount.status, "deleted")))
    .orderBy(asc(ledgerAccount.position), asc(ledgerAccount.id), asc(psu.userId));
  const accounts = new Map(rows.map(({ account }) => [account.id, account]));
  return [...accounts.values()].map((account) => {
    const own = rows.filter((row) => row.account.id === account.id);
    return { ...account, owners: own.map(({ id, role }) => ({ id, role })) };
  });
}

async function ownAccount(tx: LedgerReader, tppId: TppId, id: AccountId) {
  const found = (await accountsOf(tx, tppId)).find((known) => known.id === id);
  if (found === undefined) throw reject("RESOURCE_UNKNOWN", "there is no such account");
  return found;
}

function checkLimit(max: number, known: number, what: string): void {
  if (known >= max) {
    throw reject("STATUS_INVALID", `a namespace of the sandbox has ${max} ${what} at most`);
  }
}

function checkAccountsOf(psuId: PsuId, all: Awaited<ReturnType<typeof accountsOf>>): void {
  const theirs = all.filter(({ owners }) => owners.some(({ id }) => id === psuId));
  checkLimit(namespaceLimits.accountsPerPsu, theirs.length, "accounts of one PSU");
}

/** Its day ends with the day of the bank's clock. */
async function countReset(tx: LedgerTransaction, tppId: TppId, resetOn: IsoDate): Promise<void> {
  const { resets } = sandboxNamespace;
  const counted = sql`case when ${eq(sandboxNamespace.resetOn, resetOn)} then ${resets} + 1 else 1 end`;
  const [row] = await tx
    .insert(sandboxNamespace)
    .values({ tppId, resetOn, resets: 1 })
    .onConflictDoUpdate({
      target: sandboxNamespace.tppId,
      set: { resetOn, resets: counted, coreFault: null },
    })
    .returning({ resets });
  checkLimit(namespaceLimits.resetsPerDay, (row?.resets ?? 0) - 1, "resets a day");
}

async function countOf(
  tx: LedgerReader,
  table: typeof ledgerEntry | typeof standingOrder,
  which: SQL,
): Promise<number> {
  const [row] = await tx.select({ count: sql<number>`count(*)::int` }).from(table).where(which);
  return row?.count ?? 0;
}

async function openAccount(
  tx: LedgerTransaction,
  { psuId, openingMinor, ...account }: NewAccount,
  { position, ...bank }: Bank & { readonly position: number },
): Promise<AccountId> {
  const { bic } = bank.profile;
  const id = randomUUID() as string as AccountId;
  // Of 10^16 in Romania, so that no two namespaces have a number in common; those of the demo bank begin with 0001.
  const iban = ibanOfBank(bank.profile, String(randomInt(1_000, 10_000)), randomInt(1e12));
  await tx.insert(ledgerAccount).values({
    ...{ ...account, id, iban, bic, position },
    kind: "current",
    usage: "PRIV",
    status: "enabled",
    isDefault: true,
  });
  await tx.insert(accountOwner).values({ accountId: id, customerId: psuId, role: "owner" });
  if (openingMinor !== 0n) {
    const opening = {
      status: "booked",
      day: dayIn(bank.profile.timeZone, bank.now),
      counterparty: { bic },
      remittance: "Opening balance",
    } as const;
    const { currency } = account;
    await enterOne(tx, { ...opening, amountMinor: openingMinor, accountId: id, currency }, bank);
  }
  return id;
}

type EntryToMake = NewEntry & { readonly accountId: AccountId; readonly currency: Currency };

async function enterOne(
  tx: LedgerTransaction,
  { accountId, currency, amountMinor, status, day, counterparty, remittance }: EntryToMake,
  { profile, now }: Bank,
): Promise<void> {
  const isBooked = status === "booked";
  const transfer = {
    ...{ transferId: randomUUID(), accountId, status, amountMinor, remittance },
    enteredOn: day,
    bookedOn: isBooked ? day : null,
    valueOn: isBooked ? day : null,
    ...counterpartyColumns(counterparty),
    bankTransactionCode: amountMinor < 0n ? "PMNT-ICDT-DMCT" : "PMNT-RCDT-DMCT",
    changedAt: now,
  };
  await enterTransfers(tx, [transfer], await clearingAccount(tx, currency, profile));
}
