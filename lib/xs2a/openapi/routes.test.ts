import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { routes } from "@/app/(xs2a)/routes";

const ROOT = join(import.meta.dirname, "../../..");
const DOOR = "app/(xs2a)/";

/** The folders that have a route, without those that answer for whatever is not there. */
const files = readdirSync(join(ROOT, DOOR, "open-banking"), { recursive: true })
  .map((name) => `open-banking/${String(name)}`)
  .filter((name) => name.endsWith("/route.ts") && !name.includes("[..."));

describe("the table of routes", () => {
  it("has every folder, under its path", () => {
    const paths = files.map(pathOf);
    expect(Object.keys(routes).toSorted()).toEqual(paths.toSorted());
    expect(paths.length).toBeGreaterThan(9);
  });

  it.each(files)("has the handlers of %s", async (file) => {
    const route = (await import(join(ROOT, DOOR, file))) as Readonly<Record<string, unknown>>;
    expect({ ...routes[pathOf(file)] }).toEqual({ ...route });
  });
});

function pathOf(file: string): string {
  return `/${file.replace(/\/route\.ts$/, "").replace(/\[(\w+)\]/g, "{$1}")}`;
}
