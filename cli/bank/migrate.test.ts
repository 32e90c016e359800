import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { expect, inject, it, onTestFinished } from "vitest";
import { stepsNow } from "@/lib/postgres/migrate";
import { migrationsOfRelease } from "@/lib/postgres/schema-version";
import { databaseOf } from "@/lib/postgres/testing-cluster";
import { linesOf } from "./commands/migrate";
import { runBank } from "./testing";

it("applies what is pending, once, and says beforehand what it is", async () => {
  const admin = postgres(inject("databaseUrl"), { max: 1 });
  const name = `test_${randomBytes(8).toString("hex")}`;
  await admin`create database ${admin(name)}`;
  onTestFinished(async () => {
    await admin`drop database ${admin(name)} with (force)`;
    await admin.end();
  });
  const DATABASE_URL = databaseOf(inject("databaseUrl"), name);
  const bank = (...args: string[]) =>
    runBank(["migrate", ...args], { DATABASE_URL, MIGRATION_DATABASE_URL: "" });
  expect((await bank("--check")).stdout).toMatch(/^to apply {2}0000_initial\n/);
  expect((await bank()).stdout).toMatch(/^applied {3}0000_initial\n/);
  expect(await bank("--contract")).toMatchObject({ code: 0 });
  expect((await bank("--check")).stdout).toBe("the database is up to date\n");
  const owner = { MIGRATION_DATABASE_URL: "postgres://owner@127.0.0.1:1/none" };
  const { stderr } = await runBank(["migrate", "--check"], { DATABASE_URL, ...owner });
  expect(stderr).toMatch(/^MIGRATION_DATABASE_URL: .*ECONNREFUSED/);
  expect((await runBank(["migrate"], { DATABASE_URL: "" })).stderr).toMatch(/^DATABASE_URL: /);
});

it("names the contract step that waits, what comes after it, and how both are applied", () => {
  const [step] = migrationsOfRelease();
  if (step === undefined) throw new Error("there are no migrations");
  const pending = [
    { ...step, tag: "0001_expand" },
    { ...step, tag: "0002_contract", isContract: true },
    { ...step, tag: "0003_later" },
  ];
  expect(linesOf("to apply", stepsNow(pending, true)).split("\n")).toEqual([
    "to apply  0001_expand",
    "waits     0002_contract (contract)",
    "waits     0003_later",
    "What waits: migrate --contract, when no server of an earlier release runs.",
  ]);
  const [, second] = linesOf("to apply", stepsNow(pending, false)).split("\n");
  expect(second).toBe("to apply  0002_contract (contract)");
});
