import { parseArgs } from "node:util";
import { stringify } from "yaml";
import { amountOf, type Money } from "@/lib/domain/values";
import { bankFile } from "@/lib/profile/in-force";
import { readBankFile } from "@/lib/profile/read";
import { loadSettings } from "@/lib/server/hosts";

export const help = `npm run bank -- profile [--check FILE]

Prints the profile of BANK_PROFILE, or the demo bank's, with every value that its file leaves out. A server has
read the same file again a second after it changed, unless its log says that it was refused.

  --check FILE  reads another file: prints it in the same way, or says of each mistake the file, the line and
                what is expected`;

export async function run(args: readonly string[]): Promise<string> {
  const { values } = parseArgs({ args: [...args], options: { check: { type: "string" } } });
  loadSettings();
  const { profile, theme, texts, paths } =
    values.check === undefined ? bankFile() : readBankFile(values.check);
  const { means: _, approvedDetailsReturned: __, ...sca } = profile.sca;
  const shown = { ...profile, sca, ...(theme && { theme: [...theme.files.keys()] }), texts };
  const text = JSON.stringify(shown, (_key, value: unknown) => written(value));
  return `# ${paths.join(", ")}\n${stringify(JSON.parse(text)).trimEnd()}`;
}

/** Amounts and rates as a file has them. */
function written(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value) / 10_000;
  if (isMoney(value)) return `${amountOf(value)} ${value.currency}`;
  return value;
}

function isMoney(value: unknown): value is Money {
  return typeof value === "object" && value !== null && "minorUnits" in value;
}
