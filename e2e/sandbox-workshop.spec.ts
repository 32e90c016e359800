import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { rawRequest } from "@/cli/tpp/raw-request";
import { type Exchange, granted } from "@/clients/typescript/src";
import { consentRequest } from "./harness/consent-request";
import { without } from "./harness/requests";
import { expect, test } from "./harness/test";
import { workshop } from "./harness/workshop";

const ROOT = join(import.meta.dirname, "..");

/** `lib/workshop/explain.test.ts` has every defect explained as it is refused. */
const defects = [
  [true, "revoked", "Revocation of the client certificate"],
  [true, "other-organisation", "Seal certificate (QSealC)"],
  [false, "wrong-role", "PSD2 role"],
] as const;

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    for (const [, defect, step] of defects.filter(([scripted]) => scripted === javaScriptEnabled)) {
      test(`${defect}: issued, refused, and explained in the same words`, async ({
        page,
        bank,
        newTpp,
        observe,
      }) => {
        const own = workshop(page, bank.webUrl);
        await own.open();
        await own.issue(defect);
        const certificates = await own.issued();
        const seen: Exchange[] = [];
        const tpp = await newTpp({
          id: "PSDRO-NBR-2468024",
          certificates,
          onExchange: (exchange) => {
            observe(exchange);
            seen.push(exchange);
          },
        });
        const { redirectUri } = tpp;
        const reply = await tpp.bank.createConsent(consentRequest(), { redirectUri });
        const refusal = reply.ok ? undefined : reply.body.tppMessages[0];
        const [exchange] = seen;
        if (refusal === undefined || exchange === undefined) throw new Error("not refused");

        await own.open();
        await own.explain(rawRequest(exchange.request, certificates.qwac.pem).toString());
        const failed = page.getByRole("listitem").filter({ hasText: "failed" });
        await expect(failed).toHaveCount(1);
        await expect(failed.getByRole("heading")).toContainText(step);
        await expect(failed).toContainText(`${reply.status} ${refusal.code}`);
        await expect(failed).toContainText(String(refusal.text));
        await expect(page.getByText("The bank answers")).toBeVisible();
      });
    }

    test("a request of good certificates passes; its QWAC may stand beside it; a private key is refused", async ({
      page,
      bank,
      newTpp,
    }) => {
      const own = workshop(page, bank.webUrl);
      await own.open();
      await own.issue("");
      const certificates = await own.issued();
      const { qwac, qseal } = certificates;
      const seen: Exchange[] = [];
      const id = "PSDRO-NBR-2468024";
      const tpp = await newTpp({ id, certificates, onExchange: (one) => seen.push(one) });
      const { redirectUri } = tpp;
      granted(await tpp.bank.createConsent(consentRequest(), { redirectUri }));
      const raw = rawRequest((seen[0] as Exchange).request, qwac.pem).toString();
      await own.open();
      await own.explain(raw.replace(/client-cert: .*\r\n/, ""), qwac.pem);
      await expect(page.getByText("The bank goes on with it.")).toBeVisible();
      // The form is as it was filled in.
      const certificate = page.getByLabel("QWAC (optional)");
      await expect(certificate).toHaveValue(/BEGIN CERTIFICATE/);
      await expect(page.getByRole("listitem").filter({ hasText: "failed" })).toHaveCount(0);
      await expect(page.locator("pre")).toHaveText(/digest: SHA-256=\S+↵\s+x-request-id: /);

      await test.step("a private key is refused with a warning, and gone from the form", async () => {
        await own.open();
        await own.explain(`GET /a HTTP/1.1\r\n\r\n${qseal.key}`, "kept");
        await expect(page.getByRole("alert").filter({ hasText: "private key" })).toBeVisible();
        await expect(page.getByLabel("Request", { exact: true })).toHaveValue("");
        await expect(certificate).toHaveValue("kept");
        expect(await page.content()).not.toContain(qseal.key.slice(40, 80));
      });
    });

    test("what is wrong with a request is told step by step; what cannot be read or made, at its field", async ({
      page,
      bank,
      tpp,
    }) => {
      const own = workshop(page, bank.webUrl);
      const request = page.getByLabel("Request", { exact: true });
      await own.open();
      await test.step("a signature that covers too little is told, and the steps after it are judged", async () => {
        let raw = "";
        await tpp.bank.consentStatus("x", {
          edit: (signed) => {
            const withoutDate = without("date")(signed);
            raw = rawRequest(withoutDate, tpp.certificates.qwac.pem).toString();
            return withoutDate;
          },
        });
        await own.explain(raw);
        await expect(page.getByText("Date is missing").first()).toBeVisible();
        const digest = page.getByRole("listitem").filter({ hasText: "Digest" }).first();
        await expect(digest).toBeVisible();
      });

      await test.step("what curl -v prints is read, and the access token in it is not shown again", async () => {
        const token = `ey.${randomUUID()}`;
        const printed = [
          "* Connected to localhost (::1) port 8443",
          "> GET /open-banking/v3.1/aisp/v1/accounts HTTP/1.1",
          `> Authorization: Bearer ${token}`,
          "> ",
          "< HTTP/1.1 401 Unauthorized",
        ];
        await own.explain(printed.join("\n"), "");
        await expect(page.getByText("401 CERTIFICATE_MISSING").first()).toBeVisible();
        await expect(page.getByText("none, neither in the header Client-Cert")).toBeVisible();
        await expect(request).toHaveValue(/Bearer \(hidden\)/);
        expect(await page.content()).not.toContain(token);
      });

      await test.step("what cannot be read or made is said at its field, and the form stays filled in", async () => {
        await own.open();
        await own.explain("hello");
        await expect(page.getByRole("link", { name: /not a request line/ })).toBeVisible();
        await expect(request).toHaveValue("hello");
        await page.getByLabel("Organisation identifier").fill("1234567");
        await page.getByLabel("PSP_IC").check();
        await page.getByLabel("Defect", { exact: true }).selectOption("sha1");
        await page.getByRole("button", { name: "Make certificates" }).click();
        await expect(page.getByRole("link", { name: /Organisation identifier: it/ })).toBeVisible();
        await expect(page.getByLabel("Organisation identifier")).toHaveValue("1234567");
        await expect(page.getByLabel("Defect", { exact: true })).toHaveValue("sha1");
        await expect(page.getByLabel("PSP_IC")).toBeChecked();
      });
    });
  });
}

