import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { closingAfter } from "./closings";
import { CONSENTS } from "./compare";
import { checkedCalls } from "./load/checked";
import { type Clients, startClients } from "./load/clients";
import type { CheckedCall } from "./load/orders";
import { median } from "./measure/statistics";
import { usageOf } from "./measure/usage";
import type { Options } from "./options";
import { type ReadyBank, readyBank } from "./ready-bank";

/** Of the looks since the step before: how much there is depends on when it was collected last. */
export type MemoryStep = {
  readonly requests: number;
  readonly megabytes: number;
  readonly mostMegabytes: number;
};

/** How often it is looked at, and how long before each look nothing is sent. */
export type Looking = {
  readonly steps: number;
  readonly looksAStep: number;
  /** For what is still being answered. */
  readonly idleMs: number;
};

const LOOKING: Looking = { steps: 10, looksAStep: 10, idleMs: 500 };
const MEGABYTE = 1_048_576;

type Say = (line: string) => void;

/** What the server holds after each tenth of the requests, of all kinds in turn. */
export function memory(options: Options, say: Say): Promise<readonly MemoryStep[]> {
  return closingAfter(async (closings) => {
    const bank = await readyBank(closings, { only: options.only, consents: CONSENTS });
    const clients = startClients(availableParallelism());
    closings.add(clients.close);
    return memorySteps({ bank, clients, size: { ...options, ...LOOKING }, say });
  });
}

type Under = {
  readonly bank: Loaded;
  readonly clients: Clients;
  readonly size: Block & Looking;
  readonly say: Say;
};

export async function memorySteps({ bank, clients, size, say }: Under) {
  const { connections, idleMs, looksAStep } = size;
  const block = Math.ceil(size.requests / size.steps / looksAStep);
  const steps: MemoryStep[] = [];
  while (steps.length < size.steps) {
    const looks: number[] = [];
    while (looks.length < looksAStep) {
      await fireBlock(bank, clients, { requests: block, connections });
      await sleep(idleMs);
      looks.push((await usageOf(bank.server.pid)).memoryBytes / MEGABYTE);
    }
    const requests = (steps.length + 1) * looksAStep * block;
    const mostMegabytes = Math.max(...looks);
    steps.push({ requests, megabytes: median(looks), mostMegabytes });
    say(
      `${requests} requests: ${median(looks).toFixed(0)} MB, at most ${mostMegabytes.toFixed(0)}`,
    );
  }
  return steps;
}

/** What a load needs of a bank. */
type Loaded = Omit<ReadyBank, "folder">;
type Block = { readonly requests: number; readonly connections: number };

async function fireBlock(bank: Loaded, clients: Clients, { requests, connections }: Block) {
  const calls = await callsInTurn(bank);
  await clients.fire((nth) => {
    // The first takes what cannot be shared out evenly.
    const share = Math.floor(requests / clients.count);
    const own = nth === 0 ? requests - share * (clients.count - 1) : share;
    return {
      target: bank.target(bank.settings.xs2aPort),
      seal: bank.seal,
      calls,
      connections: Math.ceil(connections / clients.count),
      signedBefore: own,
      again: false,
      pace: { kind: "count", requests: own },
    };
  });
}

/** One call of each kind in turn, over however many consents a kind is spread. */
async function callsInTurn({
  scenarios,
  seal,
  settings,
  target,
}: Loaded): Promise<readonly CheckedCall[]> {
  const kinds: CheckedCall[][] = [];
  for (const scenario of scenarios) {
    const calls = await scenario.calls();
    const [first] = await checkedCalls(target(settings.xs2aPort), seal, calls.slice(0, 1));
    if (first === undefined) throw new Error(`there is nothing to call for ${scenario.name}`);
    kinds.push(calls.map((call) => ({ call, expected: first.expected })));
  }
  const longest = Math.max(...kinds.map((calls) => calls.length));
  return Array.from({ length: longest }, (_, nth) =>
    kinds.flatMap((calls) => calls[nth % calls.length] ?? []),
  ).flat();
}
