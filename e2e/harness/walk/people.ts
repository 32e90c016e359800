import { hash } from "@node-rs/argon2";
import { eq } from "drizzle-orm";
import { codeSecret } from "@/cli/bank/code-secret";
import { databaseUrl } from "@/cli/bank/database-url";
import { psu, psuAttempts, psuTextBudget, sandboxMessage } from "@/drizzle/schema/drawbridge";
import { readSettings } from "@/lib/config";
import { addAccount, addCustomer } from "@/lib/core-bank/ledger/testing";
import { fingerprintOf } from "@/lib/core-bank/text-messages";
import { userKey } from "@/lib/domain/psu-attempts";
import type { PsuId } from "@/lib/domain/values";
import { connect } from "@/lib/postgres/client";
import { ownIban } from "@/lib/sandbox/demo-bank-people";
import { onlyGiven } from "../only-given";
import type { ServerSettings } from "../server";
import type { FailureRow } from "./world";

/** Who walks: a customer with a sign-in and accounts of nobody else's. */
export type Walker = { readonly userId: string; readonly password: string; readonly iban: string };

export type People = Awaited<ReturnType<typeof people>>;

/** Of the bank's demo customers none: who types wrong passwords by the hundred needs a name of one's own. */
const FIRST_ACCOUNT = 9_000;
/** A hash that is quick to check, so that a walk is about pages and not about argon2. */
const QUICK = { memoryCost: 8, timeCost: 1, parallelism: 1 };
/** A million lei: no payment of a walk is too much. */
const OVERDRAFT = 100_000_000n;

/** Customers of the bank at these settings, put straight into its ledger; and its staff. */
export async function people({ dataDir, shared }: ServerSettings) {
  const env = { ...onlyGiven({ ...shared }), DATA_DIR: dataDir };
  const settings = readSettings(env);
  const secret = await codeSecret(settings);
  const { db, close } = connect(await databaseUrl(settings), { max: 2 });
  const keyOf = (userId: string) =>
    userKey({ fingerprint: (text) => fingerprintOf(text, secret) }, userId);
  const ids = new Map<string, PsuId>();
  const idOf = (userId: string): PsuId => {
    const id = ids.get(userId);
    if (id === undefined) throw new Error(`nobody is called ${userId}`);
    return id;
  };

  async function add(userId: string): Promise<Walker> {
    const id = await addCustomer(db, userId);
    const password = `${userId}-word`;
    const number = FIRST_ACCOUNT + 10 * ids.size;
    ids.set(userId, id);
    for (const more of [1, 2]) {
      const account = {
        name: `Account ${more}`,
        overdraftMinor: OVERDRAFT,
        position: number + more,
      };
      await addAccount(db, { [id]: "owner" }, { ...account, iban: ownIban(number + more) });
    }
    const passwordHash = await hash(password, QUICK);
    await db.insert(psu).values({ id, name: userId, userId, passwordHash });
    return { userId, password, iban: ownIban(number + 1) };
  }

  return {
    db,
    idOf,
    add,
    /** Newest first. */
    codesOf: async (userId: string): Promise<readonly string[]> => {
      const rows = await db
        .select({ code: sandboxMessage.code })
        .from(sandboxMessage)
        .where(eq(sandboxMessage.psuId, idOf(userId)))
        .orderBy(sandboxMessage.id);
      return rows.flatMap(({ code }) => (code === null ? [] : [code])).toReversed();
    },
    /** The bank's staff, called by the PSU. */
    unlock: async (userId: string): Promise<void> => {
      await db.delete(psuAttempts).where(eq(psuAttempts.userKey, keyOf(userId)));
    },
    rowOf: async (userId: string): Promise<FailureRow> => {
      const found = db.select().from(psuAttempts);
      const [row] = await found.where(eq(psuAttempts.userKey, keyOf(userId)));
      const { failures = 0, secondFailures = 0, lastAt } = row ?? {};
      return { count: failures, codes: secondFailures, lastAt: lastAt?.getTime() ?? 0 };
    },
    /** As after an hour without a text. */
    textsForgotten: async (userId: string): Promise<void> => {
      await db.delete(psuTextBudget).where(eq(psuTextBudget.psuId, idOf(userId)));
    },
    close,
  };
}
