import { hostname, userInfo } from "node:os";
import type { Settings } from "@/lib/config";
import { connect, type Database } from "@/lib/postgres/client";
import { eventLog } from "@/lib/postgres/events";
import { loadSettings } from "@/lib/server/hosts";
import { databaseUrl } from "./database-url";
import { WrongUsage } from "./wrong-usage";

/** Who runs the command: the user of the operating system, since the bank's own log says who that was. */
export function operator(user: () => { readonly username: string } = userInfo): string {
  return `${nameOf(user)}@${hostname()}`;
}

/** An image may have no name for the user that it runs as. */
function nameOf(user: () => { readonly username: string }): string {
  try {
    return user().username;
  } catch {
    return `uid-${process.getuid?.()}`;
  }
}

type Commanded = {
  /** As it is recorded; a command that changes nothing has none. */
  readonly command?: string | undefined;
  readonly reason?: string | undefined;
};

/** Records the command, and does its work; every event that it causes names the operator and the reason. */
export async function asOperator<Result>(
  { command, reason }: Commanded,
  work: (db: Database, settings: Settings) => Promise<Result>,
): Promise<Result> {
  const settings = loadSettings();
  const { actingAs, close } = connect(await databaseUrl(settings), { max: 1 });
  try {
    const db = actingAs({ actor: operator(), reason });
    if (command !== undefined)
      await eventLog(db).record({ kind: "operator-command", detail: { command } });
    return await work(db, settings);
  } finally {
    await close();
  }
}

const REASON = /^[^\p{Cc}]{1,500}$/u;

/** As the operator gives it. Throws a WrongUsage. */
export function checkedReason(reason: string | undefined): string | undefined {
  if (reason === undefined || REASON.test(reason)) return reason;
  throw new WrongUsage("--reason is one line of at most 500 characters");
}
