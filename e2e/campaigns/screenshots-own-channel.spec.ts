import { randomUUID } from "node:crypto";
import { granted } from "@/clients/typescript/src";
import { cameraFor } from "../harness/camera";
import { outcomesAt } from "../harness/outcomes";
import { ownChannelAt } from "../harness/own-channel";
import {
  addPasskey,
  confirmByPasskey,
  removePasskeys,
  virtualAuthenticator,
} from "../harness/passkeys";
import { expect, test } from "../harness/test";

// Many pictures of few visits, and axe looks at every page four times.
test.describe.configure({ mode: "parallel", timeout: 300_000 });

test("every page of the bank's own channel", async ({ newTpp, authorise, psu, bank }) => {
  const tpp = await newTpp({ name: "Claritas Buget SRL" });
  const grant = await authorise(tpp, { userId: "elena" });
  const [account] = granted(await tpp.bank.accounts(grant)).accounts;
  if (account === undefined) throw new Error("no account");
  granted(await tpp.unattended.balances(grant, account.resourceId));

  const { page } = psu;
  const camera = cameraFor("ownChannel", page);
  const own = ownChannelAt(page, bank.webUrl);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  await page.goto(`${bank.webUrl}/permissions`);
  await camera.take("sign-in");
  await own.typePassword("nobody.here", "wrong");
  await camera.take("sign-in-wrong");
  const outcomes = outcomesAt(page, bank);
  await outcomes.atSignIn({ outcome: "too-soon", waitSeconds: 15 });
  await camera.take("sign-in-too-soon");
  for (const outcome of ["busy", "blocked-for-good", "not-unlocked", "unlocked"] as const) {
    await outcomes.atSignIn({ outcome });
    await camera.take(`sign-in-${outcome}`);
  }
  const stranger = `nobody.${randomUUID()}`;
  for (let tries = 0; tries < 5; tries += 1) await own.typePassword(stranger, "wrong");
  await camera.take("sign-in-blocked");
  await own.typePassword("elena");
  await camera.take("sign-in-code");
  await page.getByLabel("Code", { exact: true }).fill(await own.code("elena"));
  await button("Sign in").click();
  await camera.take("permissions");
  await page.getByRole("link", { name: `Refuse requests of “${tpp.name}”` }).click();
  await button("Refuse to share account information").click();
  await expect(button("Allow such requests again")).toBeVisible();
  await camera.take("refusals");
  await page.goto(`${bank.webUrl}/permissions/accounts/${grant.consentId}`);
  await camera.take("permission");
  await page.getByRole("link", { name: "End this permission" }).click();
  await camera.take("permission-end");
  await button("End permission").click();
  await camera.take("permission-ended");
  await psu.open((await tpp.ask()).request.url);
  await psu.signIn("elena");
  await camera.take("opted-out");
  await page.goto(`${bank.webUrl}/sign-out`);
  await camera.take("sign-out");
  await button("Sign out").click();
  await camera.take("signed-out");
  expect(camera.left()).toEqual([]);
});

test("every page on passkeys", async ({ psu: { page }, bank }) => {
  const camera = cameraFor("passkeys", page);
  const own = ownChannelAt(page, bank.webUrl);
  await virtualAuthenticator(page);
  // dan confirms nothing in any other spec, where a passkey of his would be asked for.
  await own.signIn("dan", "/passkeys");
  await camera.take("passkeys-none");
  await page.goto(`${bank.webUrl}/permissions`);
  await camera.take("permissions-none");
  await page.goto(`${bank.webUrl}/passkeys`);
  await addPasskey(page, "Laptop");
  await camera.take("passkeys");
  await page.getByRole("link", { name: "Remove", exact: true }).click();
  await camera.take("passkey-remove");
  await own.signOut();
  await page.goto(`${bank.webUrl}/passkeys`);
  await own.typePassword("dan");
  await camera.take("sign-in-passkey");
  await confirmByPasskey(page);
  await removePasskeys(page);
  expect(camera.left()).toEqual([]);
});
