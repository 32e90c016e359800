import { parseArgs } from "node:util";
import { type ImportedStatement, importStatements } from "@/lib/core-bank/ledger/import-statements";
import { findPsuByUserId } from "@/lib/core-bank/ledger/psu-directory";
import { formatAmount } from "@/lib/domain/values";
import { sandboxClock } from "@/lib/postgres/sandbox";
import { bankProfile } from "@/lib/profile/in-force";
import { systemClock } from "@/lib/system-clock";
import { readStatements } from "../camt053/read-statements";
import { CommandFailed } from "../command-failed";
import { statementFile } from "../file-at";
import { asOperator } from "../operator";
import { WrongUsage } from "../wrong-usage";

export const help = `npm run bank -- import FILE [--psu USER]

Enters the statements of a camt.053 file (.001.02 or .001.08): account, balances and entries. What the
ledger has already stays as it is. A file that does not add up is refused whole.

  --psu USER  whose account it is; default ana`;

/** The file is read before the database is asked: what is wrong with it needs no server. */
export async function run(args: readonly string[]): Promise<string> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { psu: { type: "string", default: "ana" } },
    allowPositionals: true,
  });
  const [file, second] = positionals;
  if (file === undefined || second !== undefined) throw new WrongUsage("import needs one FILE");
  const statements = readStatements(await statementFile(file));
  return asOperator({ command: "import" }, async (db, settings) => {
    const psu = await findPsuByUserId(db)(values.psu);
    if (psu === undefined) throw new CommandFailed(`--psu ${values.psu}: there is no such PSU`);
    const now = await (settings.SANDBOX ? sandboxClock(db) : systemClock).now();
    const imported = await importStatements(db, {
      statements,
      ownerId: psu.id,
      bic: bankProfile().bic,
      now,
    });
    return imported.map((statement) => toldOf(statement, psu.userId)).join("\n");
  });
}

function toldOf(statement: ImportedStatement, userId: string): string {
  const { id, iban, closing, isNewAccount, isKnown } = statement;
  const what = `statement ${id} of ${iban} ${closing.currency}`;
  if (isKnown) return `${what} was imported before: nothing has changed`;
  const account = isNewAccount ? `, account opened for ${userId}` : "";
  const parts = [
    `entries added: ${statement.added}`,
    ...counted("pending before, booked now", statement.booked),
    ...counted("known before", statement.unchanged),
    ...counted("left out, since they move no money", statement.leftOut),
  ];
  return `${what}${account}; ${parts.join("; ")}; closing balance: ${formatAmount(closing.minorUnits)}`;
}

function counted(what: string, count: number): readonly string[] {
  return count === 0 ? [] : [`${what}: ${count}`];
}
