import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCoreBank } from "@/e2e/harness/core-bank";
import { type ExampleCoreBank, startExample } from "@/e2e/harness/example-core-bank";
import { demoCustomers } from "@/lib/sandbox/demo-bank-people";
import { run } from "./run";

// Side by side: the kit mostly waits for payments to come to their end.
const check = (url: string, ...more: readonly string[]) =>
  run(["core-bank", "check", url, "--customer", "C-1", "--customer", "C-2", "--pay", ...more]);

/** The core bank begins again, with nothing of what it was told. */
const forgets = (url: string) =>
  [
    "--restart",
    `python3 -c "import urllib.request as r; r.urlopen('${url}/restart')" || true`,
  ] as const;

/** What keeps every rule does so on a busy machine, too, if in its own time. */
const PATIENT = ["--patience", "20"] as const;

describe.concurrent("npm run bank -- core-bank check", () => {
  let core: ExampleCoreBank;
  beforeAll(async () => {
    core = await startExample();
  });
  afterAll(() => core.stop());

  it("finds that the example keeps every rule", async () => {
    const { exitCode, output, errors } = await check(core.url, ...PATIENT);
    expect(errors).toBe("");
    expect(output).toContain("26 kept, 0 broken, 1 not checked");
    expect(exitCode).toBe(0);
  });

  it("takes a whole number of times the deadlines, and nothing else", async () => {
    const { exitCode, errors } = await check(core.url, "--patience", "0");
    expect([exitCode, errors]).toEqual([2, expect.stringContaining("--patience is 1 to 99")]);
  });

  it("says which rules it cannot check without a payment or a second customer", async () => {
    const { output } = await run(["core-bank", "check", core.url, "--customer", "C-1"]);
    expect(output).toMatch(/not checked a status never goes backwards: needs --pay/);
    expect(output).toMatch(/not checked funds of another customer's account .*needs two customers/);
  });
});

const HANDLER = "        target = urlsplit(self.path)";
const late = (seconds: number) =>
  `        "standing" in self.path and threading.Event().wait(${seconds})\n${HANDLER}`;

/** A core bank with one mistake, and the rule that finds it. */
const mistakes: readonly (readonly [mistake: string, from: string, to: string, rule: string])[] = [
  [
    "executes a payment twice",
    'self.enter(account_id, -amount, order["creditor"]["name"])',
    '[self.enter(account_id, -amount, order["creditor"]["name"]) for _ in range(2)]',
    "50 submissions of one payment at once execute it once",
  ],
  [
    "answers another customer's account",
    "if account_id not in self.owners.get(customer, ()):",
    "if False:",
    "funds of another customer's account are not confirmed",
  ],
  [
    "moves pages under writes",
    "rows = [e for e in rows if after is None or self.place(e) < after]",
    "rows = sorted(self.entries[id], key=self.place, reverse=True)[sum(self.place(e) >= after for e in rows) if after else 0:]",
    "pages of a report do not move while entries are written",
  ],
  [
    "leaves an entry out of a later page",
    'rows = [e for e in self.entries[id] if e["made"]',
    'rows = [e for e in self.entries[id] if (after is None or e["made"] != 7) and e["made"]',
    "pages together hold every entry once, newest first",
  ],
  [
    "forgets on restart",
    HANDLER,
    `        self.path == "/restart" and BANK.__init__()\n${HANDLER}`,
    "after a restart nothing is forgotten",
  ],
  ["hangs", HANDLER, late(60), "standing orders are listed"],
  ["ignores the deadline", HANDLER, late(3), "standing orders are listed"],
  [
    "rounds",
    "digits = FRACTION_DIGITS.get(currency, 2)",
    "digits = 2",
    "amounts have as many decimals as ISO 4217 gives their currency",
  ],
  [
    "accepts a conflict",
    'if self.payments[id]["body"] != body:',
    "if False:",
    "another body under the same id is a conflict, and changes nothing",
  ],
  [
    "lies about funds",
    'available >= Decimal(amount["amount"])}',
    "True}",
    "funds are confirmed as far as the balance goes, and no further",
  ],
  [
    "compares funds in another currency",
    'if amount["currency"] == account["currency"] else None for amount in amounts]',
    "for amount in amounts]",
    "funds are compared in the account's currency, for any currency or not at all",
  ],
  [
    "does not say that a position has expired",
    "if not after.isdecimal() or int(after) > len(self.changes):",
    "if False:",
    "a cursor or a position that the core bank has not made is expired-cursor",
  ],
  [
    "sends half an answer",
    '{"account": BANK.account(a), "standingOrders": []}',
    '{"account": BANK.account(a)}',
    "standing orders are listed",
  ],
  [
    "moves a status backwards",
    'return {"paymentId": id, "history": payment["history"], **funds}',
    'payment["read"] = payment.get("read", 0) + 1\n        return {"paymentId": id, "history": payment["history"][: 1 if payment["read"] > 1 else None], **funds}',
    "a payment is known by its id, and an unknown one is unknown-payment",
  ],
  [
    "forgets a change in the feed",
    "self.changes.append(id)",
    "self.changes += [id] if len(self.payments) % 2 else []",
    "the feed of changes names each payment that has changed",
  ],
];

describe.concurrent("a core bank that", () => {
  it.each(mistakes)("%s is found", async (_what, from, to, rule) => {
    const core = await startExample((source) => source.replace(from, to));
    try {
      expect(core.isChanged).toBe(true);
      const more = rule.startsWith("after a restart") ? forgets(core.url) : [];
      const { exitCode, errors } = await check(core.url, ...more);
      expect(errors).toContain(`broken      ${rule}\n`);
      expect(exitCode).toBe(1);
    } finally {
      await core.stop();
    }
  });
});

describe.concurrent("npm run core-bank", () => {
  it("serves the embedded ledger over the contract and mutual TLS, and keeps every rule", async () => {
    const folder = await mkdtemp(join(tmpdir(), "drawbridge-ledger-"));
    await chmod(folder, 0o711);
    const core = await startCoreBank(join(folder, "data"));
    try {
      const { CORE_BANK_URL: url = "", CORE_BANK_TLS_CA: ca = "" } = core.settings;
      const { CORE_BANK_TLS_CERT: cert = "", CORE_BANK_TLS_KEY: key = "" } = core.settings;
      const customers = [demoCustomers.ana.id, demoCustomers.mihai.id];
      const asked = customers.flatMap((id) => ["--customer", id]);
      const tls = ["--cert", cert, "--key", key, "--ca", ca];
      const asking = ["core-bank", "check", url, ...asked, "--pay", ...tls, ...PATIENT];
      const { output, errors } = await run(asking);
      expect(errors).toBe("");
      expect(output).toContain("26 kept, 0 broken, 1 not checked");
      const stranger = new Agent({ connect: { ca: await readFile(ca, "utf8") } });
      await expect(request(url, { dispatcher: stranger })).rejects.toThrow();
      await stranger.close();
    } finally {
      await core.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
