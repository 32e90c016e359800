import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { PsuId } from "@/lib/domain/values";
import { listEvents } from "@/lib/postgres/events";
import { testDatabase } from "@/lib/postgres/testing";
import { operator } from "./operator";
import { runBank } from "./testing";

const span = ["--from", "2026-01-01T00:00:00Z", "--to", "2999-01-01T00:00:00Z"];

it("events hold takes a consent's or payment's id in capital letters, and holds what events call by it", async () => {
  const database = await testDatabase();
  onTestFinished(() => database.close());
  const env = { DATABASE_URL: database.url, DATA_DIR: path.join(tmpdir(), "drawbridge-nowhere") };
  const id = "3DC3D5B3-7023-4848-9853-F5400A64E80F";
  const held = await runBank(["events", "hold", "--resource", id, "--reason", "a claim"], env);
  expect(held).toMatchObject({ code: 0, stderr: "" });
  const [hold] = await database.sql`select subject, placed_by from legal_hold`;
  expect(hold).toEqual({ subject: id.toLowerCase(), placed_by: operator() });
});

it.each<[string, readonly string[], string]>([
  [
    "hold --resource that is no UUID",
    ["hold", "--resource", "4711", "--reason", "a"],
    "--resource",
  ],
  ["hold --tpp that no certificate has", ["hold", "--tpp", "4711", "--reason", "a"], "--tpp 4711"],
  ["hold --customer that is empty", ["hold", "--customer", "", "--reason", "a"], "hold needs"],
  ["hold --reason of two lines", ["hold", "--customer", "C-17", "--reason", "a\nb"], "--reason"],
  ["hold without a --reason", ["hold", "--customer", "C-17"], "hold needs"],
  ["export --tpp that no certificate has", ["export", ...span, "--tpp", "4711"], "--tpp 4711"],
  ["export --resource that is no UUID", ["export", ...span, "--resource", "4711"], "--resource"],
])("events %s is refused before the database is looked for", async (_what, args, reason) => {
  const ended = await runBank(["events", ...args], { DATABASE_URL: "postgres://127.0.0.1:1/x" });
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
});

it("events export --customer records customer-viewed with its operator", async () => {
  const database = await testDatabase();
  onTestFinished(() => database.close());
  const env = { DATABASE_URL: database.url, DATA_DIR: path.join(tmpdir(), "drawbridge-nowhere") };
  const psuId = "C-17" as PsuId;
  const asked = ["events", "export", ...span, "--customer", psuId];
  expect(await runBank(asked, env)).toMatchObject({ code: 0 });
  const [event] = await listEvents(database.db, { kind: "customer-viewed", psuId }, { limit: 9 });
  expect(event?.line).toContain(`"actor":"${operator()}","detail":{"what": "events export"}`);
});
