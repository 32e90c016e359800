import { cameraFor } from "../harness/camera";
import { COMPANY, instant } from "../harness/payment-request";
import { expect, test } from "../harness/test";
import {
  accountsGone,
  consentBroken,
  type People,
  people,
  type Walker,
} from "../harness/walk/people";

// Many pictures of few visits, and axe looks at every page four times.
test.describe.configure({ mode: "parallel", timeout: 300_000 });

const TPP = { name: "Claritas Buget SRL" };

function order({ iban }: Walker, amount: string) {
  return instant({
    debtorAccount: { iban },
    instructedAmount: { currency: "RON", amount },
    creditorAccount: { iban: COMPANY },
  });
}

async function newestCode(staff: People, { userId }: Walker): Promise<string> {
  const [code] = await staff.codesOf(userId);
  if (code === undefined) throw new Error("no code was sent");
  return code;
}

test("the pages that need a customer to whom something happens meanwhile", async ({
  newTpp,
  psu,
  bank,
}) => {
  const staff = await people(bank);
  const customer = await staff.add("pictured-customer");
  const { userId, password } = customer;
  const tpp = await newTpp(TPP);
  const camera = cameraFor("seldom", psu.page);

  const confirms = async (amount: string) => {
    await psu.open((await tpp.askToPay(order(customer, amount))).request.url);
    await psu.signIn(userId, password);
    await expect(psu.fields.code).toBeVisible();
    await psu.confirm(await newestCode(staff, customer));
  };
  // The sixth is more than is left of the day's 50,000 euros.
  for (let count = 0; count < 5; count += 1) {
    await confirms("50000.00");
    await psu.page.waitForURL(new RegExp(`^${tpp.redirectUri}`));
  }
  await confirms("50000.00");
  await camera.take("above-day-limit");

  await psu.open((await tpp.askToPay(order(customer, "1.00"))).request.url);
  await psu.signIn(userId, password);
  await expect(psu.fields.code).toBeVisible();
  await accountsGone(staff, userId);
  await psu.page.reload();
  await camera.take("account-gone");

  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("ana");
  await expect(psu.fields.accounts.first()).toBeVisible();
  await consentBroken(staff, asked.consentId);
  await psu.page.reload();
  await camera.take("fault-in-request");
  await staff.close();
  expect(camera.left()).toEqual([]);
});
