import { expect, it } from "vitest";
import { sourceFiles } from "./source-files";

const files = sourceFiles(/\.(tsx?|mjs|md|json|css|py|ya?ml)$/);

/** What Biome has no rule for: where it holds, and what must not be found there. */
it.each([
  [
    "an endpoint is a declaration of 45 lines: what it does stands in the pipeline",
    /^app\/\(xs2a\)\/(.+\/)?route\.ts$/,
    /\bawait\b|\bif \(|^(.*\n){46}/,
  ],
  [
    "a file has at most 600 lines, but for a language's texts and for tests",
    /^(?!lib\/psu\/texts\/)(?!.*\.(test|spec)\.).*\.tsx?$/,
    /^(.*\n){601}/,
  ],
  [
    "a class is an error",
    /\.tsx?$/,
    /^[^*"'`/\n]*\bclass (?!(\w+ )?extends (\w*Error|Rejection)\b)/m,
  ],
  [
    "time comes from the Clock: the machine's is read by the hosts and by what is no part of the bank",
    /^(?!lib\/(system-clock\.ts|psu\/browser\/|server\/)|cli\/tpp\/|clients\/|e2e\/|tools\/|.*(\.test\.|testing)).*\.tsx?$/,
    /\bDate\(\)|\bDate\.now\(\)/,
  ],
  [
    "no table but the embedded ledger's holds a password or a telephone number",
    /^drizzle\/schema\/(?!ledger\/).*\.ts$/,
    /\("[a-z_]*(password|phone|msisdn)[a-z_]*"/,
  ],
  [
    "an authority is read by lib/pem: Node takes an empty file of one for every public authority",
    /^lib\/.*\.ts$/,
    /readFile(Sync)?\((\w+\.)?(\w+_CA|ca|caFile)\b/,
  ],
  ["nothing runs before a route", /(^|\/)(middleware|proxy)\.tsx?$/, /^/],
  // Only a file that looks first may name what lies beside the project.
  ["the project stands alone", /^/, /^(?!.*existsSync\().*\.\.\/shared\b/s],
  ["nothing is left for later", /^/, /\b(T[O]DO|FIX[M]E)\b/],
])("%s", (_rule, where, forbidden) => {
  const found = files.filter(({ path, text }) => where.test(path) && forbidden.test(text));
  expect(found.map(({ path }) => path)).toEqual([]);
});
