import { gzipSync } from "node:zlib";
import type { Page, Request } from "@playwright/test";

/** What the bank's pages load, and what their policy stops. */
export function watched(page: Page, webUrl: string) {
  const complaints: string[] = [];
  const elsewhere: string[] = [];
  /** By document, in the order in which they were opened. */
  const scripts: string[][] = [];

  // The browser itself says here what a policy has stopped, with JavaScript and without.
  page.on("console", (message) => {
    const isOurs = message.location().url.startsWith(webUrl);
    const isPolicy = message.text().includes("Content Security Policy");
    if ((isOurs && message.type() === "error") || isPolicy) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (isPage(request)) scripts.push([]);
    else if (!request.url().startsWith(webUrl) && isOnOurs(request)) elsewhere.push(request.url());
    if (request.resourceType() === "script") scripts.at(-1)?.push(request.url());
  });

  const isPage = (request: Request) =>
    request.isNavigationRequest() && request.frame() === page.mainFrame();
  const isOnOurs = (request: Request) =>
    request.frame().url().startsWith(webUrl) && !request.url().startsWith("data:");

  return {
    complaints,
    elsewhere,
    /** The most JavaScript that one page was sent, in bytes gzipped. */
    heaviestScripts: async () => {
      const sizes = scripts.map((urls) => Promise.all(urls.map(gzipped)));
      const sums = (await Promise.all(sizes)).map((all) => all.reduce((sum, one) => sum + one, 0));
      return Math.max(...sums);
    },
  };
}

async function gzipped(url: string): Promise<number> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
  return gzipSync(Buffer.from(await answer.arrayBuffer())).byteLength;
}
