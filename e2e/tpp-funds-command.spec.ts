import { demoDebtor } from "@/cli/tpp/demo-debtor";
import { expect, test } from "./harness/test";
import { endTppCommands, tpp } from "./harness/tpp-command";

test.afterEach(endTppCommands);

test("npm run tpp -- funds: consent, the PSU's authorisation, token, and the answer", async ({
  bank,
  psu,
}) => {
  const command = tpp(bank, "funds", "--amount", "1", "--currency", "RON");
  await psu.open(new URL(await command.prints(/http\S+\/auth\?\S+/)));
  await psu.signIn("ana");
  await psu.confirm(await psu.codeFor("ana", "Example TPP"));
  const { code, out, err } = await command.done;
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain(demoDebtor("RON"));
  expect(out).toContain("Funds available: yes");
});

test("npm run tpp -- funds: too much is no, for the card and the account that are named", async ({
  bank,
  psu,
}) => {
  const account = ["--iban", "RO38DRWB0001000000000301", "--card", "5254121234563241"];
  const amount = ["--amount", "99999999999999.99", "--currency", "HUF"];
  const command = tpp(bank, "funds", ...amount, ...account);
  await psu.open(new URL(await command.prints(/http\S+\/auth\?\S+/)));
  await psu.signIn("mihai");
  await psu.confirm(await psu.codeFor("mihai", "Example TPP"));
  const { code, out } = await command.done;
  expect(code).toBe(0);
  expect(out).toContain("Funds available: no");
});

test("npm run tpp -- funds: a PSU who cancels is told of in a sentence, exit code 3", async ({
  bank,
  psu,
}) => {
  const command = tpp(bank, "funds", "--amount", "1", "--currency", "RON");
  await psu.open(new URL(await command.prints(/http\S+\/auth\?\S+/)));
  await psu.signIn("ana");
  await psu.cancel();
  const { code, err } = await command.done;
  expect(err).toContain("The PSU did not agree");
  expect(code).toBe(3);
});

test("npm run tpp -- funds: what is not understood has exit code 2, before anybody is asked", async ({
  bank,
}) => {
  const ended = async (...args: readonly string[]) => tpp(bank, "funds", ...args).done;
  expect((await ended()).code).toBe(2);
  const { code, err } = await ended("--amount", "1,50", "--currency", "RON");
  expect({ code, err: err.trim() }).toEqual({
    code: 2,
    err: "--amount 1,50 is not an amount, such as 100 or 12.50",
  });
  expect((await ended("--help")).code).toBe(0);
});
