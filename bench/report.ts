import type { Grown } from "./grown";
import { markdown } from "./markdown";
import type { ContestantName } from "./measure/contestant";
import type { Measured, Row, Table } from "./measure/rounds";
import type { MemoryStep } from "./memory";
import type { Profiles } from "./profile/profile";
import { type ScenarioName, scenarioNames, titles } from "./scenarios";
import type { Starts, Waited } from "./start";

export type Findings =
  | { readonly mode: "compare"; readonly table: Table }
  | { readonly mode: "memory"; readonly steps: readonly MemoryStep[] }
  | { readonly mode: "grown"; readonly costs: Grown }
  | { readonly mode: "start"; readonly starts: Starts }
  | { readonly mode: "profile"; readonly profiles: Profiles };

/** Tables for Markdown that can be read as they stand, too. */
export function inWords(found: Findings): string {
  switch (found.mode) {
    case "compare":
      return comparison(found.table);
    case "memory":
      return memoryTable(found.steps);
    case "grown":
      return growth(found.costs);
    case "start":
      return startTable(found.starts);
    case "profile":
      return "Self times, as shares of the time in which the server was not idle.";
  }
}

const servers: readonly (readonly [ContestantName, string])[] = [
  ["ours", "Drawbridge"],
  ["limit", "the limit"],
  ["next", "bare Next handler"],
];

function comparison(table: Table): string {
  const head = [
    ...["request", "server", "requests/s", "of the limit", "of bare Next"],
    ...["p50 ms", "p99 ms", "p99.9 ms", "CPU µs", "database CPU µs", "memory MB", "client load"],
  ];
  const rows = scenarioNames.flatMap((name) => {
    const row = table[name];
    return row === undefined ? [] : servers.map((server) => cellsOf(name, row, server));
  });
  return markdown({ head, rows, words: 2 });
}

function cellsOf(name: ScenarioName, row: Row, [server, title]: readonly [ContestantName, string]) {
  return [server === "ours" ? titles[name] : "", title, ...numbersOf(row[server])];
}

function numbersOf({ median: figures, ofTheLimit, ofNext }: Measured): readonly string[] {
  return [
    figures.requestsPerSecond.toFixed(0),
    ofTheLimit.toFixed(2),
    ofNext.toFixed(2),
    ...[figures.p50, figures.p99, figures.p999].map((latency) => latency.toFixed(1)),
    figures.cpuMicroseconds.toFixed(0),
    figures.databaseCpuMicroseconds.toFixed(0),
    figures.memoryMegabytes.toFixed(0),
    `${(figures.clientLoad * 100).toFixed(0)} %`,
  ];
}

function memoryTable(steps: readonly MemoryStep[]): string {
  const first = steps[0]?.megabytes ?? Number.NaN;
  const rows = steps.map(({ requests, megabytes, mostMegabytes }) => [
    requests.toLocaleString("en"),
    megabytes.toFixed(0),
    mostMegabytes.toFixed(0),
    (megabytes / first).toFixed(2),
  ]);
  return markdown({ head: ["requests", "memory MB", "at most", "of the first"], rows, words: 0 });
}

function startTable({ own, given }: Starts): string {
  const cells = ({ median, most }: Waited) => [median.toFixed(0), most.toFixed(0)];
  const rows = [
    ["its own, started with it", ...cells(own)],
    ["already running", ...cells(given)],
  ];
  return markdown({ head: ["PostgreSQL", "median ms", "at most ms"], rows, words: 1 });
}

function growth(costs: Grown): string {
  const head = [
    ...["request", "empty ms", "grown ms", "ratio"],
    ...["empty CPU µs", "grown CPU µs", "CPU ratio"],
  ];
  const rows = scenarioNames.flatMap((name) => {
    const cost = costs[name];
    if (cost === undefined) return [];
    const { empty, grown, ratio } = cost;
    const times = [empty.milliseconds, grown.milliseconds, ratio.milliseconds];
    const cpu = [empty.cpuMicroseconds, grown.cpuMicroseconds];
    return [
      [
        titles[name],
        ...times.map((one) => one.toFixed(2)),
        ...cpu.map((one) => one.toFixed(0)),
        ratio.cpuMicroseconds.toFixed(2),
      ],
    ];
  });
  return markdown({ head, rows, words: 1 });
}
