import { expect, it } from "vitest";
import { withMistake } from "@/e2e/harness/core-bank-mistakes";
import { startExample } from "@/e2e/harness/example-core-bank";
import { areAll } from "@/lib/testing-inputs";
import { run } from "./run";

/** npm run test:campaigns has 100,000, and all rules: in `npm test` core-bank.test.ts has them, with 250. */
const { CORE_BANK_ENTRIES = "1000" } = process.env;

const many = {
  edits: [
    ['("A-1", 250)', `("A-1", ${CORE_BANK_ENTRIES})`],
    ['10000, "Salary"', '10000000, "Salary"'],
  ],
} as const;

it(`the example with an account of ${CORE_BANK_ENTRIES} entries keeps every rule`, async () => {
  const core = await startExample(withMistake(many));
  try {
    const asking = ["core-bank", "check", core.url, "--customer", "C-1", "--customer", "C-2"];
    const more = ["--pay", "--entries", CORE_BANK_ENTRIES, "--patience", "20"];
    const pages = areAll ? [] : ["--only", "pages"];
    const { output, errors } = await run([...asking, ...more, ...pages]);
    expect(errors).toBe("");
    expect(output).toContain(`A-1: ${Number(CORE_BANK_ENTRIES) + 1}`);
    expect(output).toMatch(
      areAll ? /^\d+ kept, 0 broken, 2 not checked$/m : /^2 kept, 0 broken, 0 not/m,
    );
  } finally {
    await core.stop();
  }
}, 600_000);
