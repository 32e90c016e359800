import { cp, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { granted } from "@/clients/typescript/src";
import { expectAccessible, expectAccessibleInLight } from "./harness/accessible";
import { exported } from "./harness/bank-command";
import { fundsRequest } from "./harness/funds";
import { instant, type PaymentOrder, sepa } from "./harness/payment-request";
import { expectRefusal } from "./harness/refusals";
import { freshSettings, startServer } from "./harness/server";
import { expect, test } from "./harness/test";
import { testTpp } from "./harness/test-tpp";

test.setTimeout(300_000);

test("a bank of its own file: its products, look and words; a new file holds without a restart and fails no request, a wrong one never does", async ({
  page,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-profile-"));
  await cp(join(import.meta.dirname, "../examples/profiles/banca-zori"), folder, {
    recursive: true,
  });
  const file = join(folder, "bank.yaml");
  const shared = { BANK_PROFILE: file, WORKERS: "2" };
  const settings = { ...(await freshSettings(join(folder, "data"))), shared };
  const server = await startServer(settings);
  const tpp = await testTpp({ bank: settings });
  const { webUrl } = settings;
  const back = { redirectUri: tpp.redirectUri };
  const target2 = { ...sepa(), product: "target-2-payments" };
  const pay = ({ product, payment }: PaymentOrder) =>
    tpp.bank.createPayment(product, payment, back);
  const title = async (path: string) =>
    /<title>([^<]*)/.exec(await (await fetch(`${webUrl}${path}`)).text())?.[1];
  /** As a whole, so that nobody reads half of it. */
  const replace = async (change: (text: string) => string) => {
    await writeFile(`${file}.new`, change(await readFile(file, "utf8")));
    await rename(`${file}.new`, file);
  };
  try {
    await page.goto(`${webUrl}/permissions`);
    await expect(page).toHaveTitle(/Banca Zori/);
    await expect(page.getByText("+40 31 555 02 00")).toBeVisible();
    await expect(page.getByText("Your bank at sunrise")).toBeVisible();
    await expect(page.locator("body")).toHaveCSS("background-color", "rgb(255, 244, 230)");
    await expectAccessibleInLight(page);
    await expectAccessible(page);
    const logo = await fetch(`${webUrl}/theme/logo.svg`);
    expect(logo.headers.get("content-type")).toBe("image/svg+xml");
    expect(logo.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect((await fetch(`${webUrl}/theme/bank.yaml`)).status).toBe(404);
    await page.getByRole("button", { name: "Română" }).click();
    await expect(page.getByText("Banca dumneavoastră, din zori")).toBeVisible();

    await page.goto(`${webUrl}/sandbox/tpp`);
    await expect(page.getByLabel("From (IBAN)")).toHaveValue(/^RO\d{2}ZORI/);
    await expect(page.getByRole("button", { name: "Ask for funds" })).toHaveCount(0);
    const textAt = async (path: string) => (await fetch(`${webUrl}${path}`)).text();
    expect(await textAt("/docs/reference")).toMatch(/RO\d{2}ZORI/);
    expect(await textAt("/docs/consents")).toContain("90 days at most");

    granted(await pay(instant()));
    expectRefusal(await pay(target2), 404, "PRODUCT_UNKNOWN");
    expectRefusal(await tpp.bank.createFundsConsent(fundsRequest(), back), 404, "RESOURCE_UNKNOWN");

    const statuses = new Set<number>();
    let busy = true;
    const load = Array.from({ length: 4 }, async () => {
      while (busy) {
        statuses.add((await fetch(`${webUrl}/sign-in`)).status);
        statuses.add((await pay(instant())).status);
      }
    });
    await replace((text) =>
      text
        .replace("name: Banca Zori", "name: Banca Amurg")
        .replace("offered: false", "offered: true"),
    );
    const everywhere = (name: string) =>
      expect
        .poll(async () => {
          const titles = await Promise.all(Array.from({ length: 6 }, () => title("/permissions")));
          return titles.every((one) => one?.includes(name));
        })
        .toBe(true);
    await everywhere("Banca Amurg");
    await expect.poll(async () => (await pay(target2)).status).toBe(201);
    await replace((text) => text.replace("codeMinutes: 3", "codeMinutes: soon"));
    await expect
      .poll(server.output)
      .toContain(`${file}:26:3: sca.codeMinutes: expected a whole number`);
    await everywhere("Banca Amurg");
    busy = false;
    await Promise.all(load);
    const changes = async () => {
      const events = await exported(settings, "--kind", "profile-changed");
      const found = events.matchAll(/"profile-changed".*"host": ?"(\w+)"/g);
      return [...found].map(([, host]) => host).toSorted();
    };
    await expect.poll(changes, { timeout: 60_000 }).toEqual(["tpp", "web"]);
    expect([...statuses].toSorted()).toEqual([200, 201]);
  } finally {
    await tpp.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
