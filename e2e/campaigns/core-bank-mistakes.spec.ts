import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { runBank } from "@/cli/bank/testing";
import { granted, type Permission, type Reply } from "@/clients/typescript/src";
import { bankDay } from "../harness/consent-request";
import { coreBankMistakes, halfAnswer, withMistake } from "../harness/core-bank-mistakes";
import { type ExampleCoreBank, startExample } from "../harness/example-core-bank";
import { authoriseFunds, fundsQuestion } from "../harness/funds";
import { ownChannelAt } from "../harness/own-channel";
import { instant } from "../harness/payment-request";
import { psuAt } from "../harness/psu";
import { freshSettings, startServer } from "../harness/server";
import { steadyPort } from "../harness/steady-port";
import { expect, test } from "../harness/test";
import { type AskedToPay, type TestTpp, testTpp } from "../harness/test-tpp";

test.setTimeout(1_200_000);

/** The example's account in RON, and the user ID of its customer here. */
const RON_ACCOUNT = "RO95DRWB0000000000000101";
const USER = "maria" as "ana";
const PAYEE = "Popescu Grafic SRL";

type Edit = readonly [from: string, to: string];
type World = Awaited<ReturnType<typeof worldOf>>;
type Step = {
  readonly mistake: string;
  /** Of the example's source. */
  readonly edits: readonly Edit[];
  readonly holds: (world: World) => Promise<void>;
  /** The server says so of it, and is not waited for. */
  readonly isUnreachable?: true;
};

const HANDLER = "        target = urlsplit(self.path)";
const late = (when: string, seconds: number): Edit => [
  HANDLER,
  `        ${when} and threading.Event().wait(${seconds})\n${HANDLER}`,
];
const PUT = 'self.command == "PUT"';
/** The example says which calls it was sent. */
const told: readonly Edit[] = [
  ["class Handler(", "CALLS = []\n\n\nclass Handler("],
  [
    HANDLER,
    `        self.path == "/calls" or CALLS.append(f"{self.command} {self.path}")\n${HANDLER}`,
  ],
  [
    '@operation("GET", "/customers/{}/accounts")',
    'operation("GET", "/calls")(lambda: CALLS)\n\n@operation("GET", "/customers/{}/accounts")',
  ],
];

const READS = [
  "accounts",
  "account",
  "withBalances",
  "balances",
  "entries",
  "standingOrders",
] as const;
type ReadName = (typeof READS)[number];

/** A TPP is told to come again, and is shown no part of the answer. */
const refused =
  (...names: readonly ReadName[]) =>
  async ({ read }: World) => {
    for (const name of names) expect(await read(name), name).toMatchObject(unavailable);
  };
const unavailable = {
  status: 503,
  body: { tppMessages: [{ category: "ERROR", code: "SERVICE_UNAVAILABLE" }] },
};

/** The PSU is shown no quote and can confirm nothing, and nothing is submitted. */
async function cannotBeConfirmed({ askToPay, psu, page, status, submissions }: World) {
  const payment = await askToPay();
  await psu.open(payment.request.url);
  await psu.signIn(USER);
  await expect(page).toHaveTitle(/We cannot answer at the moment/);
  await expect(page.getByText("25.00")).toHaveCount(0);
  expect(await status(payment)).toBe("RCVD");
  expect(await submissions(payment)).toBe(0);
}

/** What a TPP has read of a payment stays true, however often the core bank is asked about it, and so it is on the PSU's page. */
async function keepsStatus({ status, channel, page, calls }: World, paid: AskedToPay) {
  // Long enough for the server to ask about it, and to read the feed.
  for (let look = 0; look < 8; look += 1) {
    expect(await status(paid)).toBe("ACSC");
    await page.waitForTimeout(500);
  }
  // Once a second by the profile, and not as fast as the core bank answers.
  const asked = (await calls()).filter((call) => call === `GET /payments/${paid.paymentId}`);
  expect(asked.length).toBeLessThan(100);
  await channel(`/permissions/payments/${paid.paymentId}`);
  await expect(page.getByText("Paid", { exact: true })).toBeVisible();
}

/** Executed once, and a TPP reads so, however the answer to its submission was. */
async function paidOnce({ askToPay, pay, status, debits }: World): Promise<AskedToPay> {
  const payment = await pay(await askToPay());
  await expect.poll(() => status(payment), { timeout: 60_000 }).toBe("ACSC");
  expect(await debits()).toBe(1);
  return payment;
}