test("another origin's page cannot send the workshop's forms", async ({ page, bank }) => {
  await page.goto(`${bank.webUrl}/sandbox/workshop`);
  const form = page.locator("form").last();
  const fields = await form.evaluate((element: HTMLFormElement) =>
    [...new FormData(element)].map(([name, value]) => [name, String(value)]),
  );
  const send = (headers: Readonly<Record<string, string>>) =>
    page.request.post(`${bank.webUrl}/sandbox/workshop`, {
      multipart: Object.fromEntries(fields),
      headers: { ...headers },
    });
  const own = await send({ origin: bank.webUrl, "sec-fetch-site": "same-origin" });
  expect(await own.text()).toContain("BEGIN PRIVATE KEY");
  const forged: readonly Readonly<Record<string, string>>[] = [
    { origin: "https://evil.example" },
    { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
    { origin: bank.webUrl, "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "cross-site" },
    { origin: "null" },
  ];
  for (const headers of forged) {
    const answer = await send(headers);
    expect(await answer.text()).not.toContain("BEGIN PRIVATE KEY");
    expect(answer.status()).toBeGreaterThanOrEqual(400);
  }
});

test("nothing that is pasted or issued is kept, in no file and no log", async ({ page, bank }) => {
  const own = workshop(page, bank.webUrl);
  await own.open();
  const mark = `mark-${randomUUID()}`;
  await own.explain(`GET /${mark} HTTP/1.1\r\nAuthorization: Bearer ${mark}\r\n\r\n${mark}`);
  await expect(page.getByText("The bank answers")).toBeVisible();
  await own.issue("expired", `PSDRO-NBR-${mark}`);
  const { qwac, qseal } = await own.issued();
  const lines = [qwac.key, qseal.key].map((key) => String(key.split("\n")[3]));
  const log = join(ROOT, "test-results", `server-${new URL(bank.webUrl).port}.log`);
  for (const file of [log, ...(await filesIn(bank.dataDir))]) {
    const content = await readFile(file, "latin1").catch(() => "");
    const found = [mark, ...lines].filter((secret) => content.includes(secret));
    expect(found, file).toEqual([]);
  }
});

async function filesIn(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
