import { bankCommand } from "../harness/bank-command";
import { cameraFor, staysBefore } from "../harness/camera";
import { psuAt } from "../harness/psu";
import { expect, test } from "../harness/test";

// Many pictures of few visits, and axe looks at every page four times.
test.describe.configure({ mode: "parallel", timeout: 300_000 });

const TPP = { name: "Claritas Buget SRL" };

test("the pages on which nothing is left to answer", async ({ newTpp, psu, context, bank }) => {
  const tpp = await newTpp(TPP);
  const camera = cameraFor("ending", psu.page);
  await psu.open((await tpp.ask()).request.url);
  await psu.signIn("dan");
  await camera.take("nothing-to-share");

  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await tpp.bank.deleteConsent(asked.consentId);
  await psu.page.reload();
  await camera.take("withdrawn");

  await psu.open((await tpp.ask()).request.url);
  // A user ID that no other spec tries: it is blocked from here on.
  for (const last of ["1", "2", "3", "4", "5"]) await psu.signIn("pictured", last);
  await camera.take("blocked");

  const refused = await tpp.ask();
  await psu.open(refused.request.url);
  const second = psuAt(await context.newPage(), bank.webUrl);
  await second.open(refused.request.url);
  await second.cancelButton.click();
  await second.page.waitForURL(new RegExp(tpp.nokRedirectUri));
  await psu.page.reload();
  await camera.take("refused");

  const tried = await tpp.ask();
  await psu.open(tried.request.url);
  await second.open(tried.request.url);
  for (const userId of ["first", "second", "third", "fourth", "fifth"]) {
    await second.signIn(userId, "wrong");
  }
  await second.page.waitForURL(new RegExp(tpp.nokRedirectUri));
  await psu.page.reload();
  await camera.take("too-many-tries");
  expect(camera.left()).toEqual([]);
});

test("the pages of what was stopped from elsewhere", async ({ newTpp, psu, bank }) => {
  const tpp = await newTpp(TPP);
  const camera = cameraFor("stopping", psu.page);
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("ana");
  await psu.chooseAll();
  const here = psu.page.url();
  await staysBefore(psu.page);
  await psu.confirm(await psu.codeFor("ana", tpp.name));
  await expect(psu.page.getByRole("heading", { level: 1 })).toContainText("Taking you back");
  await tpp.bank.deleteConsent(asked.consentId);
  // Its own way on may be ahead of this one.
  await expect(async () => void (await psu.page.goto(here))).toPass();
  await camera.take("no-longer-valid");

  await psu.open((await tpp.ask()).request.url);
  const until = "2999-01-01T00:00:00.000Z";
  await bankCommand(bank, "tpp", "block", tpp.id, "--until", until, "--reason", "pictured");
  await psu.page.reload();
  await camera.take("tpp-blocked");
  expect(camera.left()).toEqual([]);
});
