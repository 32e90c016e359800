import { parseArgs } from "node:util";
import { findPsuByUserId } from "@/lib/core-bank/psu-directory";
import { fingerprintOf } from "@/lib/core-bank/text-messages";
import { unlockedUserKey, userKey } from "@/lib/domain/psu-attempts";
import { connect } from "@/lib/postgres/client";
import { psuAttempts } from "@/lib/postgres/psus";
import { loadSettings } from "@/lib/server/hosts";
import { codeSecret } from "../code-secret";
import { CommandFailed } from "../command-failed";
import { databaseUrl } from "../database-url";
import { WrongUsage } from "../wrong-usage";

export const summary = "lifts the block on a PSU's sign-in";

export const help = `npm run bank -- psu unlock USER-ID

Lifts the block after too many wrong passwords or codes, for 15 minutes or for good, and forgets the
failures before it. Make sure first that it is the PSU who asks.`;

export async function run(args: readonly string[]): Promise<string> {
  const { positionals } = parseArgs({ args: [...args], allowPositionals: true });
  const [verb, userId, third] = positionals;
  if (verb !== "unlock" || userId === undefined || third !== undefined) {
    throw new WrongUsage("psu needs: unlock USER-ID");
  }
  const settings = loadSettings();
  const secret = await codeSecret(settings);
  const { db, close } = connect(await databaseUrl(settings), { max: 1 });
  try {
    const psu = await findPsuByUserId(db)(userId);
    if (psu === undefined) throw new CommandFailed(`there is no PSU ${userId}`);
    const codes = { fingerprint: (text: string) => fingerprintOf(text, secret) };
    const attempts = psuAttempts(db);
    await attempts.forget(unlockedUserKey(codes, psu.userId));
    const forgotten = await attempts.forget(userKey(codes, psu.userId));
    return forgotten
      ? `${psu.userId} may sign in; failed attempts before now are forgotten`
      : `${psu.userId} has no failed attempts: nothing has changed`;
  } finally {
    await close();
  }
}
