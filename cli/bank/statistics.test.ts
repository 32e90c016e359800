import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { IsoDate } from "@/lib/domain/values";
import { interfaceFigures } from "@/lib/postgres/interface-figures";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { runBank } from "./testing";

const HEAD = "channel,day,planned downtime %,unplanned downtime %,accounts ms,payments ms,errors %";

let database: TestDatabase;
let file: string;
beforeAll(async () => {
  database = await testDatabase();
  file = path.join(await mkdtemp(path.join(tmpdir(), "drawbridge-statistics-")), "app.csv");
});
afterAll(async () => {
  await database.close();
  await rm(path.dirname(file), { recursive: true });
});

async function channel(text: string) {
  await writeFile(file, text);
  const DATA_DIR = path.join(tmpdir(), "drawbridge-nowhere");
  return runBank(["statistics", "channel", file], { DATABASE_URL: database.url, DATA_DIR });
}
const kept = () =>
  interfaceFigures(database.db).channelDays("2026-11-01" as IsoDate, "2026-11-30" as IsoDate);

describe("npm run bank -- statistics channel", () => {
  it("takes each day below the head, also of a spreadsheet's file; times and errors may be empty", async () => {
    const lines = [HEAD, "app,2026-11-20,0,1.5,120,,0.1", "", "app, 2026-11-21, 0.5, 0, , 200.5,"];
    const text = `\uFEFF${lines.join("\r\n")}\r\n`;
    expect(await channel(text)).toEqual({ code: 0, stdout: "2 days taken\n", stderr: "" });
    const days = { channel: "app", plannedDowntime: 0, unplannedDowntime: 0 };
    expect(await kept()).toEqual([
      {
        ...{ ...days, day: "2026-11-20", unplannedDowntime: 0.015 },
        ...{ accountsMilliseconds: 120, errors: 0.001 },
      },
      { ...days, day: "2026-11-21", plannedDowntime: 0.005, paymentsMilliseconds: 200.5 },
    ]);
    await channel(`${HEAD}\napp,2026-11-20,0,0,,,\n`);
    expect((await kept())[0]).toEqual({ ...days, day: "2026-11-20" });
  });

  const day = "app,2026-11-22,0,0,,,";
  const [first, ...others] = HEAD.split(",");
  it.each<[string, readonly string[], string]>([
    ["without the head", [day, "app,2026-11-23,0,0,,,"], `has to begin with ${HEAD}`],
    ["with a head in another order", [[...others, first].join(), day], "has to begin with"],
    ["that is empty", [], "has to begin with"],
    ["with the head alone", [HEAD], "has no line below its head"],
    ["with an empty downtime", [HEAD, day, "", "app,2026-11-23,,0,,,"], "line 4: 2 "],
    ["with a blank downtime", [HEAD, "app,2026-11-23,0, ,,,"], "line 2: 3 "],
    ["with a downtime that is no number", [HEAD, "app,2026-11-23,0,none,,,"], "line 2: 3 "],
    ["with a day that is given twice", [HEAD, day, day], "line 3: app 2026-11-22 is given twice"],
    ["with a channel that has no name", [HEAD, " ,2026-11-23,0,0,,,"], "line 2: 0 "],
  ])("a file %s is refused whole", async (_what, lines, reason) => {
    const before = await kept();
    const ended = await channel(lines.join("\n"));
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toContain(reason);
    expect(ended.stderr).not.toContain("    at ");
    expect(await kept()).toEqual(before);
  });
});