/** The next page of a report, after something was entered since the first. */
async function pageAfterWrite({ list, tpp, permission, submitAnother }: World) {
  const { transactions } = granted(await list("booked"));
  const next = transactions._links?.next?.href ?? "none";
  expect((await submitAnother(randomUUID())).status).toBe(200);
  const reply = await tpp.bank.nextTransactions(permission, next);
  return { first: transactions.booked ?? [], reply };
}

const ACCOUNT = `    if id not in owned(customer):
        raise Problem("unknown-account")
    return ACCOUNTS[id]`;
const LOOKED_UP = "[ACCOUNTS[id] for id in owned(customer) if id in ids]";
/** The feed tells nothing. */
const SILENT: Edit = ["[get_payment(id) for id in page]", "[]"];

const steps: readonly Step[] = [
  {
    mistake: "answers another customer's account",
    edits: [
      [ACCOUNT, '    return ACCOUNTS["A-3"]'],
      [LOOKED_UP, '[ACCOUNTS["A-3"]]'],
    ],
    holds: refused(...READS),
  },
  {
    mistake: "answers another customer's account under the id that was asked for",
    edits: [
      [ACCOUNT, '    return {**ACCOUNTS["A-3"], "id": id}'],
      [LOOKED_UP, '[{**ACCOUNTS["A-3"], "id": id} for id in ids]'],
    ],
    holds: refused(...READS),
  },
  {
    mistake: "quotes another customer's account",
    edits: [['"account": own[0], "debit"', '"account": ACCOUNTS["A-3"], "debit"']],
    holds: cannotBeConfirmed,
  },
  {
    mistake: "rounds",
    edits: [["{FRACTION_DIGITS.get(currency, 2)}", "1"]],
    holds: async (world) => {
      await refused("withBalances", "balances", "entries")(world);
      await cannotBeConfirmed(world);
    },
  },
  {
    mistake: "moves pages under writes",
    edits: coreBankMistakes["moves pages under writes"].edits,
    holds: async (world) => {
      expect((await pageAfterWrite(world)).reply).toMatchObject(unavailable);
    },
  },
  {
    mistake: "sends half an answer",
    edits: [halfAnswer(`not (${PUT} or self.path == "/calls")`)],
    isUnreachable: true,
    holds: refused(...READS),
  },
  {
    mistake: "leaves out a member of an answer",
    edits: coreBankMistakes["leaves out a member of an answer"].edits,
    holds: refused("standingOrders"),
  },
  {
    mistake: "sends half an answer to a submission",
    edits: [halfAnswer(PUT)],
    holds: async (world) => {
      expect(await world.submissions(await paidOnce(world))).toBe(1);
    },
  },
  {
    mistake: "hangs",
    edits: [late('self.path != "/calls"', 60)],
    isUnreachable: true,
    holds: async (world) => {
      const { tpp, permission, status, paid, channel, page } = world;
      const other = await tpp.ask();
      await refused(...READS)(world);
      expect(await status(paid)).toBe("ACSC");
      expect(granted(await tpp.bank.consentStatus(permission.consentId)).consentStatus).toBe(
        "valid",
      );
      expect((await tpp.bank.deleteConsent(other.consentId)).status).toBe(204);
      await channel("/permissions");
      await expect(page).toHaveTitle(/We cannot answer at the moment/);
      await expect(page.getByText(RON_ACCOUNT.slice(-4))).toHaveCount(0);
    },
  },
  {
    mistake: "ignores the deadline",
    edits: [late('"lookup" in self.path', 3)],
    holds: refused("accounts", "account", "withBalances", "balances"),
  },
  {
    mistake: "ignores the deadline of a submission, and executes it later",
    edits: [late(PUT, 6)],
    holds: async (world) => {
      await paidOnce(world);
    },
  },
  {
    mistake: "moves a status backwards",
    edits: coreBankMistakes["moves a status backwards"].edits,
    holds: async (world) => {
      const paid = await paidOnce(world);
      await keepsStatus(world, paid);
      expect(await world.reconcile()).toContain(`${paid.paymentId}  here ACSC  core bank ACCP`);
    },
  },
  {
    mistake: "forgets on restart",
    edits: [],
    holds: async (world) => {
      const paid = await paidOnce(world);
      await world.restart([]);
      await keepsStatus(world, paid);
      expect(await world.submissions(paid)).toBe(0);
      const unknown = `${paid.paymentId}  here ACSC  core bank none  not known to the core bank`;
      expect(await world.reconcile()).toContain(unknown);
    },
  },
  {
    mistake: "forgets a change in the feed",
    edits: [
      SILENT,
      [
        '"history": history}\n    return get_payment(id)',
        '"history": history}\n        return {"paymentId": id, "history": history[:1], "nextAt": (datetime.now(timezone.utc) + timedelta(seconds=1)).isoformat()}\n    return get_payment(id)',
      ],
    ],
    holds: async (world) => {
      await paidOnce(world);
    },
  },
  {
    mistake: "forgets a change in the feed, and sends half an answer to the submission",
    edits: [SILENT, halfAnswer(PUT)],
    holds: async (world) => {
      await paidOnce(world);
    },
  },
  {
    mistake: "executes each submission again, and sends half an answer to it",
    edits: [
      ["    if id not in PAYMENTS:\n        customer", "    if True:\n        customer"],
      halfAnswer(PUT),
    ],
    holds: async (world) => {
      expect(await world.submissions(await paidOnce(world))).toBe(1);
    },
  },
  {
    mistake: "lies about funds: it has the great amount and not the small one",
    edits: [['available >= Decimal(amount["amount"])}', 'Decimal(amount["amount"]) > 5000}']],
    holds: async ({ askFunds, funds }) => {
      expect(await askFunds(funds, "2.00")).toMatchObject(unavailable);
    },
  },
  {
    // The books are shown as they are: an entry does not say of which payment it is, so only the contract kit finds it.
    mistake: "executes a payment twice, of which a TPP sees both entries",
    edits: coreBankMistakes["executes a payment twice"].edits,
    holds: async ({ askToPay, pay, status, debits, submissions }) => {
      const payment = await pay(await askToPay());
      await expect.poll(() => status(payment)).toBe("ACSC");
      expect([await debits(), await submissions(payment)]).toEqual([2, 1]);
    },
  },
  {
    // The last one: the payment is sent again, and a core bank that has forgotten the other one takes it on. Its feed is
    // silent: by what that tells the payment would count as executed before its PSU confirms it.
    mistake: "has executed another payment under the same id",
    edits: [SILENT],
    holds: async ({ askToPay, submitAnother, pay, status, page, channel, reconcile }) => {
      const payment = await askToPay();
      expect((await submitAnother(payment.paymentId)).status).toBe(200);
      await pay(payment);
      for (let look = 0; look < 8; look += 1) {
        expect(await status(payment)).toBe("ACTC");
        await page.waitForTimeout(500);
      }
      await channel(`/permissions/payments/${payment.paymentId}`);
      await expect(page.getByText("Confirmed, in progress", { exact: true })).toBeVisible();
      expect(await reconcile()).toContain(`${payment.paymentId}  here ACTC`);
    },
  },
];

