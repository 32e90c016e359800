import { expectAccessibleInLight, expectReflow } from "../harness/accessible";
import { counted } from "../harness/counted";
import { ownChannelAt } from "../harness/own-channel";
import {
  addPasskey,
  confirmByPasskey,
  PASSKEY_PSU,
  removePasskeys,
  VLAD_CURRENT,
  virtualAuthenticator,
} from "../harness/passkeys";
import { instant } from "../harness/payment-request";
import { psuAt } from "../harness/psu";
import { expect, test } from "../harness/test";
import { watched } from "../harness/watched";

const payment = instant({ debtorAccount: { iban: VLAD_CURRENT } });

test("a passkey is enrolled, confirms a consent, a payment and a sign-in, and nothing once removed", async ({
  tpp,
  psu,
  bank,
  browser,
}) => {
  const { page } = psu;
  const channel = ownChannelAt(page, bank.webUrl);
  const device = await virtualAuthenticator(page);
  const useButton = page.getByRole("button", { name: "Use your passkey", exact: true });
  const codeButton = page.getByRole("button", { name: "Send me a code", exact: true });

  await test.step("enrolled in the bank's own channel, and the phone is told", async () => {
    await channel.signIn(PASSKEY_PSU, "/passkeys");
    await expectAccessibleInLight(page);
    // A device keeps what it has made, so none is made before there is a name.
    await page.getByRole("button", { name: "Add a passkey", exact: true }).click();
    await expect(page).toHaveTitle(/^Error: /);
    expect(await device.kept()).toBe(0);
    await addPasskey(page, "My laptop");
    await expectAccessibleInLight(page);
    const phone = await fetch(`${bank.webUrl}/sandbox/messages?psu=${PASSKEY_PSU}`);
    const [newest] = (await phone.json()) as readonly { text: string; code?: string }[];
    expect(newest?.text).toMatch(/^A passkey was added/);
    await channel.signOut();
  });

  await test.step("it confirms a consent", async () => {
    const asked = await tpp.ask();
    await psu.open(asked.request.url);
    await psu.signIn(PASSKEY_PSU);
    await psu.selectAll();
    await psu.continueButton.click();
    await expect(useButton).toBeVisible();
    await expect(codeButton).toBeVisible();
    await expect(psu.fields.code).toHaveCount(0);
    await expectAccessibleInLight(page);
    const { given, signed } = await confirmByPasskey(page);
    expect(signed).toBe(given);
    expect((await tpp.collect(asked)).accessToken).toBeDefined();
  });

  await test.step("RTS 5(1): it signs what is paid, a challenge of its own for each payment", async () => {
    const challenges: string[] = [];
    for (let payments = 0; payments < 2; payments += 1) {
      const asked = await tpp.askToPay(payment);
      await psu.open(asked.request.url);
      await psu.signIn(PASSKEY_PSU);
      const { given, signed } = await confirmByPasskey(page);
      expect(signed).toBe(given);
      expect(signed).toMatch(/^[\w-]{43}$/);
      challenges.push(signed);
      const { accessToken } = await tpp.collect(asked);
      expect(accessToken).toBeDefined();
    }
    expect(new Set(challenges).size).toBe(2);
  });

  await test.step("Journey: a payment takes 2 pages, 4 clicks and 2 fields, and the policy stops none of it", async () => {
    const seen = watched(page, bank.webUrl);
    const person = counted(page, bank.webUrl);
    const asked = await tpp.askToPay(payment);
    await psu.open(asked.request.url);
    await person.type(psu.fields.userId, PASSKEY_PSU);
    await person.type(psu.fields.password, `${PASSKEY_PSU}-sandbox`);
    await person.click(psu.continueButton);
    await person.click(useButton);
    expect((await tpp.collect(asked)).accessToken).toBeDefined();
    expect(person.count()).toEqual({ pages: 2, clicks: 4, fields: 2 });
    expect([...seen.complaints, ...seen.elsewhere]).toEqual([]);
  });

  await test.step("who closes the prompt has answered nothing, and may have a code", async () => {
    const asked = await tpp.askToPay(payment);
    await psu.open(asked.request.url);
    await psu.signIn(PASSKEY_PSU);
    await device.opens(false);
    await useButton.click();
    await expect(page.getByRole("alert")).toHaveText(/^No passkey was used/);
    await expectAccessibleInLight(page);
    await codeButton.click();
    await expect(psu.fields.code).toBeVisible();
    await expect(useButton).toBeVisible();
    await psu.confirm(await psu.codeFor(PASSKEY_PSU, tpp.name));
    expect((await tpp.collect(asked)).accessToken).toBeDefined();
    await device.opens(true);
  });

  await test.step("without JavaScript there is the code, and no button that does nothing", async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false, locale: "en-GB" });
    const other = psuAt(await plain.newPage(), bank.webUrl);
    const asked = await tpp.askToPay(payment);
    await other.open(asked.request.url);
    await other.signIn(PASSKEY_PSU);
    await expect(other.page.getByRole("button", { name: "Use your passkey" })).toHaveCount(0);
    await other.page.getByRole("button", { name: "Send me a code", exact: true }).click();
    // The phone has an older code of this TPP, and this one only when the page asks for it.
    await expect(other.fields.code).toBeVisible();
    await other.confirm(await other.codeFor(PASSKEY_PSU, tpp.name));
    expect((await tpp.collect(asked)).accessToken).toBeDefined();
    await plain.close();
  });

  await test.step("it signs in to the bank's own channel, and is removed there", async () => {
    await page.goto(`${bank.webUrl}/passkeys`);
    await channel.typePassword(PASSKEY_PSU);
    await expectAccessibleInLight(page);
    await confirmByPasskey(page);
    await expect(page).toHaveURL(`${bank.webUrl}/passkeys`);
    await expect(page.getByText(/^Last used on/)).toBeVisible();
    await page.getByRole("link", { name: "Remove", exact: true }).click();
    const keep = page.getByRole("link", { name: "Keep it", exact: true });
    await expect(keep).toBeVisible();
    await expectAccessibleInLight(page);
    await keep.click();
    await removePasskeys(page);
    await expect(page.getByText("You have no passkey yet.")).toBeVisible();
  });

  await test.step("once removed it is not asked for any more: a code is sent at once", async () => {
    const asked = await tpp.askToPay(payment);
    await psu.open(asked.request.url);
    await psu.signInToCode(PASSKEY_PSU);
    await expect(useButton).toHaveCount(0);
    await psu.cancel();
    await tpp.listener.next(60_000);
  });
});

