import { parseArgs } from "node:util";
import { connectCoreBank } from "@/lib/core-bank/connect";
import { type Difference, differencesSince, followChanges } from "@/lib/domain/reconciliation";
import { connect } from "@/lib/postgres/client";
import { eventLog } from "@/lib/postgres/events";
import { paymentStore } from "@/lib/postgres/payments";
import { reconciliationStore } from "@/lib/postgres/reconciliation";
import { sandboxClock } from "@/lib/postgres/sandbox";
import { bankProfile } from "@/lib/profile/in-force";
import { loadSettings } from "@/lib/server/hosts";
import { CommandFailed } from "../command-failed";
import { databaseUrl } from "../database-url";
import { parseInstant } from "../instant";
import { operator } from "../operator";
import { WrongUsage } from "../wrong-usage";

export const help = `npm run bank -- reconcile --since INSTANT [--mend]

Asks the core bank about every payment that was authorised or has changed since then, reads its feed of changes, and prints
a line for each difference: the payment, its status here and there. Changes nothing; the server itself writes what the feed
tells. Ends with 1 when there is a difference.

  --since INSTANT  as in 2026-12-31T00:00:00Z
  --mend           first writes what the feed tells, as a server does: after a restore, before the servers start`;

export async function run(args: readonly string[]): Promise<string> {
  const { values } = parseArgs({
    args: [...args],
    options: { since: { type: "string" }, mend: { type: "boolean", default: false } },
  });
  const since = parseInstant(values.since ?? "never");
  if (since === undefined) throw new WrongUsage("reconcile needs --since INSTANT");
  const settings = loadSettings();
  const { db, actingAs, close } = connect(await databaseUrl(settings), { max: 2 });
  const movable = settings.SANDBOX ? sandboxClock(db) : undefined;
  const { coreBank, close: disconnect } = connectCoreBank(settings, db, movable);
  try {
    const lines: string[] = [];
    const actor = operator();
    const acting = actingAs({ actor });
    const stores = { payments: paymentStore(acting), reconciliation: reconciliationStore(acting) };
    if (values.mend) {
      const detail = { command: "reconcile --mend" };
      await eventLog(db).record({ kind: "operator-command", actor, detail });
    }
    const bank = coreBank(bankProfile());
    let unusable = 0;
    const paymentChanges: typeof bank.paymentChanges = async (after) => {
      const page = await bank.paymentChanges(after);
      unusable = Math.max(unusable, page.unusable ?? 0);
      return page;
    };
    const ports = { ...stores, coreBank: { ...bank, paymentChanges } };
    while (values.mend && (await followChanges(ports)).more);
    for await (const difference of differencesSince(ports, since)) lines.push(lineOf(difference));
    if (unusable > 0) {
      throw new CommandFailed(
        [...lines, "changes of the core bank's feed are malformed, see the log"].join("\n"),
      );
    }
    if (lines.length === 0) return "no differences";
    throw new CommandFailed([...lines, `differences: ${lines.length}`].join("\n"));
  } finally {
    await disconnect();
    await close();
  }
}

const words: Readonly<Record<Difference["kind"], string>> = {
  "unknown-here": "not known here",
  "unknown-there": "not known to the core bank",
  "behind-here": "behind here",
  contradictory: "the two contradict each other",
  conflict: "the core bank has another order under this id, and has refused the one of here",
};

function lineOf({ paymentId, kind, here, there }: Difference): string {
  return `${paymentId}  here ${here ?? "none"}  core bank ${there ?? "none"}  ${words[kind]}`;
}
