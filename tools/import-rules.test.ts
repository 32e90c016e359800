import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "./source-files";

const forbidden = [
  ["lib/domain/errors.ts", "node:fs"],
  ["lib/domain/values.ts", "../postgres/client"],
  ["lib/domain/consents.ts", "@/lib/config"],
  ["lib/eidas/asn1.ts", "@/lib/postgres/client"],
  ["lib/outbound/guarded-fetch.ts", "@/lib/domain/testing/samples"],
  ["lib/postgres/client.ts", "@/lib/xs2a/pipeline"],
  ["lib/core-bank/ledger/accounts.ts", "../../postgres/client"],
  ["lib/oauth/provider.ts", "@/lib/psu/request"],
  ["lib/oauth/tokens.ts", "@/lib/services"],
  ["lib/xs2a/pipeline.ts", "@/lib/core-bank/ledger/accounts"],
  ["lib/psu/request.ts", "drizzle-orm/pg-core"],
  ["lib/staff/sign-in.ts", "@/lib/sandbox/demo-operators"],
  ["lib/server/listeners.ts", "postgres"],
  ["lib/sandbox/clock.ts", "@/lib/postgres/client"],
  ["lib/workshop/explain.ts", "@/lib/server/health"],
  ["components/table.tsx", "@/lib/xs2a/pipeline"],
  ["app/(psu)/page.tsx", "@/lib/postgres/client"],
  ["app/(xs2a)/route.ts", "@/drizzle/schema/ledger"],
  ["lib/postgres/payments.ts", "@/drizzle/schema/ledger"],
  ["lib/postgres/funds.test.ts", "@/drizzle/schema/ledger/accounts"],
  ["lib/sandbox/demo-bank.ts", "../../drizzle/schema/ledger/accounts"],
  ["drizzle/schema/drawbridge/payments.ts", "../ledger/accounts"],
  ["cli/bank/commands/import.ts", "@/drizzle/schema/ledger"],
  ["cli/bank/camt053/read-statements.ts", "@/drizzle/schema/ledger"],
  ["cli/bank/run.ts", "left-pad"],
] as const;

const allowed = [
  ["lib/core-bank/ledger/balances.ts", "../../../drizzle/schema/ledger/accounts"],
  ["lib/core-bank/ledger/balances.test.ts", "@/drizzle/schema/ledger/accounts"],
  ["lib/core-bank/ledger/psu-directory.ts", "@/drizzle/schema/drawbridge"],
  ["lib/postgres/consents.ts", "@/drizzle/schema/drawbridge"],
  ["lib/domain/funds.ts", "./values"],
  ["lib/oauth/access.ts", "@/lib/domain/values"],
  ["lib/psu/page.ts", "next/server"],
  ["lib/services.ts", "@/lib/postgres/client"],
  ["lib/staff/visit.ts", "@/lib/psu/session"],
  ["lib/xs2a/token.test.ts", "@/lib/postgres/client"],
] as const;

/** They stand in biome.json, where of two overrides for a file only the later one holds. */
it("X10: nothing is imported that its place, or package.json, does not name", () => {
  const folder = mkdtempSync(join(tmpdir(), "drawbridge-imports-"));
  try {
    for (const name of ["biome.json", "package.json"]) {
      copyFileSync(join(ROOT, name), join(folder, name));
    }
    for (const [path, specifier] of [...forbidden, ...allowed]) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), `export { planted } from "${specifier}";\n`);
    }
    const biome = join(ROOT, "node_modules/.bin/biome");
    const args = ["lint", "--vcs-enabled=false", "--max-diagnostics=none"];
    const { stdout, stderr } = spawnSync(biome, args, { cwd: folder, encoding: "utf8" });
    const reported = new Set(`${stdout}${stderr}`.match(/^\S+\.tsx?(?=:\d)/gm));
    expect([...reported].toSorted()).toEqual(forbidden.map(([path]) => path).toSorted());
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Types are counted: who changes an endpoint has to know them, too. */
it("an endpoint can be understood from at most 90 files: its route file imports no composition root", () => {
  const accounts = "app/(xs2a)/open-banking/v3.1/aisp/v1/accounts/route.ts";
  const files = [...importedBy(accounts)];
  expect(files).toContain("lib/xs2a/pipeline.ts");
  expect(files).not.toContain("lib/services.ts");
  expect(files.length, files.toSorted().join("\n")).toBeLessThanOrEqual(90);
});

/** Every file of the project that a file imports, itself or through others; a dynamic import is not followed. */
function importedBy(file: string, found = new Set<string>()): ReadonlySet<string> {
  const text = readFileSync(join(ROOT, file), "utf8");
  for (const [, specifier = ""] of text.matchAll(/^(?:import|export)\b[^;]*?"([^"]+)";$/gm)) {
    const isOwn = /^(@\/|\.)/.test(specifier) && !specifier.endsWith(".json");
    const base = specifier.replace(/^@\//, "").replace(/^\./, `${dirname(file)}/.`);
    const path = [".ts", ".tsx", "/index.ts"].map((ending) => join(`${base}${ending}`));
    const imported = path.find((name) => existsSync(join(ROOT, name)));
    if (isOwn && imported === undefined) throw new Error(`${file} imports ${specifier}`);
    if (imported === undefined || found.has(imported)) continue;
    importedBy(imported, found.add(imported));
  }
  return found;
}