test("P5: a customer whom a stranger's wrong passwords have blocked signs in by unlocking with a passkey", async ({
  psu: { page },
  bank,
  browser,
}) => {
  const own = ownChannelAt(page, bank.webUrl);
  const device = await virtualAuthenticator(page);
  const unlockButton = page.getByRole("button", { name: "Unlock with your passkey", exact: true });
  const blocked = page.getByText(/signing in is blocked/).first();
  await own.signIn(PASSKEY_PSU, "/passkeys");
  await addPasskey(page, "My laptop");
  await own.signOut();

  await test.step("blocked: the right password is not judged either, and the page offers to unlock", async () => {
    await page.goto(`${bank.webUrl}/passkeys`);
    for (let tries = 0; tries < 5; tries += 1) await own.typePassword(PASSKEY_PSU, "wrong");
    await expect(blocked).toBeVisible();
    await own.typePassword(PASSKEY_PSU);
    await expect(blocked).toBeVisible();
    await expect(unlockButton).toBeVisible();
    await page.setViewportSize({ width: 320, height: 640 });
    await expectReflow(page);
    await expectAccessibleInLight(page);
  });

  await test.step("who closes the prompt is where they were", async () => {
    await device.opens(false);
    await unlockButton.click();
    await expect(page.getByText(/^No passkey was used, and nothing has changed/)).toBeVisible();
    await expectAccessibleInLight(page);
    await device.opens(true);
  });

  await test.step("unlocked: password and passkey sign in, though the stranger goes on", async () => {
    await unlockButton.click();
    await expect(page.getByText("Your passkey was recognised. Sign in now.")).toBeVisible();
    await expectAccessibleInLight(page);
    const elsewhere = await browser.newContext({ locale: "en-GB" });
    const stranger = ownChannelAt(await elsewhere.newPage(), bank.webUrl);
    await stranger.page.goto(`${bank.webUrl}/sign-in`);
    for (let tries = 0; tries < 5; tries += 1) await stranger.typePassword(PASSKEY_PSU, "wrong");
    await elsewhere.close();
    await own.typePassword(PASSKEY_PSU);
    await confirmByPasskey(page);
    await expect(page).toHaveURL(`${bank.webUrl}/passkeys`);
    await removePasskeys(page);
  });
});
