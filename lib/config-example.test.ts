import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { settingNames } from "./config";

it("every setting is in .env.example, and nothing else is", () => {
  const text = readFileSync(".env.example", "utf8");
  const named = [...text.matchAll(/^#([A-Z0-9_]+)=/gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(settingNames.toSorted());
});
