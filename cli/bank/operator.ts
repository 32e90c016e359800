import { hostname, userInfo } from "node:os";
import { sql } from "drizzle-orm";
import type { Database } from "@/lib/postgres/client";
import { eventLog } from "@/lib/postgres/events";
import { WrongUsage } from "./wrong-usage";

/** Who runs the command: the user of the operating system, since the bank's own log says who that was. */
export function operator(): string {
  return `${userInfo().username}@${hostname()}`;
}

/** Records the command, and names its operator, and the reason, in every event that it causes; of a client with one connection. */
export async function actAsOperator(db: Database, command: string, reason = ""): Promise<void> {
  await db.execute(sql`select set_config('drawbridge.actor', ${operator()}, false),
    set_config('drawbridge.reason', ${reason}, false)`);
  await eventLog(db).record({ kind: "operator-command", detail: { command } });
}

const REASON = /^[^\p{Cc}]{1,500}$/u;

/** As the operator gives it. Throws a WrongUsage. */
export function checkedReason(reason: string | undefined): string | undefined {
  if (reason === undefined || REASON.test(reason)) return reason;
  throw new WrongUsage("--reason is one line of at most 500 characters");
}
