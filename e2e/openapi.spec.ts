import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { AISP, type Exchange, signed, text } from "@/clients/typescript/src";
import { type MessageCode, messageCodes } from "@/lib/domain/errors";
import { guideFiles, guidePath, isGuideName } from "@/lib/guides";
import { meaningOf } from "@/lib/xs2a/refusals";
import { contract } from "./harness/contract";
import { expect, test } from "./harness/test";

const CONSENTS = "/open-banking/v3.1/aisp/v1/consents";

/** An answer of the API host, made up. */
function answer(method: string, path: string, status: number, body: unknown): Exchange {
  return {
    request: { method, url: `https://bank.example${path}`, headers: {} },
    reply: {
      status,
      headers: {
        "content-type": "application/json",
        "x-request-id": randomUUID(),
        "x-fapi-interaction-id": randomUUID(),
      },
      body: Buffer.from(JSON.stringify(body)),
    },
  };
}

const refusal = (code: string) => ({
  tppMessages: [{ category: "ERROR", code, text: "not there" }],
});

test("the contract test finds whatever is not as the bank describes it", ({ api }) => {
  const faults = contract(api);
  const status = `${CONSENTS}/${randomUUID()}/status`;
  const fitting = [
    answer("GET", status, 403, refusal("CONSENT_UNKNOWN")),
    answer("PUT", status, 405, refusal("SERVICE_INVALID")),
    answer("GET", "/open-banking/nothing", 404, refusal("RESOURCE_UNKNOWN")),
    answer("GET", "/jwks", 200, {}),
  ];
  for (const exchange of fitting) expect(faults(exchange)).toEqual([]);
  const faulty = [
    answer("GET", status, 200, { consentStatus: "perhaps" }),
    answer("GET", status, 200, { consentStatus: "valid", more: 1 }),
    answer("GET", status, 404, refusal("RESOURCE_UNKNOWN")),
    answer("GET", status, 403, refusal("SERVICE_BLOCKED")),
    answer("GET", status, 403, refusal("CONSENT_LOST")),
    answer("PUT", status, 200, {}),
    answer("PUT", status, 405, { error: "no" }),
    answer("GET", "/open-banking/nothing", 200, {}),
    answer("POST", CONSENTS, 201, {}),
  ];
  for (const exchange of faulty) expect(faults(exchange)).not.toEqual([]);
});

test("openapi.json names this bank, and is no page of the browser's host", async ({
  api,
  bank,
  page,
}) => {
  expect(api).toMatchObject({ openapi: "3.1.0", servers: [{ url: bank.xs2aUrl }] });
  const { status, type } = await page.request.get(`${bank.webUrl}/openapi.json`).then((answer) => {
    return { status: answer.status(), type: answer.headers()["content-type"] };
  });
  expect(status).toBe(404);
  expect(type).toContain("text/html");
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("search finds guides, calls and codes by all of their words, and llms.txt names them", async ({
    page,
    bank,
  }) => {
    await page.goto(`${bank.webUrl}/docs`);
    await page.getByRole("searchbox", { name: "Search" }).fill("consent EXPIRED");
    await page.getByRole("button", { name: "Find" }).click();
    const results = page.getByRole("main").getByRole("listitem");
    await expect(results.first().getByRole("link")).toHaveText("CONSENT_EXPIRED");
    await page.getByRole("searchbox", { name: "Search" }).fill("X-Request-ID byte for byte");
    await page.getByRole("button", { name: "Find" }).click();
    await expect(
      results.getByRole("link", { name: "Payments and retries: No answer" }),
    ).toBeVisible();
    // What has changed comes after what there is, and each with the place where the word stands.
    await page.goto(`${bank.webUrl}/docs/search?q=verifyNotification`);
    await expect(results.last().getByRole("link")).toHaveText(/^Changelog/);
    for (const result of await results.all())
      await expect(result).toContainText("verifyNotification");
    await page.goto(`${bank.webUrl}/docs/search?q=${"zebra ".repeat(40)}<b>`);
    await expect(page.getByText("Nothing holds all of these words.")).toBeVisible();
    const names = await page.request.get(`${bank.webUrl}/llms.txt`);
    expect(names.headers()["content-type"]).toBe("text/plain; charset=utf-8");
    expect(await names.text()).toContain(`- [First call](${bank.webUrl}/docs/first-call)`);
  });

  test("the reference is all there", async ({ page, bank }) => {
    const answer = await page.goto(`${bank.webUrl}/docs/reference`);
    await expect(page.getByRole("cell", { name: "frequencyPerDay" }).first()).toBeVisible();
    expect(answer?.headers()["content-security-policy"]).not.toContain("unsafe-inline");
  });
});

