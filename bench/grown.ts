import { closingAfter } from "./closings";
import { grow } from "./grow";
import { checkedCalls } from "./load/checked";
import { type Clients, startClients } from "./load/clients";
import { median, percentile } from "./measure/statistics";
import { usageOf } from "./measure/usage";
import type { Options } from "./options";
import { type ReadyBank, readyBank } from "./ready-bank";
import type { ScenarioName } from "./scenarios";

/** What one request costs when nothing else is under way, as medians over rounds. */
export type Cost = {
  /** From request to answer. */
  readonly milliseconds: number;
  /** Of server and database together. */
  readonly cpuMicroseconds: number;
};
export type Growing = {
  readonly empty: Cost;
  readonly grown: Cost;
  /** Medians of the rounds' own ratios. */
  readonly ratio: Cost;
};
export type Grown = Readonly<Partial<Record<ScenarioName, Growing>>>;

const CONSENTS = 2;
/** A page that goes out again costs the same on any bank. */
const READ_ANEW = { KEPT_PAGES_MEGABYTES: "0" };
const SIGNED_A_SECOND = 700;

/** Two banks side by side, one of which has grown; each round asks both. */
export function grown(options: Options, say: (line: string) => void): Promise<Grown> {
  return closingAfter(async (closings) => {
    const wanted = { only: options.only, consents: CONSENTS, environment: READ_ANEW };
    const small = await readyBank(closings, wanted);
    const big = await readyBank(closings, wanted);
    say("Filling one of the two banks.");
    await grow(big.database);
    const clients = startClients(1);
    closings.add(clients.close);
    const measured = new Map<ScenarioName, (readonly [Cost, Cost])[]>();
    for (let round = 0; round < options.rounds; round += 1) {
      for (const { name } of small.scenarios) {
        const costs = await costsOf(name, [small, big], clients, options);
        measured.set(name, [...(measured.get(name) ?? []), costs]);
        const [before, after] = costs.map(({ milliseconds }) => milliseconds.toFixed(2));
        say(`round ${round + 1}, ${name}: ${before} ms and grown ${after} ms`);
      }
    }
    return Object.fromEntries([...measured].map(([name, costs]) => [name, growing(costs)]));
  });
}

/** A second of each in turn: how fast a machine is that others share changes within seconds. */
async function costsOf(
  name: ScenarioName,
  [small, big]: readonly [ReadyBank, ReadyBank],
  clients: Clients,
  { seconds }: Options,
): Promise<readonly [Cost, Cost]> {
  const [empty, grown] = [await asking(small, name, clients), await asking(big, name, clients)];
  const seen: readonly [Slice[], Slice[]] = [[], []];
  for (let second = 0; second < seconds; second += 1) {
    const first = second % 2;
    for (const nth of [first, 1 - first]) {
      seen[nth === 0 ? 0 : 1].push(await (nth === 0 ? empty : grown)());
    }
  }
  return [costOf(seen[0]), costOf(seen[1])];
}

type Slice = { readonly latencies: Float64Array; readonly cpuSeconds: number };

/** Yields what fires requests for a second, one at a time. */
async function asking(
  { databasePid, scenarios, seal, server, settings, target: targetOf }: ReadyBank,
  name: ScenarioName,
  clients: Clients,
): Promise<() => Promise<Slice>> {
  const target = targetOf(settings.xs2aPort);
  const scenario = scenarios.find((one) => one.name === name);
  if (scenario === undefined) throw new Error(`the other bank has no ${name}`);
  const calls = await checkedCalls(target, seal, await scenario.calls());
  const load = { target, seal, calls, connections: 1, again: false };
  const warming = { kind: "count", requests: 100 } as const;
  await clients.fire(() => ({ ...load, pace: warming, signedBefore: warming.requests }));
  const usage = async () =>
    (await usageOf(server.pid)).cpuSeconds + (await usageOf(databasePid)).cpuSeconds;
  const pace = { kind: "closed", seconds: 1 } as const;
  return async () => {
    const firing = () => ({ ...load, pace, signedBefore: SIGNED_A_SECOND });
    const { before, volley, after } = await clients.fireAround(firing, usage);
    return { latencies: volley.latencies, cpuSeconds: after - before };
  };
}

function costOf(slices: readonly Slice[]): Cost {
  const latencies = slices.flatMap((slice) => [...slice.latencies]).toSorted((a, b) => a - b);
  const cpuSeconds = slices.reduce((sum, slice) => sum + slice.cpuSeconds, 0);
  return {
    milliseconds: percentile(latencies, 50),
    cpuMicroseconds: (cpuSeconds * 1_000_000) / latencies.length,
  };
}

function growing(rounds: readonly (readonly [empty: Cost, grown: Cost])[]): Growing {
  const medianOf = (pick: (round: readonly [Cost, Cost]) => number) => median(rounds.map(pick));
  const cost = (pick: (round: readonly [Cost, Cost], figure: keyof Cost) => number): Cost => ({
    milliseconds: medianOf((round) => pick(round, "milliseconds")),
    cpuMicroseconds: medianOf((round) => pick(round, "cpuMicroseconds")),
  });
  return {
    empty: cost(([empty], figure) => empty[figure]),
    grown: cost(([, after], figure) => after[figure]),
    ratio: cost(([empty, after], figure) => after[figure] / empty[figure]),
  };
}
