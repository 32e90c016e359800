import { afterAll, beforeAll, expect, test } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { PsuId } from "@/lib/domain/identifiers";
import { textLimits } from "@/lib/domain/sca/text-budget";
import { minutesOn, winners } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";
import { textBudget } from "./text-budget";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const newPsu = () => crypto.randomUUID() as string as PsuId;
const max = aspspProfile.sca.textsPerHourMax;

/** As one of several servers has it. */
const take = (psuId: PsuId, minutes = 0) => {
  const at = minutesOn(minutes);
  return textBudget(database.db).take(psuId, textLimits(aspspProfile, at), at);
};

test("P6: of 60 texts to one PSU at a time as many go as an hour allows, and no more", async () => {
  const psu = newPsu();
  expect(await winners(60, () => take(psu))).toBe(max);
  expect(await take(psu, 59)).toBe(false);
  expect(await take(newPsu())).toBe(true);
});

test("P6: the hour goes with the clock: each text comes back an hour after it was sent", async () => {
  const psu = newPsu();
  for (let nth = 0; nth < max; nth += 1) expect(await take(psu, nth)).toBe(true);
  expect(await take(psu, 59.9)).toBe(false);
  expect(await take(psu, 60)).toBe(true);
  expect(await take(psu, 60)).toBe(false);
  expect(await take(psu, 61)).toBe(true);
});

test("what is out of the hour is kept no longer", async () => {
  const psu = newPsu();
  for (let nth = 0; nth < 3 * max; nth += 1) await take(psu, nth * 61);
  const [row] =
    await database.sql`select cardinality(sent) from psu_text_budget where psu_id = ${psu}`;
  expect(row).toEqual({ cardinality: 1 });
});
