import { createServer, type Server } from "node:net";
import { ANA_TRAVEL, COMPANY, PAYEE } from "./harness/payment-request";
import { expect, test } from "./harness/test";
import { endTppCommands, tpp } from "./harness/tpp-command";

test.afterEach(endTppCommands);

const ADDRESS = /http\S+\/auth\?\S+/;

function sepa(name: string, amount: string): readonly string[] {
  const payee = ["--to", PAYEE, "--name", name];
  return ["--product", "sepa-credit-transfers", "--currency", "EUR", "--amount", amount, ...payee];
}

test("npm run tpp -- pay: the PSU's authorisation, and each status to the settlement, exit code 0", async ({
  bank,
  psuByForms: psu,
}) => {
  const command = tpp(bank, "pay", ...sepa("Bakery Gmbh", "12.50"));
  await psu.open(new URL(await command.prints(ADDRESS)));
  await psu.agreeAtOnce("ana", "Bakery Gmbh");
  const { code, out, err } = await command.done;
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain(`from ${ANA_TRAVEL}`);
  expect(out).toMatch(/^ACSP {2}in execution$[\s\S]*^ACSC {2}settled on the debtor's account$/m);
});

test("npm run tpp -- pay: an instant payment is followed to the creditor's account", async ({
  bank,
  psuByForms: psu,
}) => {
  const instant = ["--product", "instant-sepa-credit-transfers", "--currency", "RON"];
  const payee = ["--to", COMPANY, "--name", "Company at once", "--text", "Dinner"];
  const command = tpp(bank, "pay", ...instant, "--amount", "25", ...payee);
  await psu.open(new URL(await command.prints(ADDRESS)));
  await psu.agreeAtOnce("ana", "Company at once");
  const { code, out } = await command.done;
  expect(code).toBe(0);
  expect(out.trimEnd().endsWith("ACCC  settled on the creditor's account")).toBe(true);
});

test("npm run tpp -- pay: what the bank rejects is told with the bank's reason, exit code 1", async ({
  bank,
  psuByForms: psu,
}) => {
  const command = tpp(bank, "pay", ...sepa("Castle", "14999.99"), "--reject-without-funds");
  await psu.open(new URL(await command.prints(ADDRESS)));
  await psu.agreeAtOnce("ana", "Castle");
  const { code, out, err } = await command.done;
  expect({ code, err }).toEqual({ code: 1, err: "" });
  expect(out).toMatch(/^RJCT {2}rejected: \S+/m);
});

test("npm run tpp -- pay: a refusal is told in the bank's words, exit code 1", async ({ bank }) => {
  const { code, err } = await tpp(bank, "pay", ...sepa("Castle", "15000.01")).done;
  expect(err).toContain("PAYMENT_FAILED (instructedAmount.amount)");
  expect(code).toBe(1);
});

test("npm run tpp -- pay: when the connection breaks the same request is sent again", async ({
  bank,
}) => {
  const broken = await breaking();
  const port = String((broken.address() as { port: number }).port);
  const command = tpp(
    bank,
    "pay",
    ...sepa("Nobody", "1.00"),
    "--xs2a",
    `https://localhost:${port}`,
  );
  const { code, out } = await command.done;
  broken.close();
  const ids = [...out.matchAll(/X-Request-ID (\S+)\)/g)].map(([, id]) => id);
  expect(ids).toHaveLength(3);
  expect(new Set(ids).size).toBe(1);
  expect(code).toBe(1);
});

/** A server that cuts every connection after its first bytes. */
async function breaking(): Promise<Server> {
  const server = createServer((socket) => {
    socket.once("data", () => socket.destroy());
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  return server;
}
