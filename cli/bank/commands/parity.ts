import { parseArgs } from "node:util";
import { connectCoreBank } from "@/lib/core-bank/connect";
import {
  account,
  counterparty,
  pageLimit,
  standingOrder,
  transaction,
  transactionDetails,
} from "@/lib/core-bank/http/contract";
import type { AccountOfCustomer, CoreBank } from "@/lib/domain/core-bank";
import { addDays, dayIn, type PsuId, type ReportCursor } from "@/lib/domain/values";
import { connect } from "@/lib/postgres/client";
import { sandboxClock } from "@/lib/postgres/sandbox";
import { bankProfile } from "@/lib/profile/in-force";
import { loadSettings } from "@/lib/server/hosts";
import { systemClock } from "@/lib/system-clock";
import { databaseUrl } from "../database-url";
import { WrongUsage } from "../wrong-usage";

export const help = `npm run bank -- parity --customer ID [--customer ID] [--days 730]

Reads accounts, entries and standing orders of these customers from the core bank, and prints for each optional field how
often it was there. What a customer sees in the bank's own channel a TPP may see too (RTS art. 36(1)(a)): a field that is
never filled here and shown there is a gap.

  --customer ID  the core bank's id of a customer
  --days N       how far back entries are read`;

/** The contract's objects and their fields; those that are always there say nothing. */
const shapes = {
  account: account.shape,
  transaction: transaction.shape,
  details: transactionDetails.shape,
  counterparty: counterparty.shape,
  standingOrder: standingOrder.shape,
} as const;
type Kind = keyof typeof shapes;
/** The customer is asked for and not an account: only a core bank over HTTP tells. */
const leftOut: ReadonlySet<string> = new Set(["account.mayPay"]);

export async function run(args: readonly string[]): Promise<string> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      customer: { type: "string", multiple: true },
      days: { type: "string", default: "730" },
    },
  });
  const days = Number(values.days);
  if (values.customer === undefined) throw new WrongUsage("parity needs a --customer");
  if (!Number.isInteger(days) || days < 1) throw new WrongUsage("--days is a number of days");
  const settings = loadSettings();
  const { db, close } = connect(await databaseUrl(settings), { max: 2 });
  const movable = settings.SANDBOX ? sandboxClock(db) : undefined;
  const { coreBank: coreBankOf, close: disconnect } = connectCoreBank(settings, db, movable);
  const coreBank = coreBankOf(bankProfile());
  try {
    const counts = counting();
    const now = await (movable ?? systemClock).now();
    for (const customer of values.customer) {
      for (const held of await coreBank.accountsOf(customer as PsuId)) {
        counts.see("account", held);
        const account = { accountId: held.id, customerId: customer as PsuId };
        await seeContent(coreBank, account, { counts, now, days });
      }
    }
    return counts.lines().join("\n");
  } finally {
    await disconnect();
    await close();
  }
}

type Counts = ReturnType<typeof counting>;
type Reading = { readonly counts: Counts; readonly now: Date; readonly days: number };

async function seeContent(coreBank: CoreBank, account: AccountOfCustomer, reading: Reading) {
  const { counts, now, days } = reading;
  const today = dayIn("UTC", now);
  const query = {
    ...{ ...account, from: addDays(today, -days), to: addDays(today, 1), limit: pageLimit },
    statuses: ["booked", "pending"] as const,
  };
  let after: ReportCursor | undefined;
  do {
    const page = await coreBank.transactions({ ...query, ...(after && { after }) });
    for (const entry of page?.entries ?? []) {
      counts.see("transaction", entry);
      counts.see("counterparty", entry.counterparty);
      if (entry.details) counts.see("details", entry.details);
    }
    after = page?.next;
  } while (after !== undefined);
  for (const order of (await coreBank.standingOrders(account))?.standingOrders ?? []) {
    counts.see("standingOrder", order);
  }
}

function counting() {
  const seen = new Map<Kind, number>();
  const filled = new Map<string, number>();
  const add = <Key>(map: Map<Key, number>, key: Key) => map.set(key, (map.get(key) ?? 0) + 1);
  return {
    see: (kind: Kind, value: object) => {
      add(seen, kind);
      for (const [field, content] of Object.entries(value)) {
        if (content !== undefined) add(filled, `${kind}.${field}`);
      }
    },
    lines: () =>
      (Object.keys(shapes) as Kind[]).flatMap((kind) =>
        Object.entries(shapes[kind])
          .filter(([field, schema]) => {
            return schema.safeParse(undefined).success && !leftOut.has(`${kind}.${field}`);
          })
          .map(([field]) => lineOf(`${kind}.${field}`, kind)),
      ),
  };

  function lineOf(name: string, kind: Kind): string {
    const count = filled.get(name) ?? 0;
    const found = count === 0 ? "never" : `${count} of ${seen.get(kind) ?? 0}`;
    return `${name.padEnd(44)} ${found}`;
  }
}
