import { describe, expect, it } from "vitest";
import { writingRules as rules } from "./writing-rules";

type Example = readonly [rule: keyof typeof rules, path: string, text: string];

const route = "app/(xs2a)/open-banking/v1/route.ts";
const lines = (count: number) => Array.from({ length: count }, () => "// line").join("\n");
const outside = ["..", "shared", "standard"].join("/");
const unfinished = ["TO", "DO"].join("");

const findings: readonly Example[] = [
  ["routesAreDeclarations", route, "export const a = await b();"],
  ["routesAreDeclarations", route, "export function a() { if (b) c(); }"],
  ["routesAreDeclarations", route, lines(46)],
  ["routesAreDeclarations", "app/(xs2a)/route.ts", lines(46)],
  ["filesAreShort", "lib/domain/a.ts", lines(601)],
  ["filesAreShort", "components/a.tsx", lines(601)],
  ["typesAreExact", "lib/a.ts", "let a: any;"],
  ["typesAreExact", "lib/a.ts", "const a = b as any;"],
  ["typesAreExact", "lib/a.ts", "enum A { B }"],
  ["functionsAreNotAssigned", "lib/a.ts", "response.end = () => end();"],
  ["functionsAreNotAssigned", "lib/a.ts", "response[name] = async function () {};"],
  ["functionsAreNotAssigned", "lib/a.ts", "query.end ??= (() => end());"],
  ["classesAreErrors", "lib/a.ts", "class A {}"],
  ["classesAreErrors", "lib/a.ts", "const A = class extends B {};"],
  ["timeIsHandedOver", "lib/a.ts", "const a = Date.now();"],
  ["timeIsHandedOver", "lib/a.ts", "const a = new Date();"],
  ["timeIsHandedOver", "app/page.tsx", "const a = <p>{Date()}</p>;"],
  ["nothingBeforeTheRoute", "proxy.ts", ""],
  ["nothingBeforeTheRoute", "app/middleware.ts", ""],
  ["standsAlone", "docs/a.md", `see ${outside}`],
  ["standsAlone", "lib/a.test.ts", `readFileSync("${outside}")`],
  ["nothingUnfinished", "README.md", `${unfinished}: write this`],
];

const well: readonly Example[] = [
  ["routesAreDeclarations", route, lines(45)],
  ["routesAreDeclarations", route, `export const { GET } = resource({ note: "await if" });`],
  ["routesAreDeclarations", "app/(oauth)/token/route.ts", "export const a = await b();"],
  ["filesAreShort", "lib/domain/a.ts", lines(600)],
  ["typesAreExact", "lib/a.ts", `type A = "any"; // any enum`],
  [
    "functionsAreNotAssigned",
    "lib/a.ts",
    "let end; end = () => 1; Object.assign(response, { end });",
  ],
  ["functionsAreNotAssigned", "lib/a.ts", "response.end = end;"],
  ["classesAreErrors", "lib/a.ts", "class A extends Error {}"],
  ["classesAreErrors", "lib/a.ts", "class A extends Rejection {}"],
  ["timeIsHandedOver", "lib/a.ts", "const a = new Date(0);"],
  ["timeIsHandedOver", "lib/system-clock.ts", "const a = new Date();"],
  ["timeIsHandedOver", "lib/a.test.ts", "const a = new Date();"],
  ["nothingBeforeTheRoute", "lib/xs2a/proxies.ts", ""],
  ["standsAlone", "e2e/a.ts", `if (existsSync("${outside}")) b();`],
  ["nothingUnfinished", "README.md", "mastodon"],
];

describe.each(Object.keys(rules) as (keyof typeof rules)[])("%s", (name) => {
  const of = (examples: readonly Example[]) => examples.filter(([rule]) => rule === name);

  it.each(of(findings))("finds (%s) in %s: %s", (_name, path, text) => {
    expect(rules[name]({ path, text })).toHaveLength(1);
  });

  it.each(of(well))("is content (%s) with %s: %s", (_name, path, text) => {
    expect(rules[name]({ path, text })).toEqual([]);
  });

  it("has an example of what it forbids", () => {
    expect(of(findings).length).toBeGreaterThan(0);
  });
});
