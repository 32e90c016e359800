import type { Page } from "@playwright/test";
import { askForFunds } from "@/e2e/harness/asking-for-funds";
import { ownChannelAt } from "@/e2e/harness/own-channel";
import { psuAt } from "@/e2e/harness/psu";
import type { TestTpp } from "@/e2e/harness/test-tpp";

type Visit = {
  readonly page: Page;
  readonly webUrl: string;
  readonly tpp: TestTpp;
  /** Weighs the page that is open. */
  readonly weigh: (name: string) => Promise<void>;
};

/** Each page from the TPP and back, and of the bank's own channel; `ana` goes to all of them. */
export async function visitPages(visit: Visit): Promise<void> {
  const consentId = await shareAccounts(visit);
  await otherRequests(visit);
  await ownChannel(visit, consentId);
}

async function shareAccounts({ page, webUrl, tpp, weigh }: Visit): Promise<string> {
  const psu = psuAt(page, webUrl);
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await weigh("sign in");
  await psu.signIn("ana");
  await psu.fields.accounts.first().waitFor();
  await weigh("choose accounts");
  await psu.chooseAll();
  await weigh("confirm sharing");
  await psu.confirm(await psu.codeFor("ana", tpp.name));
  await page.waitForURL(/\/leaving\//, { waitUntil: "commit" });
  await weigh("back to the TPP");
  return asked.consentId;
}

async function otherRequests({ page, webUrl, tpp, weigh }: Visit): Promise<void> {
  const psu = psuAt(page, webUrl);
  await psu.open((await tpp.askToPay()).request.url);
  await psu.signInToCode("ana");
  await weigh("confirm a payment");
  await psu.open((await askForFunds(tpp)).request.url);
  await psu.signInToCode("ana");
  await weigh("confirm a funds consent");
  await psu.open((await tpp.ask()).request.url);
  await psu.signIn("dan");
  await page.getByRole("heading", { name: /nothing to share/ }).waitFor();
  await weigh("nothing to share");
}

async function ownChannel({ page, webUrl, weigh }: Visit, consentId: string): Promise<void> {
  const own = ownChannelAt(page, webUrl);
  const permission = `${webUrl}/permissions/accounts/${consentId}`;
  await page.goto(`${webUrl}/permissions`);
  await weigh("own channel: sign in");
  await own.typePassword("ana");
  await page.getByLabel("Code", { exact: true }).waitFor();
  await weigh("own channel: code");
  await page.getByLabel("Code", { exact: true }).fill(await own.code("ana"));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(`${webUrl}/permissions`);
  await weigh("permissions");
  await page.goto(permission);
  await weigh("one permission");
  await page.goto(`${permission}/revoke`);
  await weigh("end a permission");
  await page.goto(`${webUrl}/passkeys`);
  await weigh("passkeys");
}
