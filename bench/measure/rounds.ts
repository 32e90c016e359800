import { learn, type Watched } from "../learning/record";
import type { Limit } from "../limit/limit";
import type { Clients } from "../load/clients";
import type { Load } from "../load/orders";
import type { Scenario, ScenarioName } from "../scenarios";
import type { Contestant, ContestantName } from "./contestant";
import { type Figures, medians } from "./figures";
import { measure, type Size, type Turn, warm } from "./turn";

export type Contest = {
  readonly scenarios: readonly Scenario[];
  readonly contestants: readonly Contestant[];
  readonly limit: Limit;
  readonly watched: Watched;
  readonly clients: Clients;
  readonly seal: Load["seal"];
  readonly databasePid: number;
  readonly size: Size & { readonly rounds: number };
  readonly say: (line: string) => void;
};

export type Measured = {
  readonly median: Figures;
  readonly rounds: readonly Figures[];
  /** Requests a second, as a share of the limit's. */
  readonly ofTheLimit: number;
};
export type Row = Readonly<Record<ContestantName, Measured>>;
export type Table = Readonly<Partial<Record<ScenarioName, Row>>>;

const WARMING_SECONDS = 5;
const WARMING_AGAIN_SECONDS = 0.5;
/** Signed for the first warm-up of a server of which nothing is known. */
const RATE_UNKNOWN = 800;

/** Each round measures every scenario on every server, so that what disturbs them hits all alike. */
export async function measureRounds(contest: Contest): Promise<Table> {
  const { scenarios, size } = contest;
  const figures = new Map<string, Figures[]>();
  for (let round = 0; round < size.rounds; round += 1) {
    for (const scenario of scenarios) await measureScenario(contest, { round, scenario, figures });
  }
  const roundsOf = (scenario: ScenarioName, contestant: ContestantName) =>
    figures.get(keyOf(scenario, contestant)) ?? [];
  const measured = (scenario: ScenarioName, contestant: ContestantName): Measured => {
    const rounds = roundsOf(scenario, contestant);
    const median = medians(rounds);
    const limit = medians(roundsOf(scenario, "limit"));
    return { median, rounds, ofTheLimit: median.requestsPerSecond / limit.requestsPerSecond };
  };
  const row = (name: ScenarioName): Row => ({
    ours: measured(name, "ours"),
    limit: measured(name, "limit"),
    next: measured(name, "next"),
  });
  return Object.fromEntries(scenarios.map(({ name }) => [name, row(name)]));
}

type Place = {
  readonly round: number;
  readonly scenario: Scenario;
  readonly figures: Map<string, Figures[]>;
};

async function measureScenario(contest: Contest, { round, scenario, figures }: Place) {
  const { contestants, say } = contest;
  const turn = await prepare(contest, scenario);
  for (let place = 0; place < contestants.length; place += 1) {
    // Who comes first is another one each time.
    const contestant = contestants[(place + round) % contestants.length];
    if (contestant === undefined) continue;
    const key = keyOf(scenario.name, contestant.name);
    const before = figures.get(key) ?? [];
    const seen = Math.max(0, ...before.map((one) => one.requestsPerSecond));
    const [seconds, rate] =
      round === 0 ? [WARMING_SECONDS, RATE_UNKNOWN] : [WARMING_AGAIN_SECONDS, seen];
    const warming = Math.min(seconds, contest.size.seconds);
    const warmed = await warm({ ...turn, contestant }, warming, rate);
    const measured = await measure({ ...turn, contestant }, Math.max(warmed, seen));
    figures.set(key, [...before, measured]);
    const shown = `${measured.requestsPerSecond.toFixed(0)} requests a second`;
    say(`round ${round + 1}, ${scenario.name}, ${contestant.name}: ${shown}`);
  }
}

/** The limit learns anew each time: tokens are refreshed, and the day may have changed. */
async function prepare(
  { watched, limit, clients, seal, databasePid, size }: Contest,
  scenario: Scenario,
): Promise<Omit<Turn, "contestant">> {
  const { plans, calls } = await learn(watched, await scenario.calls());
  await limit.learn(plans);
  return { calls, seal, clients, databasePid, size };
}

const keyOf = (scenario: ScenarioName, contestant: ContestantName) => `${scenario} ${contestant}`;
