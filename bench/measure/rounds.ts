import { learn, type Watched } from "../learning/record";
import type { Limit } from "../limit/limit";
import type { Clients } from "../load/clients";
import type { Load } from "../load/orders";
import type { Scenario, ScenarioName } from "../scenarios";
import type { Contestant, ContestantName } from "./contestant";
import { type Figures, figuresOf, medians } from "./figures";
import { median } from "./statistics";
import { pace, type Saturated, type Size, saturate, type Turn, warm } from "./turn";

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
  /** Requests a second as a share of the limit's: the median over the rounds of what it was in each. */
  readonly ofTheLimit: number;
  /** The same of the bare Next handler's. */
  readonly ofNext: number;
};
export type Row = Readonly<Record<ContestantName, Measured>>;
export type Table = Readonly<Partial<Record<ScenarioName, Row>>>;

/**
 * Each server is saturated for a second, then the next one, and so on in turn: how fast a machine is that
 * others share changes within seconds, and what is compared should have had the same machine.
 */
const SLICE_SECONDS = 1;
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
    const shareOf = (other: ContestantName) => median(shares(rounds, roundsOf(scenario, other)));
    return {
      median: medians(rounds),
      rounds,
      ofTheLimit: shareOf("limit"),
      ofNext: shareOf("next"),
    };
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
  const { contestants, say, size } = contest;
  const turn = await prepare(contest, scenario);
  const places = contestants.map((contestant) => {
    const key = keyOf(scenario.name, contestant.name);
    const before = figures.get(key) ?? [];
    const fastest = Math.max(0, ...before.map((one) => one.requestsPerSecond));
    return { turn: { ...turn, contestant }, key, before, fastest, slices: [] as Saturated[] };
  });
  for (const place of places) {
    const [seconds, rate] =
      round === 0 ? [WARMING_SECONDS, RATE_UNKNOWN] : [WARMING_AGAIN_SECONDS, place.fastest];
    const warmed = await warm(place.turn, Math.min(seconds, size.seconds), rate);
    place.fastest = Math.max(place.fastest, warmed);
  }
  const count = Math.ceil(size.seconds / SLICE_SECONDS);
  for (let slice = 0; slice < count; slice += 1) {
    for (const place of from(places, round + slice)) {
      const seen = await saturate(place.turn, size.seconds / count, place.fastest);
      place.slices.push(seen);
      place.fastest = Math.max(place.fastest, seen.volley.requestsPerSecond);
    }
  }
  for (const { turn, key, before, slices } of from(places, round)) {
    const measured = figuresOf(slices, await pace(turn));
    figures.set(key, [...before, measured]);
    const shown = `${measured.requestsPerSecond.toFixed(0)} requests a second`;
    say(`round ${round + 1}, ${scenario.name}, ${turn.contestant.name}: ${shown}`);
  }
}

/** All of them, the nth first and round from there. */
function from<One>(all: readonly One[], nth: number): readonly One[] {
  const first = nth % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}

function shares(rounds: readonly Figures[], others: readonly Figures[]): readonly number[] {
  return rounds.map(({ requestsPerSecond }, nth) => {
    const other = others[nth];
    if (other === undefined) throw new Error("a server has no figures of a round");
    return requestsPerSecond / other.requestsPerSecond;
  });
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
