import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { roleForPath } from "./role-for-path";

const door = join(import.meta.dirname, "../../app/(xs2a)");
const routes = readdirSync(door, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith("route.ts"))
  .flatMap((file) => {
    const text = readFileSync(join(door, file), "utf8");
    const path = `/${file.replace(/\/route\.ts$/, "").replace(/\[(\w+)\]/g, "$1")}`;
    return [...text.matchAll(/role: "(PSP_[A-Z]{2})"/g)].map(([, role]) => ({ path, role }));
  });

it("there are routes with a role", () => {
  expect(new Set(routes.map(({ role }) => role)).size).toBeGreaterThan(1);
});

it.each(routes)("$path is open to $role, as its route declares", ({ path, role }) => {
  expect(roleForPath(path)).toBe(role);
});

it.each([
  "/token",
  "/open-banking/v3.1/cards/v1/cards",
  "/open-banking/v3.1/aisp",
  "/open-banking/v3.1/constructor/v1",
])("%s is open to no role", (path) => {
  expect(roleForPath(path)).toBeUndefined();
});
