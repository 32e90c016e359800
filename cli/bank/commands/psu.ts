import { parseArgs } from "node:util";
import type { Config } from "@/lib/config";
import { enterPsus, findPsuByUserId } from "@/lib/core-bank/ledger/psu-directory";
import { fingerprintsOf } from "@/lib/core-bank/text-messages";
import { isCoreBankId } from "@/lib/domain/core-bank";
import { unlockPsu } from "@/lib/domain/psu-attempts";
import type { PsuId } from "@/lib/domain/values";
import type { Database } from "@/lib/postgres/client";
import { psuAttempts } from "@/lib/postgres/psu-attempts";
import { codeSecret } from "../code-secret";
import { CommandFailed } from "../command-failed";
import { asOperator, checkedReason } from "../operator";
import { WrongUsage } from "../wrong-usage";

export const help = `npm run bank -- psu unlock USER-ID [--reason TEXT]
npm run bank -- psu add USER-ID --customer ID [--name NAME] [--password PASSWORD]

unlock lifts the block after too many wrong passwords or codes, for 15 minutes or for good, and forgets the
failures before it. Make sure first that it is the PSU who asks. With PSU_LOGIN=oidc USER-ID is the customer's id.

add lets a customer of the core bank sign in to a sandbox, to try a core bank of one's own with.

  --reason TEXT        why, on record with the event
  --customer ID        the core bank's id of the customer
  --name NAME          as the pages greet the PSU; default USER-ID
  --password PASSWORD  default USER-ID-sandbox`;

const options = {
  customer: { type: "string" },
  name: { type: "string" },
  password: { type: "string" },
  reason: { type: "string" },
} as const;

export async function run(args: readonly string[]): Promise<string> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [verb, userId, third] = positionals;
  if ((verb !== "unlock" && verb !== "add") || userId === undefined || third !== undefined) {
    throw new WrongUsage("psu needs: unlock USER-ID, or add USER-ID");
  }
  const reason = checkedReason(values.reason);
  return asOperator({ command: `psu ${verb}`, reason }, async (db, settings) => {
    if (verb === "unlock") {
      const secret = await codeSecret(settings);
      return unlock(db, await psuOf(db, settings, userId), secret);
    }
    if (!settings.SANDBOX) throw new CommandFailed("psu add is for a sandbox");
    return add(db, { userId, ...values });
  });
}

type UnlockedPsu = Parameters<typeof unlockPsu>[1];

/** Under PSU_LOGIN=oidc failures are counted under the customer's id, and nothing else is known of the customer here. */
async function psuOf(
  db: Database,
  { PSU_LOGIN }: Pick<Config, "PSU_LOGIN">,
  userId: string,
): Promise<UnlockedPsu> {
  if (PSU_LOGIN === "oidc") return { id: userId as PsuId, userId };
  const psu = await findPsuByUserId(db)(userId);
  if (psu === undefined) throw new CommandFailed(`there is no PSU ${userId}`);
  return psu;
}

async function unlock(db: Database, psu: UnlockedPsu, secret: string): Promise<string> {
  const codes = { fingerprints: (text: string) => fingerprintsOf(text, secret) };
  const ports = { psuAttempts: psuAttempts(db), oneTimeCodes: codes };
  return (await unlockPsu(ports, psu))
    ? `${psu.userId} may sign in; failed attempts before now are forgotten`
    : `${psu.userId} has no failed attempts: nothing has changed`;
}

type Added = {
  readonly userId: string;
  readonly customer?: string | undefined;
  readonly name?: string | undefined;
  readonly password?: string | undefined;
};

async function add(db: Database, { userId, customer, name = userId, ...given }: Added) {
  if (customer === undefined || !isCoreBankId(customer)) {
    throw new WrongUsage("psu add needs --customer with the core bank's id of a customer");
  }
  if (!/^[a-z0-9._-]{1,64}$/.test(userId)) {
    throw new WrongUsage("a USER-ID has small letters, digits, dots, dashes and underscores");
  }
  const { password = `${userId}-sandbox` } = given;
  await enterPsus(db, [{ id: customer as PsuId, userId, name, password }]);
  const entered = await findPsuByUserId(db)(userId);
  if (entered?.id !== customer) {
    throw new CommandFailed(`${userId}, or the customer ${customer}, signs in already`);
  }
  return `${userId} signs in with the password ${password}, as the customer ${customer}`;
}
