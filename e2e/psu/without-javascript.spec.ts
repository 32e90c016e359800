import { expect, test } from "../harness/test";

test.use({ javaScriptEnabled: false });

test("a choice of accounts, a wrong password and a wrong code work without JavaScript", async ({
  tpp,
  psu,
}) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("ana", "wrong");
  await expect(psu.page).toHaveTitle(/^Error: /);
  await psu.signIn("ana");
  await psu.choose("Household account");
  const code = await psu.codeFor("ana", tpp.name);
  await psu.confirm(code === "000000" ? "000001" : "000000");
  await expect(psu.page).toHaveTitle(/^Error: /);
  await psu.confirm(code);
  expect((await tpp.collect(asked)).accessToken).toBeDefined();
});

test("P10, P15: Cancel works without JavaScript, and the browser follows it to the Nok URI", async ({
  tpp,
  psu,
}) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("ana");
  await psu.cancel();
  const cameBack = await tpp.listener.next(60_000);
  expect(cameBack.pathname).toBe("/nok");
  expect(cameBack.searchParams.get("error")).toBe("access_denied");
});
