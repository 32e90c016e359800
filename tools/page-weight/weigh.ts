import { gzipSync } from "node:zlib";
import type { Page, Response } from "@playwright/test";

export type Weight = {
  readonly page: string;
  /** In bytes gzipped: the server leaves compression to the proxy before it. */
  readonly html: number;
  readonly styles: number;
  readonly scripts: number;
  /** In bytes, as they are: compressed already. */
  readonly fonts: number;
  readonly images: number;
  readonly requests: number;
  /** Milliseconds from request to the end of the HTML, over loopback. */
  readonly serverTimes: readonly number[];
  /** What came, or was to come, from another origin than the bank's. */
  readonly elsewhere: readonly string[];
};

const WARM_UP = 5;
const REQUESTS = 20;

/** The page that is open, loaded once more by a browser that has been sent nothing of it. */
export async function weigh(opened: Page, name: string, webUrl: string): Promise<Weight> {
  const storageState = await opened.context().storageState();
  const context = await opened.context().browser()?.newContext({ storageState });
  if (context === undefined) throw new Error("no browser to open the page once more");
  const page = await context.newPage();
  const responses: Response[] = [];
  const elsewhere: string[] = [];
  page.on("response", (response) => responses.push(response));
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== "data:" && origin !== webUrl) elsewhere.push(request.url());
  });
  await stayOnPages(page);
  await page.goto(opened.url(), { waitUntil: "commit" });
  await page.waitForLoadState("networkidle");

  const loaded = responses.filter((one) => one.status() === 200);
  const sum = async (types: readonly string[], size: (body: Buffer) => number) => {
    const found = loaded.filter((one) => types.includes(one.request().resourceType()));
    const bodies = await Promise.all(found.map((one) => one.body()));
    return bodies.reduce((total, body) => total + size(body), 0);
  };
  const weight = {
    page: name,
    html: await sum(["document"], gzipped),
    styles: await sum(["stylesheet"], gzipped),
    scripts: await sum(["script"], gzipped),
    fonts: await sum(["font"], asTheyAre),
    // The page's own icon is loaded as something else.
    images: await sum(["image", "other"], asTheyAre),
    requests: loaded.length,
    serverTimes: await serverTimes(page),
    elsewhere,
  };
  await context.close();
  return weight;
}

/** The last page leads on by itself: what it leads to is answered with nothing. */
export async function stayOnPages(page: Page): Promise<void> {
  await page.route("**/auth/*", (route) => route.fulfill({ status: 204 }));
}

const gzipped = (body: Buffer) => gzipSync(body).byteLength;
const asTheyAre = (body: Buffer) => body.byteLength;

async function serverTimes(page: Page): Promise<readonly number[]> {
  const cookies = await page.context().cookies(page.url());
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const times: number[] = [];
  for (let requests = 0; requests < WARM_UP + REQUESTS; requests += 1) {
    const start = performance.now();
    const answer = await fetch(page.url(), { headers: { cookie }, redirect: "manual" });
    await answer.arrayBuffer();
    times.push(performance.now() - start);
    if (answer.status !== 200) throw new Error(`${page.url()} answers ${answer.status}`);
  }
  return times.slice(WARM_UP);
}
