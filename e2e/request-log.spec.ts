import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "@/cli/bank/run";
import { expect, test } from "./harness/test";

const RESULTS = join(import.meta.dirname, "../test-results");
/** Of one day, or of two that the bank's midnight lies between. */
const PUBLISHED = /^(\d{4}-\d\d-\d\d,100\.000,0\.000,(\d+\.\d)?,(\d+\.\d)?,,0\.000,\d+\n?)+$/;

test("RTS 32(4): what a bank publishes of its interface stands in its server's log", async ({
  observe,
  newTpp,
}) => {
  const ids: string[] = [];
  const tpp = await newTpp({
    onExchange: (exchange) => {
      observe(exchange);
      ids.push(String(exchange.reply.headers["x-request-id"]));
    },
  });
  await tpp.ask();
  await tpp.askToPay();
  await expect.poll(() => linesWith(ids)).toContain('"service":"pisp"');

  const folder = await mkdtemp(join(tmpdir(), "drawbridge-request-log-"));
  try {
    const file = join(folder, "log");
    await writeFile(file, await linesWith(ids));
    const { exitCode, output, errors } = await run(["performance", file]);
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: "" });
    const days = output.slice(output.indexOf("\n") + 1);
    expect(days).toMatch(PUBLISHED);
    expect(days).toMatch(/\.000,\d+\.\d,/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** Of the logs of all servers: others ask them meanwhile. */
async function linesWith(ids: readonly string[]): Promise<string> {
  const logs = (await readdir(RESULTS)).filter((name) => /^server-\d+\.log$/.test(name));
  const texts = await Promise.all(logs.map((name) => readFile(join(RESULTS, name), "utf8")));
  const lines = texts.join("").split("\n");
  return lines.filter((line) => ids.some((id) => line.includes(id))).join("\n");
}
