import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";

const folder = path.join(import.meta.dirname, "../deploy/observability");
const textOf = (file: string) => readFileSync(path.join(folder, file), "utf8");
const sources = ["metrics.ts", "server/metrics.ts"]
  .map((file) => readFileSync(path.join(import.meta.dirname, "../lib", file), "utf8"))
  .join("\n");

it.each(["alerts.yaml", "dashboard.json"])("%s asks for metrics that the server has", (file) => {
  const asked = new Set(textOf(file).match(/\bdrawbridge_[a-z_]+/g));
  expect(asked.size).toBeGreaterThan(8);
  const missing = [...asked].filter((name) => {
    return !sources.includes(`"${name.replace(/_(bucket|count|sum)$/, "")}"`);
  });
  expect(missing).toEqual([]);
});

it("the dashboard and the alerts together show each metric of the server, and of Node only the server's", () => {
  const shown = textOf("alerts.yaml") + textOf("dashboard.json");
  const names = sources.match(/(?<=")drawbridge_[a-z_]+(?=")/g) ?? [];
  expect(names.filter((name) => !new RegExp(`${name}(_bucket|_count)?\\b`).test(shown))).toEqual(
    [],
  );
  const ofNode = shown.match(/\b(nodejs|process)_\w+(\{job=)?/g) ?? [];
  expect(ofNode.filter((asked) => !asked.endsWith("{job="))).toEqual([]);
});

const rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          labels: z.object({ severity: z.enum(["page", "ticket"]) }),
          annotations: z.object({ summary: z.string(), what_to_do: z.string() }),
        }),
      ),
    }),
  ),
});

it("every alert says what to do, and has a test in which it fires", () => {
  const { groups } = rules.parse(parse(textOf("alerts.yaml")));
  const tests = textOf("alerts.test.yaml");
  const untested = groups
    .flatMap((group) => group.rules)
    .filter(({ alert }) => !tests.includes(`"${alert}"`) && !tests.includes(`${alert}\n`));
  expect(untested).toEqual([]);
});
