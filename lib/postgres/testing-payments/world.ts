import { ledger } from "@/lib/core-bank/ledger/core-bank";
import { paymentExecution } from "@/lib/core-bank/ledger/payment-execution";
import { type AspspProfile, aspspProfile } from "@/lib/domain/aspsp-profile";
import type { Iban } from "@/lib/domain/iban";
import type { AccountId, PsuId, TppId } from "@/lib/domain/identifiers";
import { money } from "@/lib/domain/payment/product-terms";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import type { Tpp } from "@/lib/domain/tpp/tpp";
import { auditLog } from "../audit-log";
import { authorisationStore } from "../authorisation-store";
import type { Database } from "../client";
import { paymentStore } from "../payment-store";
import { exampleTpp } from "../samples";
import type { Lane } from "./lane";
import { DAY_LIMIT, type Model, type Payee } from "./model";
import { type Account, creditOf, rowsOf } from "./rows";

export type Terms = Pick<Model, "credited" | "overdraft" | "ownLimit">;
export type World = Awaited<ReturnType<typeof aWorld>>;

/** The rules are the bank's own; only the day's limit is near enough to be reached. */
const profile: AspspProfile = {
  ...aspspProfile,
  payments: { ...aspspProfile.payments, psuDayLimit: money("EUR", DAY_LIMIT) },
};

let numbers = 0;

/**
 * A TPP, a PSU with an account in euro, and whom it pays, apart from those of every other run. The use
 * cases are the domain's and the stores the real ones; passwords, codes and the phone are in memory.
 */
export async function aWorld(database: Lane, terms: Terms) {
  const { sql, db } = database;
  const tpp: Tpp = { ...exampleTpp, id: `PSDRO-NBR-${crypto.randomUUID()}` as TppId };
  const psuId = crypto.randomUUID() as string as PsuId;
  const debtor = anAccount();
  const payees: Readonly<Record<Payee, Account>> = {
    inside: anAccount(),
    closed: anAccount(),
    outside: { id: crypto.randomUUID() as string as AccountId, iban: elsewhere },
  };
  await sql.unsafe(rowsOf({ tpp, psuId, debtor, payees, ...terms }));
  const { bank, ports: inMemory } = inMemoryBank();
  const portsOver = (over: Database) => ({
    ...inMemory,
    profile,
    payments: paymentStore(over),
    authorisations: authorisationStore(over),
    coreBank: ledger(over, profile),
    auditLog: auditLog(over),
    paymentExecution: paymentExecution(over),
    // The count over all authorisations of a PSU has its own tests.
    psuAttempts: {
      take: async () => ({ attemptsLeft: Number.POSITIVE_INFINITY }),
      block: async () => undefined,
      giveBack: async () => undefined,
      isBlockedForGood: async () => false,
      forget: async () => true,
    },
  });
  return { database, tpp, psuId, debtor, payees, bank, ports: portsOver(db), portsOver };
}

const elsewhere = "DE89370400440532013000" as string as Iban;

function anAccount(): Account {
  numbers += 1;
  const iban = `RO00DRWB${String(numbers).padStart(16, "0")}` as string as Iban;
  return { id: crypto.randomUUID() as string as AccountId, iban };
}

/** Money from another bank: both sides, booked, in one statement. */
export async function credit(
  { database, debtor }: Pick<World, "database" | "debtor">,
  amount: bigint,
) {
  await database.sql.unsafe(creditOf(debtor, amount));
}
