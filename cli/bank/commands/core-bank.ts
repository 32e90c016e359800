import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { parseArgs, promisify } from "node:util";
import { CommandFailed } from "../command-failed";
import { checkCoreBank } from "../core-bank-check/check";
import type { CheckedRule } from "../core-bank-check/kit";
import { WrongUsage } from "../wrong-usage";

export const help = `npm run bank -- core-bank check URL --customer ID [--customer ID] [OPTIONS]

Calls the core bank at URL as Drawbridge does (docs/core-bank.openapi.yaml) and prints a line for each rule: kept,
broken with what was expected and what came, or not checked and why. Ends with 1 when a rule is broken.

  --customer ID      whose accounts it reads; a second one shows whether customers are kept apart
  --blocked-customer ID  one whom the core bank has blocked in all channels
  --pay              submits payments of the smallest amount between accounts of these customers, and one of
                     99,999,999,999 if its quote refuses it, which must be rejected
  --entries N        one account must have N entries, which are read whole and while a payment is entered
  --restart COMMAND  makes the core bank stop and start again, and ends when it may be called
  --cert, --key, --ca FILE   mutual TLS: this client's certificate and key, and the core bank's authority
  --token TOKEN      a bearer token
  --only WORDS       checks the rules that have these words in their line, and no other
  --patience N       takes N times the contract's deadlines, on a machine that is busy with something else`;

const options = {
  customer: { type: "string", multiple: true },
  "blocked-customer": { type: "string" },
  pay: { type: "boolean", default: false },
  entries: { type: "string", default: "0" },
  restart: { type: "string" },
  cert: { type: "string" },
  key: { type: "string" },
  ca: { type: "string" },
  token: { type: "string" },
  patience: { type: "string", default: "1" },
  only: { type: "string" },
} as const;

export async function run(args: readonly string[]): Promise<string> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [verb, url, more] = positionals;
  const [customer, ...customers] = values.customer ?? [];
  if (verb !== "check" || url === undefined || more !== undefined || !URL.canParse(url)) {
    throw new WrongUsage("core-bank needs check and one URL");
  }
  if (customer === undefined) throw new WrongUsage("core-bank check needs a --customer");
  const { pay: pays, token, restart, only } = values;
  if (!/^[1-9]\d?$/.test(values.patience)) throw new WrongUsage("--patience is 1 to 99");
  if (!/^\d{1,7}$/.test(values.entries)) throw new WrongUsage("--entries is 0 to 9999999");
  const lines: string[] = [];
  const results: CheckedRule["result"][] = [];
  const checked = checkCoreBank({
    ...{ url, token, pays, only, customers: [customer, ...customers], tls: await tlsOf(values) },
    blockedCustomer: values["blocked-customer"],
    restart: restart === undefined ? undefined : () => restarted(restart),
    patience: Number(values.patience),
    entries: Number(values.entries),
  });
  for await (const rule of checked) {
    lines.push(lineOf(rule));
    results.push(rule.result);
  }
  if (results.length === 0) throw new WrongUsage(`no rule has the words ${only}`);
  const count = (result: CheckedRule["result"]) => results.filter((one) => one === result).length;
  lines.push(
    `\n${count("kept")} kept, ${count("broken")} broken, ${count("not checked")} not checked`,
  );
  if (count("broken") > 0) throw new CommandFailed(lines.join("\n"));
  return lines.join("\n");
}

function lineOf(rule: CheckedRule): string {
  const head = `${rule.result.padEnd(11)} ${rule.rule}`;
  if (rule.result === "kept") return `${head}: ${rule.came}`;
  if (rule.result === "not checked") return `${head}: ${rule.because}`;
  return `${head}\n${" ".repeat(12)}expected ${rule.expected}\n${" ".repeat(12)}came     ${rule.came}`;
}

type Files = { readonly cert?: string; readonly key?: string; readonly ca?: string };

async function tlsOf({ cert, key, ca }: Files): Promise<Files> {
  const [certPem, keyPem, caPem] = await Promise.all(
    [cert, key, ca].map((file) => (file === undefined ? undefined : readFile(file, "utf8"))),
  );
  return {
    ...(certPem !== undefined && { cert: certPem }),
    ...(keyPem !== undefined && { key: keyPem }),
    ...(caPem !== undefined && { ca: caPem }),
  };
}

async function restarted(command: string): Promise<void> {
  await promisify(execFile)("sh", ["-c", command]);
}
