import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { PsuId } from "@/lib/domain/values";
import { listEvents } from "@/lib/postgres/events";
import { testDatabase } from "@/lib/postgres/testing";
import { operator } from "./operator";
import { runBank } from "./testing";

it("events export --customer records customer-viewed with its operator", async () => {
  const database = await testDatabase();
  onTestFinished(() => database.close());
  const env = { DATABASE_URL: database.url, DATA_DIR: path.join(tmpdir(), "drawbridge-nowhere") };
  const psuId = "C-17" as PsuId;
  const span = ["--from", "2026-01-01T00:00:00Z", "--to", "2999-01-01T00:00:00Z"];
  const asked = ["events", "export", ...span, "--customer", psuId];
  expect(await runBank(asked, env)).toMatchObject({ code: 0 });
  const [event] = await listEvents(database.db, { kind: "customer-viewed", psuId }, { limit: 9 });
  expect(event?.line).toContain(`"actor":"${operator()}","detail":{"what": "events export"}`);
});
