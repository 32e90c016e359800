import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "@/cli/bank/run";
import { freshSettings, startServer } from "./harness/server";
import { expect, test } from "./harness/test";
import { testTpp } from "./harness/test-tpp";

/** Of one day, or of two that the bank's midnight lies between. */
const PUBLISHED = /^(\d{4}-\d\d-\d\d,100\.000,0\.000,(\d+\.\d)?,(\d+\.\d)?,,0\.000,\d+\n?)+$/;

test("RTS 32(4): what a bank publishes of its interface stands in its server's log", async ({
  observe,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-request-log-"));
  const bank = { ...(await freshSettings(folder)), shared: { REQUEST_LOG: "true" } };
  const server = await startServer(bank);
  const tpp = await testTpp({ bank, onExchange: observe });
  try {
    await tpp.ask();
    await tpp.askToPay();
    await expect.poll(server.output).toContain('"service":"pisp"');

    const log = join(folder, "log");
    await writeFile(log, server.output());
    const { exitCode, output, errors } = await run(["performance", log]);
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: "" });
    const days = output.slice(output.indexOf("\n") + 1);
    expect(days).toMatch(PUBLISHED);
    expect(days).toMatch(/\.000,\d+\.\d,/);
  } finally {
    await tpp.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
