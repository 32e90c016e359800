import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { run } from "./run";

const zori = join(import.meta.dirname, "../../examples/profiles/banca-zori/bank.yaml");

it("npm run bank -- profile prints every value of a file, as a file has them, or its mistakes with their lines", async () => {
  const { exitCode, output } = await run(["profile", "--check", zori]);
  expect(exitCode).toBe(0);
  expect(parse(output)).toMatchObject({
    name: "Banca Zori",
    sca: { codeMinutes: 3, failedAttemptsMax: 5 },
    payments: { psuDayLimit: "10000.00 EUR" },
    ratesPerEuro: { RON: 5.12 },
    theme: ["theme.css", "logo.svg"],
  });

  const folder = await mkdtemp(join(tmpdir(), "drawbridge-profile-"));
  const file = join(folder, "bank.yaml");
  await writeFile(file, readFileSync(zori, "utf8").replace("codeMinutes: 3", "codeMinutes: soon"));
  const refused = await run(["profile", "--check", file]);
  await rm(folder, { recursive: true });
  expect(refused.exitCode).toBe(1);
  expect(refused.errors).toBe(
    `the profile is refused:\n${file}:26:3: sca.codeMinutes: expected a whole number from 1 to 5`,
  );
});
