import { granted } from "@/clients/typescript/src";
import { expect, test } from "../harness/test";

test("a PSU without a payment account is told that there is nothing to share, and led back to the TPP", async ({
  tpp,
  psu,
}) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("dan");
  await expect(psu.page.getByRole("heading", { name: /nothing to share/i })).toBeVisible();
  await expect(psu.fields.accounts).toHaveCount(0);
  await expect(psu.continueButton).toHaveCount(0);
  await psu.cancel();
  const cameBack = await tpp.listener.next(60_000);
  expect(cameBack.pathname).toBe("/nok");
  expect(cameBack.searchParams.get("error")).toBe("access_denied");
  expect(cameBack.searchParams.get("state")).toBe(asked.request.state);
  const { consentStatus } = granted(await tpp.bank.consentStatus(asked.consentId));
  expect(consentStatus).toBe("rejected");
});
