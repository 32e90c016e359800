import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import { type ProbedInterface, probedInterfaces } from "@/lib/domain/interface-figures";
import { parseIsoDate } from "@/lib/domain/values";
import { interfaceFigures } from "@/lib/postgres/interface-figures";
import { systemClock } from "@/lib/system-clock";
import { CommandFailed } from "../command-failed";
import { parseInstant } from "../instant";
import { asOperator, operator } from "../operator";
import { WrongUsage } from "../wrong-usage";

const HEAD = "channel,day,planned downtime %,unplanned downtime %,accounts ms,payments ms,errors %";

export const help = `npm run bank -- statistics downtime --interface xs2a --from INSTANT --until INSTANT --reason TEXT
npm run bank -- statistics channel FILE

downtime   Downtime between the two instants is published as planned. The beginning has to lie in the future.
           --interface  xs2a, the interface for TPPs, or pages, the bank's own channel here
channel    The daily figures of a channel that is not this server, such as the bank's app, which have to be published
           beside those of the interface. FILE is CSV with the head
             ${HEAD}
           Times and errors may be empty. Days that were given before are replaced.`;

export async function run([name, ...args]: readonly string[]): Promise<string> {
  if (name === "downtime") return announce(args);
  if (name === "channel") return takeChannel(args);
  throw new WrongUsage("statistics downtime or statistics channel");
}

async function announce(args: readonly string[]): Promise<string> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { interface: text, from: text, until: text, reason: text },
  });
  const of = probedInterfaces.find((one) => one === values.interface);
  const [from, until] = [parseInstant(values.from ?? "none"), parseInstant(values.until ?? "none")];
  if (of === undefined) throw new WrongUsage("--interface is xs2a or pages");
  if (from === undefined || until === undefined || from >= until)
    throw new WrongUsage("--from and --until are instants, the first before the second");
  if (!values.reason) throw new WrongUsage("downtime needs a --reason");
  const at = await systemClock.now();
  if (from <= at)
    throw new CommandFailed("downtime is planned when it is announced before it begins");
  const { reason } = values;
  const downtime = { interface: of satisfies ProbedInterface, from, until, reason, at };
  await asOperator({ command: "statistics downtime" }, (db) =>
    interfaceFigures(db).announceDowntime({ ...downtime, by: operator() }),
  );
  return `announced: ${of} from ${from.toISOString()} until ${until.toISOString()}`;
}

/** An empty cell is no zero. */
const filled = z.string().min(1);
const share = filled
  .pipe(z.coerce.number<string>().min(0).max(100))
  .transform((percent) => percent / 100);
const nothing = z.literal("").transform(() => undefined);
const mean = z.union([nothing, z.coerce.number<string>().min(0)]);
const line = z
  .tuple([
    filled.max(40),
    z.string().transform((text, context) => {
      const day = parseIsoDate(text);
      if (day === undefined) context.addIssue("no day");
      return day ?? z.NEVER;
    }),
    share,
    share,
    mean,
    mean,
    z.union([nothing, share]),
  ])
  .transform(([channel, day, plannedDowntime, unplannedDowntime, accounts, payments, errors]) => ({
    ...{ channel, day, plannedDowntime, unplannedDowntime, errors },
    accountsMilliseconds: accounts,
    paymentsMilliseconds: payments,
  }))
  .refine(
    (one) => one.plannedDowntime + one.unplannedDowntime <= 1,
    "more downtime than a day has",
  );

async function takeChannel([file, ...more]: readonly string[]): Promise<string> {
  if (file === undefined || more.length > 0) throw new WrongUsage("statistics channel FILE");
  const text = await readFile(file, "utf8").catch(() => {
    throw new CommandFailed(`${file} cannot be read`);
  });
  const [head, ...lines] = text
    .split(/\r?\n/)
    .map((one, nth) => ({ cells: one.split(",").map((cell) => cell.trim()), number: nth + 1 }))
    .filter(({ cells }) => cells.join("") !== "");
  if (head?.cells.join() !== HEAD) throw new CommandFailed(`${file} has to begin with ${HEAD}`);
  const seen = new Set<string>();
  const days = lines.map(({ cells, number }) => {
    const where = `${file}, line ${number}`;
    const { data, error } = line.safeParse(cells);
    if (data === undefined) {
      const [issue] = error.issues;
      throw new CommandFailed(`${where}: ${issue?.path.join(".")} ${issue?.message}`);
    }
    const key = `${data.channel} ${data.day}`;
    if (seen.has(key)) throw new CommandFailed(`${where}: ${key} is given twice`);
    seen.add(key);
    return data;
  });
  if (days.length === 0) throw new CommandFailed(`${file} has no line below its head`);
  await asOperator({ command: "statistics channel" }, (db) =>
    interfaceFigures(db).keepChannelDays(days),
  );
  return `${days.length} days taken`;
}
