import { parseArgs } from "node:util";
import { type BlockOrder, isTppId, type StopList, type TppRegister } from "@/lib/domain/tpp";
import type { TppId } from "@/lib/domain/values";
import { sandboxClock } from "@/lib/postgres/sandbox";
import { stopList, tppRegister } from "@/lib/postgres/tpps";
import { systemClock } from "@/lib/system-clock";
import { CommandFailed } from "../command-failed";
import { parseInstant } from "../instant";
import { asOperator, checkedReason } from "../operator";
import { WrongUsage } from "../wrong-usage";

export const help = `npm run bank -- tpp block ORGANISATION-IDENTIFIER [--until INSTANT] [--reason TEXT]
npm run bank -- tpp unblock ORGANISATION-IDENTIFIER [--reason TEXT]
npm run bank -- tpp list

From its next call on, a TPP that is blocked gets CERTIFICATE_BLOCKED for everything, no token, and no
PSU's yes. Payments that a PSU has confirmed before are executed. The identifier is the one in the
TPP's certificates, as in PSDRO-NBR-1234567. Of two orders for one TPP the one that ends later counts.

  --until INSTANT  when the block ends, as in 2026-12-31T00:00:00Z; without it, when it is unblocked
  --reason TEXT    for the events, and of a block for "tpp list"; neither the TPP nor a PSU is told`;

type Bank = {
  readonly stopList: StopList;
  readonly register: TppRegister;
  readonly now: Date;
};
type Task = (bank: Bank) => Promise<string>;

export async function run(args: readonly string[]): Promise<string> {
  const { task, reason } = taskOf(args);
  const command = task === list ? undefined : `tpp ${args[0]}`;
  return asOperator({ command, reason }, async (db, settings) => {
    const now = await (settings.SANDBOX ? sandboxClock(db) : systemClock).now();
    return task({ stopList: stopList(db), register: tppRegister(db), now });
  });
}

const USAGE = "tpp needs: block or unblock and one ORGANISATION-IDENTIFIER, or list";

/** Everything that is wrong with the words is found before the database is looked for. */
function taskOf([verb, ...rest]: readonly string[]): { task: Task } & Pick<BlockOrder, "reason"> {
  const { values, positionals } = parseArgs({
    args: rest,
    options: { until: { type: "string" }, reason: { type: "string" } },
    allowPositionals: true,
  });
  const [tppId, ...more] = positionals;
  if (verb !== "block" && values.until !== undefined) {
    throw new WrongUsage("--until is for tpp block");
  }
  if (verb !== "block" && verb !== "unblock" && values.reason !== undefined) {
    throw new WrongUsage("--reason is for tpp block and tpp unblock");
  }
  if (verb === "list" && tppId === undefined) return { task: list };
  const isKnown = verb === "block" || verb === "unblock";
  if (!isKnown || tppId === undefined || more.length > 0) throw new WrongUsage(USAGE);
  if (!isTppId(tppId) || tppId.length > TPP_ID_CHARACTERS_MAX) {
    throw new WrongUsage(`${tppId} is not of the form PSDRO-NBR-1234567`);
  }
  const reason = reasonOf(values.reason);
  if (verb === "unblock") return { task: (bank) => unblock(bank, tppId), ...reason };
  const terms = { ...untilOf(values.until), ...reason };
  return { task: (bank) => block(bank, { tppId, ...terms, blockedAt: bank.now }), ...reason };
}

/** No name in a certificate is longer. */
const TPP_ID_CHARACTERS_MAX = 256;

function untilOf(text: string | undefined): Pick<BlockOrder, "until"> {
  if (text === undefined) return {};
  const until = parseInstant(text);
  if (until !== undefined) return { until };
  throw new WrongUsage(`--until ${text} is no instant, as in 2026-12-31T00:00:00Z`);
}

function reasonOf(given: string | undefined): Pick<BlockOrder, "reason"> {
  const reason = checkedReason(given);
  return reason === undefined ? {} : { reason };
}

async function block({ stopList: stopped, register, now }: Bank, order: BlockOrder) {
  const blocking = await stopped.block(order);
  const { tppId } = order;
  switch (blocking.outcome) {
    case "blocked":
      return `${await named(register, tppId)} is blocked ${endOf(order)}`;
    case "blocked-already":
      return `${tppId} is blocked ${endOf(blocking)} already: nothing has changed`;
    case "over-already":
      throw new CommandFailed(
        `${tppId} would be blocked ${endOf(order)}, and it is ${now.toISOString()}: nothing has changed`,
      );
  }
}

async function unblock({ stopList: stopped, now }: Bank, tppId: TppId): Promise<string> {
  return (await stopped.unblock(tppId, now))
    ? `${tppId} is not blocked any more`
    : `${tppId} is not blocked: nothing has changed`;
}

async function list({ stopList: stopped, now }: Bank): Promise<string> {
  const orders = await stopped.list(now);
  if (orders.length === 0) return "no TPP is blocked";
  return orders
    .map(({ reason, ...order }) => {
      const since = `since ${order.blockedAt.toISOString()}`;
      return `${order.tppId} ${since} ${endOf(order)}${reason === undefined ? "" : `: ${reason}`}`;
    })
    .join("\n");
}

/** A mistyped identifier is one that nobody has come with. */
async function named(register: TppRegister, tppId: TppId): Promise<string> {
  const tpp = await register.find(tppId);
  return tpp === undefined
    ? `${tppId}, which this bank has not met yet,`
    : `${tpp.name} (${tppId})`;
}

function endOf({ until }: Pick<BlockOrder, "until">): string {
  return until === undefined ? "until it is unblocked" : `until ${until.toISOString()}`;
}