/** Whatever a step has done, the honest core bank's answers are shown again. */
const honest: Step = {
  mistake: "makes none",
  edits: [],
  holds: async (world) => {
    const { read, funds, askFunds } = world;
    for (const name of READS) expect((await read(name)).status, name).toBe(200);
    expect(granted(await askFunds(funds, "1.00")).fundsAvailable).toBe(true);
    expect(granted(await askFunds(funds, "20000.00")).fundsAvailable).toBe(false);
    const { first, reply } = await pageAfterWrite(world);
    const ids = [...first, ...(granted(reply).transactions.booked ?? [])].map(
      ({ transactionId }) => transactionId,
    );
    expect(new Set(ids).size).toBe(ids.length);
  },
};

async function worldOf(page: Page, folder: string) {
  const port = await steadyPort();
  let core: ExampleCoreBank = await startExample(undefined, port);
  const settings = {
    ...(await freshSettings(join(folder, "bank"))),
    shared: { CORE_BANK_URL: core.url },
  };
  const server = await startServer(settings);
  const tpp: TestTpp = await testTpp({ bank: settings });
  const psu = psuAt(page, settings.webUrl);
  const environment = {
    ...{ DATA_DIR: settings.dataDir, DATABASE_URL: "", SANDBOX: "true" },
    CORE_BANK_URL: core.url,
  };
  const added = await runBank(["psu", "add", USER, "--customer", "C-1"], environment);
  expect(added.stderr).toBe("");
  const since = new Date().toISOString();

  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.agree(USER, tpp.name);
  const { accessToken } = await tpp.collect(asked);
  const permission: Permission = { consentId: asked.consentId, accessToken };
  const shared = granted(await tpp.bank.accounts(permission)).accounts;
  const accountId = shared.find(({ iban }) => iban === RON_ACCOUNT)?.resourceId ?? "none";
  const account = { iban: RON_ACCOUNT };
  const funds: Permission = await authoriseFunds({ tpp, psu, userId: USER }, { account });

  const pay = async (payment: AskedToPay) => {
    await psu.open(payment.request.url);
    await psu.agreeAtOnce(USER, tpp.name);
    await tpp.collect(payment);
    return payment;
  };
  const askToPay = () => tpp.askToPay(instant({ debtorAccount: account }));
  const status = async (payment: AskedToPay) =>
    granted(await tpp.bank.paymentStatus(payment)).transactionStatus;
  /** In front of the honest core bank. */
  const paid = await pay(await askToPay());
  await expect.poll(() => status(paid)).toBe("ACSC");

  const list = (bookingStatus: "booked" | "information", dateFrom = bankDay(-60)) =>
    tpp.bank.transactions(permission, accountId, { bookingStatus, dateFrom });
  const read = (name: ReadName): Promise<Reply<unknown>> => {
    if (name === "accounts") return tpp.bank.accounts(permission);
    if (name === "account") return tpp.bank.account(permission, accountId);
    if (name === "withBalances") return tpp.bank.accounts(permission, true);
    if (name === "balances") return tpp.bank.balances(permission, accountId);
    return list(name === "entries" ? "booked" : "information");
  };
  const calls = async () => (await (await fetch(`${core.url}/calls`)).json()) as readonly string[];

  return {
    ...{
      page,
      psu,
      askToPay,
      pay,
      status,
      paid,
      tpp,
      permission,
      funds,
      accountId,
      list,
      read,
      calls,
    },
    askFunds: (permitted: Permission, amount: string) =>
      tpp.bank.confirmFunds(
        permitted,
        fundsQuestion({ account, instructedAmount: { currency: "RON", amount } }),
      ),
    submissions: async ({ paymentId }: AskedToPay) =>
      (await calls()).filter((call) => call === `PUT /payments/${paymentId}`).length,
    /** How often the payee was paid by the books that are shown, whose days are those of UTC. */
    debits: async () => {
      const { transactions } = granted(await list("booked", bankDay(-1)));
      return transactions.booked?.filter(({ creditorName }) => creditorName === PAYEE).length;
    },
    /** To a page of the PSU's own, signed in. */
    channel: async (path: string) => {
      await page.goto(settings.webUrl + path);
      const isSignedOut = await page.getByLabel("User ID", { exact: true }).isVisible();
      if (isSignedOut) await ownChannelAt(page, settings.webUrl).signIn(USER, path);
    },
    reconcile: async () => (await runBank(["reconcile", "--since", since], environment)).stderr,
    /** To the core bank itself, past Drawbridge. */
    submitAnother: (paymentId: string) =>
      fetch(`${core.url}/payments/${paymentId}`, {
        method: "PUT",
        body: JSON.stringify({
          customerId: "C-1",
          order: { debtor: account, creditor: { name: "Another payee" } },
          debit: { accountId: "A-1", amount: { amount: "1.00", currency: "RON" } },
        }),
      }),
    ready: () => fetch(`${settings.webUrl}/health/ready`).then((answer) => answer.text()),
    /** Starts again, with nothing of what it was told, and with these mistakes. */
    restart: async (edits: readonly Edit[]) => {
      await core.stop();
      core = await startExample(withMistake({ edits: [...told, ...edits] }), port);
    },
    close: async () => {
      await tpp.close();
      await server.stop();
      await core.stop();
    },
  };
}

test("in front of a core bank that makes a mistake TPPs and PSUs are shown the last truth or nothing", async ({
  page,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-mistakes-"));
  const world = await worldOf(page, folder);
  try {
    for (const { mistake, edits, holds, isUnreachable } of [honest, ...steps, honest]) {
      await test.step(mistake, async () => {
        await world.restart(edits);
        if (!isUnreachable) await expect.poll(world.ready).toBe("ready\n");
        await holds(world);
      });
    }
  } finally {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  }
});
