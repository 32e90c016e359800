import { expect, it } from "vitest";
import { withMistake } from "@/e2e/harness/core-bank-mistakes";
import { startExample } from "@/e2e/harness/example-core-bank";
import { run } from "./run";

/** npm run test:campaigns has 100,000. */
const { CORE_BANK_ENTRIES = "1000" } = process.env;

const many = {
  edits: [
    ['"RON", 250)', `"RON", ${CORE_BANK_ENTRIES})`],
    ['Decimal("10000"), "Salary"', 'Decimal("10000000"), "Salary"'],
  ],
} as const;

it(`the example with an account of ${CORE_BANK_ENTRIES} entries keeps every rule`, async () => {
  const core = await startExample(withMistake(many));
  try {
    const asking = ["core-bank", "check", core.url, "--customer", "C-1", "--customer", "C-2"];
    const more = ["--pay", "--entries", CORE_BANK_ENTRIES, "--patience", "20"];
    const { output, errors } = await run([...asking, ...more]);
    expect(errors).toBe("");
    expect(output).toContain(`A-1: ${Number(CORE_BANK_ENTRIES) + 1}`);
    expect(output).toMatch(/^\d+ kept, 0 broken, 1 not checked$/m);
  } finally {
    await core.stop();
  }
}, 600_000);