test("the reference shows every call, and each of its links leads somewhere", async ({
  page,
  bank,
  api,
}) => {
  await page.goto(bank.webUrl);
  await page.getByRole("link", { name: "the API, call by call" }).click();
  const { paths } = api as { paths: Record<string, Record<string, { summary: string }>> };
  for (const [path, item] of Object.entries(paths)) {
    for (const { summary } of Object.values(item)) {
      await expect(page.getByRole("heading", { name: summary, exact: true })).toHaveCount(1);
    }
    await expect(page.getByText(path, { exact: true }).first()).toBeVisible();
  }
  const dead = await page.locator('a[href^="#"]').evaluateAll((links) => {
    const targets = links.map((link) => String(link.getAttribute("href")).slice(1));
    return targets.filter((id) => document.getElementById(id) === null);
  });
  expect(dead).toEqual([]);
});

test("a refusal links to the page of its code, and every code has a page", async ({
  page,
  bank,
  tpp,
}) => {
  const headers = signed(tpp.seal, Buffer.alloc(0), { "consent-id": randomUUID() });
  const url = `${bank.xs2aUrl}${AISP}/accounts`;
  const { body } = await tpp.http.send({ method: "GET", url, headers });
  const { _links } = JSON.parse(text(body));
  expect(_links).toEqual({ help: { href: `${bank.webUrl}/docs/errors/TOKEN_UNKNOWN` } });
  await page.goto(_links.help.href);
  await expect(page.getByText("No access token of this TPP was sent.")).toBeVisible();
  await expect(page.getByText("Send the access token of this resource")).toBeVisible();
  await page.goto(`${bank.webUrl}/docs/errors`);
  for (const code of Object.keys(messageCodes)) {
    const link = page.getByRole("link", { name: code, exact: true });
    const answer = await page.request.get(`${bank.webUrl}${await link.getAttribute("href")}`);
    expect([code, answer.status()]).toEqual([code, 200]);
    expect(await answer.text()).toContain(meaningOf[code as MessageCode].replaceAll("'", "&#x27;"));
  }
  expect((await page.request.get(`${bank.webUrl}/docs/errors/TIRED`)).status()).toBe(404);
});

test("each link of the guides leads to a page and a heading", async ({ page, bank }) => {
  const status = new Map<string, number>();
  for (const name of Object.keys(guideFiles).filter(isGuideName)) {
    await page.goto(bank.webUrl + guidePath(name));
    const links = await page.locator("main a").evaluateAll((found) =>
      (found as HTMLAnchorElement[]).map(({ href, hash, pathname, text }) => {
        const isHere = hash !== "" && pathname === location.pathname;
        const isDead = isHere && document.getElementById(hash.slice(1)) === null;
        return { href: href.replace(/#.*/, ""), dead: isDead ? text : undefined };
      }),
    );
    expect([name, links.filter(({ dead }) => dead !== undefined)]).toEqual([name, []]);
    for (const { href } of links.filter((link) => link.href.startsWith(bank.webUrl))) {
      if (!status.has(href)) status.set(href, (await page.request.get(href)).status());
    }
  }
  expect([...status].filter(([, one]) => one !== 200)).toEqual([]);
  expect(status.size).toBeGreaterThan(12);
  const program = await page.request.get(`${bank.webUrl}/docs/programs/tpp.py`);
  const example = await readFile("examples/tpp/python/tpp.py", "utf8");
  const here = example
    .replaceAll("https://localhost:8443", bank.xs2aUrl)
    .replaceAll("http://localhost:3000", bank.webUrl);
  expect(await program.text()).toBe(here);
  expect((await page.request.get(`${bank.webUrl}/docs/programs/run.ts`)).status()).toBe(404);
});
