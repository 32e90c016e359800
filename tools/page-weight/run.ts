import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { chromiumArguments, chromiumPath } from "@/e2e/harness/chromium";
import { freshSettings, type ServerSettings, startServer } from "@/e2e/harness/server";
import { testTpp } from "@/e2e/harness/test-tpp";
import { visitPages } from "./pages";
import { faults, table } from "./table";
import { stayOnPages, type Weight, weigh } from "./weigh";

/** What the PSU's browser is sent for each page, and how long the server takes for it. */
async function run(): Promise<readonly Weight[]> {
  console.log("Starting a bank with data of its own; a build comes first when there is none.");
  const dataDir = await mkdtemp(join(tmpdir(), "drawbridge-weight-"));
  try {
    const bank = await freshSettings(dataDir);
    const server = await startServer(bank);
    try {
      return await weights(bank);
    } finally {
      await server.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function weights(bank: ServerSettings): Promise<readonly Weight[]> {
  const browser = await chromium.launch({
    args: chromiumArguments(),
    executablePath: chromiumPath(),
  });
  const tpp = await testTpp({ bank });
  const page = await browser.newPage({ locale: "en-GB" });
  await stayOnPages(page);
  const found: Weight[] = [];
  const { webUrl } = bank;
  try {
    await visitPages({
      ...{ page, webUrl, tpp },
      weigh: async (name) => void found.push(await weigh(page, name, webUrl)),
    });
    return found;
  } finally {
    await tpp.close();
    await browser.close();
  }
}

const found = await run();
console.log(`\n${table(found)}\n`);
const processor = cpus()[0]?.model.trim() ?? "unknown processor";
const day = new Date().toISOString().slice(0, 10);
console.log(`${availableParallelism()} cores (${processor}), Node ${process.version}, ${day}`);
console.log(
  "HTML, CSS and JS gzipped; server: the median of 20 requests for the HTML, one by one.",
);
for (const fault of faults(found)) {
  console.error(fault);
  process.exitCode = 1;
}
