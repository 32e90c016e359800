import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import postgres from "postgres";
import { granted } from "@/clients/typescript/src";
import { consentRequest } from "./harness/consent-request";
import { psuAt } from "./harness/psu";
import { endpoints, paymentEndpoints } from "./harness/requests";
import { severalServers } from "./harness/several-servers";
import { expect, test } from "./harness/test";
import { type TestTpp, testTpp } from "./harness/test-tpp";

test.setTimeout(300_000);

const SOON = { "retry-after": "2" };
const notNow = {
  category: "ERROR",
  code: "SERVICE_UNAVAILABLE",
  text: "the bank cannot answer at the moment, try again",
};

test("without its database every request is answered 503 with Retry-After; with it the server goes on by itself", async ({
  page,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-away-"));
  const { database, each, stop } = await severalServers(folder, 1);
  const tpp = await testTpp({ bank: each[0] });
  const { webUrl } = each[0];
  const psu = psuAt(page, webUrl);
  try {
    const asked = await tpp.ask();
    await psu.open(asked.request.url);
    await psu.signIn("ana");
    await psu.chooseAll();
    const code = await psu.codeFor("ana", tpp.name);

    await database.breakDown();
    await test.step("a TPP", () => noService(tpp));
    await test.step("a program and a balancer", () => noHelp(webUrl));
    await test.step("a PSU who confirms", () => noAnswerPages(page, () => psu.confirm(code)));

    await database.startAgain();
    for (const path of ["/health/ready", "/sandbox/messages?psu=ana"]) {
      expect((await fetch(`${webUrl}${path}`)).status).toBe(200);
    }
    await page.getByRole("link", { name: "Try again" }).click();
    await page.getByLabel("Code", { exact: true }).waitFor();
    const emptied = await fullDisk(database.url);
    await test.step("no space for what is written", async () => {
      const { status, headers, body } = await tpp.bank.createConsent(consentRequest(), {
        redirectUri: "http://localhost:9/back",
      });
      expect({ status, headers, messages: Reflect.get(Object(body), "tppMessages") }).toMatchObject(
        { status: 503, headers: SOON, messages: [notNow] },
      );
      const ready = () => fetch(`${webUrl}/health/ready`).then((answer) => answer.status);
      await expect.poll(ready).toBe(503);
      await noAnswerPageFor(page, () => psu.confirm(code));
      await emptied();
      await expect.poll(ready).toBe(200);
    });
    await page.getByRole("link", { name: "Încercați din nou" }).click();
    await psu.confirm(code);
    const { accessToken } = await tpp.collect(asked);
    const permission = { consentId: asked.consentId, accessToken };
    expect(granted(await tpp.bank.accounts(permission)).accounts).not.toEqual([]);
  } finally {
    await tpp.close();
    await stop();
    await rm(folder, { recursive: true, force: true });
  }
});

async function noService(tpp: TestTpp): Promise<void> {
  for (const { method, path } of [...endpoints(), ...paymentEndpoints()]) {
    const { status, headers, body } = await tpp.bank.call(method, path);
    const seen = {
      status,
      headers,
      messages: body === undefined ? [] : Reflect.get(Object(body), "tppMessages"),
    };
    expect(seen, `${method} ${path}`).toMatchObject({
      status: 503,
      headers: SOON,
      messages: [notNow],
    });
  }
  for (const path of ["/token", "/token/revocation"]) {
    const { status, headers, body } = await tpp.http.send({
      method: "POST",
      url: `${tpp.xs2aUrl}${path}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: Buffer.from(`client_id=${tpp.id}&grant_type=refresh_token&refresh_token=x&token=x`),
    });
    expect({ status, headers }, path).toMatchObject({ status: 503, headers: SOON });
    expect(JSON.parse(Buffer.from(body).toString())).toMatchObject({
      error: "temporarily_unavailable",
    });
  }
  const keys = await tpp.http.send({ method: "GET", url: `${tpp.xs2aUrl}/jwks`, headers: {} });
  expect(keys.status).toBe(200);
}

async function noHelp(webUrl: string): Promise<void> {
  for (const path of ["/sandbox/messages?psu=ana", "/sandbox/clock", "/health/ready"]) {
    const { status, headers } = await fetch(`${webUrl}${path}`);
    expect([path, status, headers.get("retry-after")]).toEqual([path, 503, "2"]);
  }
  expect((await fetch(`${webUrl}/health/live`)).status).toBe(200);
}

/** Whatever the browser does: a page of its own, in both languages, that leads back to where it was. */
async function noAnswerPages(page: Page, confirm: () => Promise<void>): Promise<void> {
  const origin = new URL(page.url()).origin;
  for (const path of ["/permissions", "/sign-in", "/auth?client_id=PSDRO-NBR-1&redirect_uri=x"]) {
    const answer = await page.request.get(`${origin}${path}`, { headers: { accept: "text/html" } });
    expect([path, answer.status(), answer.headers()["retry-after"]]).toEqual([path, 503, "2"]);
  }
  await noAnswerPageFor(page, confirm);
  await page.getByRole("link", { name: "Încercați din nou" }).click();
  await expect(page).toHaveTitle(/We cannot answer at the moment/);
}

async function noAnswerPageFor(page: Page, confirm: () => Promise<void>): Promise<void> {
  const answer = page.waitForResponse((one) => one.url().endsWith("/confirm"));
  await confirm();
  expect((await answer).status()).toBe(503);
  expect((await answer).headers()).toMatchObject({ ...SOON, "x-frame-options": "DENY" });
  await expect(page).toHaveTitle(/We cannot answer at the moment/);
  await expect(page.getByText("Nu putem răspunde în acest moment")).toBeVisible();
}

/** Refuses what a full disk refuses, with its code; `npm run faults -- full-disk` has a disk that is really full. */
async function fullDisk(databaseUrl: string): Promise<() => Promise<void>> {
  const tables =
    "select oid::regclass as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace";
  const onEach = (statement: string) =>
    `do $$ declare "table" record; begin
      for "table" in ${tables} loop execute format('${statement}', "table".name); end loop; end $$`;
  const execute = async (...statements: readonly string[]) => {
    const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
    for (const statement of statements) await sql.unsafe(statement);
    await sql.end();
  };
  await execute(
    `create function no_space() returns trigger language plpgsql as
      $$ begin raise exception 'No space left on device' using errcode = '53100'; end $$`,
    onEach(
      "create trigger no_space before insert or update or delete on %s execute function no_space()",
    ),
    "alter system set temp_file_limit = 0",
    "select pg_reload_conf()",
  );
  return () =>
    execute(
      "drop function no_space cascade",
      "alter system reset temp_file_limit",
      "select pg_reload_conf()",
    );
}
