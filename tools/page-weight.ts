import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium, type Page, type Response } from "@playwright/test";
import { table } from "@/cli/tpp/table";
import { askForFunds } from "@/e2e/harness/asking-for-funds";
import { staysBefore } from "@/e2e/harness/camera";
import { chromiumArguments, chromiumPath } from "@/e2e/harness/chromium";
import { ownChannelAt } from "@/e2e/harness/own-channel";
import { psuAt } from "@/e2e/harness/psu";
import { freshSettings, startServer } from "@/e2e/harness/server";
import { type TestTpp, testTpp } from "@/e2e/harness/test-tpp";

/** `npm run weight`: what a browser that has nothing yet is sent for each of the PSU's pages, and how long it takes. */
const WARM_UP = 5;
const REQUESTS = 20;
const SCRIPTS_AT_MOST_KB = 100;
const columns = ["HTML KB", "CSS KB", "JS KB", "fonts KB", "images KB", "requests", "server ms"];

const rows: string[][] = [];
const dataDir = await mkdtemp(join(tmpdir(), "drawbridge-weight-"));
const bank = await freshSettings(dataDir);
const server = await startServer(bank);
try {
  const browser = await chromium.launch({
    args: chromiumArguments(),
    executablePath: chromiumPath(),
  });
  const page = await browser.newPage({ locale: "en-GB" });
  await staysBefore(page);
  const tpp = await testTpp({ bank });
  await visitPages(page, tpp, async (name) => void rows.push([name, ...(await weigh(page))]));
  await tpp.close();
  await browser.close();
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
const numbers = columns.map((heading) => ({ heading, align: "right" }) as const);
console.log(table([{ heading: "page" }, ...numbers], rows));
console.log(
  `HTML, CSS and JS gzipped; server: the median of ${REQUESTS} requests for the HTML, one by one.`,
);
const today = new Date().toISOString().slice(0, 10);
console.log(
  `${availableParallelism()} cores (${cpus()[0]?.model}), Node ${process.version}, ${today}`,
);

/** The page that is open, loaded once more by a browser that has been sent nothing of it. */
async function weigh(opened: Page): Promise<readonly string[]> {
  const storageState = await opened.context().storageState();
  const context = await opened.context().browser()?.newContext({ storageState });
  if (context === undefined) throw new Error("no browser to open the page once more");
  const page = await context.newPage();
  const responses: Response[] = [];
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== "data:" && origin !== bank.webUrl) fail(`${request.url()} is not the bank's`);
  });
  page.on("response", (response) => responses.push(response));
  await staysBefore(page);
  await page.goto(opened.url(), { waitUntil: "commit" });
  await page.waitForLoadState("networkidle");

  const loaded = responses.filter((one) => one.status() === 200);
  const kilobytes = async (types: readonly string[], size: (body: Buffer) => number) => {
    const found = loaded.filter((one) => types.includes(one.request().resourceType()));
    const bodies = await Promise.all(found.map((one) => one.body()));
    return (bodies.reduce((total, body) => total + size(body), 0) / 1_000).toFixed(1);
  };
  const gzipped = (body: Buffer) => gzipSync(body).byteLength;
  const asItIs = (body: Buffer) => body.byteLength;
  const weights = [
    await kilobytes(["document"], gzipped),
    await kilobytes(["stylesheet"], gzipped),
    await kilobytes(["script"], gzipped),
    await kilobytes(["font"], asItIs),
    // The page's own icon is loaded as something else.
    await kilobytes(["image", "other"], asItIs),
  ];
  if (Number(weights[2]) >= SCRIPTS_AT_MOST_KB) fail(`${weights[2]} KB of JavaScript`);
  const milliseconds = await serverTime(page);
  await context.close();
  return [...weights, String(loaded.length), milliseconds.toFixed(1)];
}

function fail(why: string): void {
  console.error(why);
  process.exitCode = 1;
}

async function serverTime(page: Page): Promise<number> {
  const cookies = await page.context().cookies(page.url());
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const times: number[] = [];
  for (let requests = 0; requests < WARM_UP + REQUESTS; requests += 1) {
    const start = performance.now();
    const answer = await fetch(page.url(), { headers: { cookie }, redirect: "manual" });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${page.url()} answers ${answer.status}`);
    times.push(performance.now() - start);
  }
  return times.slice(WARM_UP).toSorted((a, b) => a - b)[REQUESTS / 2] ?? 0;
}

/** Each page from the TPP and back, and of the bank's own channel; `ana` goes to all of them. */
async function visitPages(page: Page, tpp: TestTpp, weighed: (name: string) => Promise<void>) {
  const { webUrl } = bank;
  const psu = psuAt(page, webUrl);
  const { consentId, request } = await tpp.ask();
  await psu.open(request.url);
  await weighed("sign in");
  await psu.signIn("ana");
  await psu.fields.accounts.first().waitFor();
  await weighed("choose accounts");
  await psu.chooseAll();
  await weighed("confirm sharing");
  await psu.confirm(await psu.codeFor("ana", tpp.name));
  await page.waitForURL(/\/leaving\//, { waitUntil: "commit" });
  await weighed("back to the TPP");

  await psu.open((await tpp.askToPay()).request.url);
  await psu.signInToCode("ana");
  await weighed("confirm a payment");
  await psu.open((await askForFunds(tpp)).request.url);
  await psu.signInToCode("ana");
  await weighed("confirm a funds consent");
  await psu.open((await tpp.ask()).request.url);
  await psu.signIn("dan");
  await page.getByRole("heading", { name: /nothing to share/ }).waitFor();
  await weighed("nothing to share");

  const own = ownChannelAt(page, webUrl);
  const permission = `${webUrl}/permissions/accounts/${consentId}`;
  await page.goto(`${webUrl}/permissions`);
  await weighed("own channel: sign in");
  await own.typePassword("ana");
  await page.getByLabel("Code", { exact: true }).waitFor();
  await weighed("own channel: code");
  await page.getByLabel("Code", { exact: true }).fill(await own.code("ana"));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(`${webUrl}/permissions`);
  await weighed("permissions");
  await page.goto(permission);
  await weighed("one permission");
  await page.goto(`${permission}/revoke`);
  await weighed("end a permission");
  await page.goto(`${webUrl}/passkeys`);
  await weighed("passkeys");
}
