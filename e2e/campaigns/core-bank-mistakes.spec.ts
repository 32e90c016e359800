import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runBank } from "@/cli/bank/testing";
import { granted, type Permission } from "@/clients/typescript/src";
import { bankDay } from "../harness/consent-request";
import { startExample } from "../harness/example-core-bank";
import { instant } from "../harness/payment-request";
import { psuAt } from "../harness/psu";
import { freshSettings, startServer } from "../harness/server";
import { steadyPort } from "../harness/steady-port";
import { expect, test } from "../harness/test";
import { type AskedToPay, type TestTpp, testTpp } from "../harness/test-tpp";

test.setTimeout(600_000);

/** The example's account in RON. */
const RON_ACCOUNT = "RO95DRWB0000000000000101";

type World = {
  readonly tpp: TestTpp;
  readonly permission: Permission;
  /** In RON, with many entries. */
  readonly accountId: string;
  /** A payment that was executed by the core bank without a mistake. */
  readonly paid: AskedToPay;
  readonly pay: () => Promise<AskedToPay>;
  /** Stops the core bank and starts it again, with the same mistake. */
  readonly restart: () => Promise<void>;
};
type Holds = (world: World) => Promise<void>;

/** No account, or part of one, is shown: the TPP is told to come again. */
const refused = (read: (world: World) => Promise<{ readonly status: number }>): Holds => {
  return async (world) => expect(await read(world)).toMatchObject({ status: 503 });
};
const accounts = ({ tpp, permission }: World) => tpp.bank.accounts(permission);
const withBalances = ({ tpp, permission }: World) =>
  tpp.bank.accounts(permission, { withBalance: true } as never);
const entries = ({ tpp, permission, accountId }: World) =>
  tpp.bank.transactions(permission, accountId, {
    bookingStatus: "booked",
    dateFrom: bankDay(-60),
  });
const standingOrders = ({ tpp, permission, accountId }: World) =>
  tpp.bank.transactions(permission, accountId, { bookingStatus: "information" });

const statusOf = async ({ tpp }: World, payment: AskedToPay) =>
  granted(await tpp.bank.paymentStatus(payment)).transactionStatus;
/** What a TPP has read of a payment stays true. */
const keepsStatus: Holds = async (world) => {
  // Long enough for the server to ask about it, and to read the feed.
  for (let look = 0; look < 8; look += 1) {
    expect(await statusOf(world, world.paid)).toBe("ACSC");
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
};
/** A payment is executed, and its status is what the core bank has said first. */
const paysOnce: Holds = async (world) => {
  const payment = await world.pay();
  await expect.poll(() => statusOf(world, payment)).toBe("ACSC");
};

const mistakes: readonly (readonly [mistake: string, from: string, to: string, holds: Holds])[] = [
  [
    "answers another customer's account",
    "[BANK.accounts[i] for i in ids_of(b) if i in BANK.accounts]}",
    '[BANK.accounts["A-3"]]}',
    refused(accounts),
  ],
  ["rounds", "digits = FRACTION_DIGITS.get(currency, 2)", "digits = 1", refused(withBalances)],
  ["shows pages out of order", "reverse=True", "reverse=False", refused(entries)],
  [
    "sends half an answer",
    '{"account": BANK.account(a), "standingOrders": []}',
    '{"account": BANK.account(a)}',
    refused(standingOrders),
  ],
  [
    "hangs",
    "        target = urlsplit(self.path)",
    "        threading.Event().wait(60)\n        target = urlsplit(self.path)",
    refused(accounts),
  ],
  [
    "ignores the deadline",
    "        target = urlsplit(self.path)",
    "        threading.Event().wait(3)\n        target = urlsplit(self.path)",
    refused(accounts),
  ],
  [
    "moves a status backwards",
    'return {"paymentId": id, "history": payment["history"], **funds}',
    'payment["read"] = payment.get("read", 0) + 1\n        return {"paymentId": id, "history": payment["history"][: 1 if payment["read"] > 1 else None], "nextAt": iso(now()), **funds}',
    async (world) => {
      const paid = await world.pay();
      await expect.poll(() => statusOf(world, paid)).toBe("ACSC");
      await keepsStatus({ ...world, paid });
    },
  ],
  [
    "forgets on restart",
    "import argparse",
    "import argparse  # in memory alone",
    async (world) => {
      await world.restart();
      await keepsStatus(world);
    },
  ],
  [
    "forgets a change in the feed",
    "self.changes.append(id)",
    "self.changes += [id] if len(self.payments) % 2 else []",
    paysOnce,
  ],
  [
    "executes twice",
    'self.enter(account_id, -amount, order["creditor"]["name"])',
    '[self.enter(account_id, -amount, order["creditor"]["name"]) for _ in range(2)]',
    paysOnce,
  ],
  ["accepts a conflict", 'if self.payments[id]["body"] != body:', "if False:", paysOnce],
  ["lies about funds", '>= Decimal(amount["amount"])}', ">= -1}", paysOnce],
];

test("in front of a core bank that makes a mistake TPPs are answered 503 or with the last truth", async ({
  page,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-mistakes-"));
  const port = await steadyPort();
  let core = await startExample(undefined, port);
  const settings = {
    ...(await freshSettings(join(folder, "bank"))),
    shared: { CORE_BANK_URL: core.url },
  };
  const server = await startServer(settings);
  const tpp = await testTpp({ bank: settings });
  const psu = psuAt(page, settings.webUrl);
  const ready = () => fetch(`${settings.webUrl}/health/ready`).then((answer) => answer.text());
  const phone = "maria" as "ana";

  async function pay(): Promise<AskedToPay> {
    const payment = await tpp.askToPay(instant({ debtorAccount: { iban: RON_ACCOUNT } }));
    await psu.open(payment.request.url);
    await psu.agreeAtOnce(phone, tpp.name);
    await tpp.collect(payment);
    return payment;
  }

  try {
    const environment = { DATA_DIR: settings.dataDir, DATABASE_URL: "", SANDBOX: "true" };
    const added = await runBank(["psu", "add", phone, "--customer", "C-1"], environment);
    expect(added.stderr).toBe("");
    const asked = await tpp.ask();
    await psu.open(asked.request.url);
    await psu.agree(phone, tpp.name);
    const { accessToken } = await tpp.collect(asked);
    const permission = { consentId: asked.consentId, accessToken };
    const shared = granted(await tpp.bank.accounts(permission)).accounts;
    const accountId = shared.find(({ iban }) => iban === RON_ACCOUNT)?.resourceId ?? "none";
    const paid = await pay();
    const world = { tpp, permission, accountId, paid, pay };
    await expect
      .poll(() => statusOf({ ...world, restart: async () => undefined }, paid))
      .toBe("ACSC");

    for (const [mistake, from, to, holds] of mistakes) {
      await test.step(mistake, async () => {
        const change = (source: string) => source.replace(from, to);
        const restart = async () => {
          await core.stop();
          core = await startExample(change, port);
        };
        await restart();
        expect(core.isChanged, mistake).toBe(true);
        // Of the mistakes these two are seen by whether anybody answers.
        if (!["hangs", "ignores the deadline"].includes(mistake)) {
          await expect.poll(ready).toBe("ready\n");
        }
        await holds({ ...world, restart });
      });
    }
  } finally {
    await tpp.close();
    await server.stop();
    await core.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
