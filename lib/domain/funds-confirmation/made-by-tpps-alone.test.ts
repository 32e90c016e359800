import { expect, it } from "vitest";
import { sourceFiles } from "@/tools/source-files";

it("only the TPP's endpoint makes a funds consent, and nothing in the bank's own channels does", () => {
  const makers = sourceFiles(/\.tsx?$/)
    .filter(({ path }) => !/\.(test|spec)\.|\/testing[/.-]/.test(path))
    .filter(({ text }) => /create-funds-consent"|fundsConsents\.insert\(/.test(text))
    .map(({ path }) => path);
  expect(makers.sort()).toEqual([
    "app/(xs2a)/open-banking/v3.1/cbpii/v2/consents/confirmation-of-funds/route.ts",
    "lib/domain/funds-confirmation/create-funds-consent.ts",
  ]);
});
