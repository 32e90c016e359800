import { availableParallelism, cpus } from "node:os";
import { columns, type Round } from "./measure";
import { titles } from "./requests";

/** Medians over the rounds, in Markdown. */
export function tableOf(rounds: readonly Round[], command: string): string {
  const names = Object.keys(columns) as (keyof typeof columns)[];
  const places = new Map<string, Round[]>();
  for (const round of rounds) {
    const place = `${titles[round.request]} | ${round.server}`;
    places.set(place, [...(places.get(place) ?? []), round]);
  }
  const cell = (of: readonly Round[], name: keyof typeof columns) =>
    median(of.map(({ figures }) => figures[name])).toFixed(columns[name]);
  return [
    row("request", "server", ...names),
    row("---", "---", ...names.map(() => "---:")),
    ...[...places].map(([place, of]) => row(place, ...names.map((name) => cell(of, name)))),
    "",
    `\`${command}\`, ${availableParallelism()} cores (${cpus()[0]?.model}),`,
    `Node ${process.versions.node}, ${new Date().toISOString().slice(0, 16)}.`,
  ].join("\n");
}

const row = (...cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** Of an even number of values the lower of the two in the middle. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length / 2) - 1] ?? 0;
}
