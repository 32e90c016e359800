import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as schema from "@/drizzle/schema";
import { ledgerAccount } from "@/drizzle/schema";
import { accountConsent, accountGrant, tpp, tppBlock } from "@/drizzle/schema/drawbridge";
import { addAccount } from "@/lib/core-bank/ledger/testing";
import type { Database } from "./client";
import { exampleTpp, minutesOn, now, otherTpp, storesOf } from "./samples";
import { stopList } from "./stop-list";
import { type TestDatabase, testDatabase } from "./testing";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  const { tpps } = storesOf(database.db);
  await tpps.remember(exampleTpp, now);
  await tpps.remember(otherTpp, now);
  await stopList(database.db).block({ tppId: exampleTpp.id, blockedAt: now, until: minutesOn(9) });
  await addAccount(database.db, {}, { name: "Everyday" });
});
afterAll(() => database.close());

const one = sql`(values (1)) as one`;
const isTpp = eq(tpp.id, sql.placeholder("tppId"));
const isIts = eq(tppBlock.tppId, tpp.id);

/** What rows can look like: members, members of members, expressions, and joins that find nothing. */
const questions = {
  "of one table": (db: Database) => db.select().from(tpp).prepare("one_table"),
  "of expressions, decoded or not, and named or not": (db: Database) =>
    db
      .select({
        plain: sql`1`,
        none: sql`null`.mapWith(BigInt),
        decoded: sql`'7'`.mapWith(BigInt),
        named: sql`'8'`.mapWith(BigInt).as("eighth"),
        list: sql`json_build_array(1, 'two')`,
      })
      .from(one)
      .prepare("expressions"),
  "with members": (db: Database) =>
    db
      .select({ outer: { id: tpp.id, none: sql`null` }, roles: tpp.roles, met: tpp.changedAt })
      .from(tpp)
      .prepare("members"),
  "of outer joins": (db: Database) =>
    db
      .select({ tpp, order: tppBlock, until: tppBlock.until, one: sql`1` })
      .from(one)
      .leftJoin(tpp, isTpp)
      .leftJoin(tppBlock, isIts)
      .prepare("outer_joins"),
  "of an inner join, whose columns may be null": (db: Database) =>
    db
      .select({ order: { reason: tppBlock.reason, until: tppBlock.until }, tpp })
      .from(tpp)
      .innerJoin(tppBlock, isIts)
      .prepare("inner_join"),
  "of one member from two tables": (db: Database) =>
    db
      .select({ both: { reason: tppBlock.reason, id: tpp.id } })
      .from(one)
      .leftJoin(tpp, isTpp)
      .leftJoin(tppBlock, isIts)
      .prepare("two_tables"),
  "of numbers and times": (db: Database) => db.select().from(ledgerAccount).prepare("account"),
  "of a table that is empty": (db: Database) =>
    db
      .select({ grant: accountGrant })
      .from(accountConsent)
      .leftJoin(accountGrant, eq(accountGrant.consentId, accountConsent.id))
      .prepare("empty"),
  "that an insert returns": (db: Database) =>
    db
      .insert(tpp)
      .values({
        id: sql.placeholder("tppId"),
        name: "New",
        authorityName: "any",
        authorityId: "any",
        roles: ["PSP_AI"],
        changedAt: now,
      })
      .onConflictDoUpdate({ target: tpp.id, set: { name: "New" } })
      .returning({ id: tpp.id, name: tpp.name })
      .prepare("returned"),
};

describe("the rows of a prepared statement are those that Drizzle itself reads", () => {
  it.each(Object.entries(questions))("%s", async (_, question) => {
    const drizzles = question(drizzle(database.sql, { schema }));
    const ours = question(database.db);
    for (const tppId of [exampleTpp.id, otherTpp.id, "PSDRO-NBR-404"]) {
      const expected = await drizzles.execute({ tppId });
      expect(await ours.execute({ tppId })).toStrictEqual(expected);
      expect(await ours.execute({ tppId })).toStrictEqual(expected);
    }
  });
});
