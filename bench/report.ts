import type { Measurement } from "./measurement";

export type Results = {
  readonly drawbridge: Measurement;
  readonly bare: Measurement;
  readonly connections: number;
  readonly seconds: number;
  readonly bodyBytes: number;
  readonly machine: Machine;
};

export type Machine = {
  readonly cores: number;
  readonly processor: string;
  readonly node: string;
  /** ISO 8601, the day of the run. */
  readonly date: string;
};

/** From this share of one core on, the load process may be what is slow. */
const BUSY = 0.9;

/** The run as text: a heading, a table, what qualifies the numbers, and the machine. */
export function report(results: Results): string {
  const { drawbridge, bare, connections, seconds, bodyBytes, machine } = results;
  const rows = [
    ["", "req/s", "p50 ms", "p99 ms", "ratio"],
    row("Drawbridge", drawbridge, drawbridge.requestsPerSecond / bare.requestsPerSecond),
    row("bare node:http", bare, 1),
  ];
  return [
    `GET /v1/accounts, every check on, mutual TLS, PSU present; ${bodyBytes} bytes,`,
    `${connections} connections kept alive, ${seconds} s each after a warm-up`,
    "",
    ...aligned(rows),
    "",
    ...[clientCost("Drawbridge", drawbridge), clientCost("bare node:http", bare)].flat(),
    `${machine.cores} cores (${machine.processor}), Node ${machine.node}, ${machine.date}`,
  ].join("\n");
}

function row(name: string, measured: Measurement, ratio: number): readonly string[] {
  return [
    name,
    measured.requestsPerSecond.toFixed(0),
    measured.p50Milliseconds.toFixed(2),
    measured.p99Milliseconds.toFixed(2),
    ratio.toFixed(3),
  ];
}

/** Numbers the client made are called so: a server that waits for it could do more. */
function clientCost(name: string, { clientLoad, clientMicroseconds }: Measurement): string[] {
  const cost = `${clientMicroseconds.toFixed(0)} µs of processor time a request`;
  const busy = `${(clientLoad * 100).toFixed(0)} % of a core`;
  return clientLoad < BUSY
    ? [`${name}: the client used ${busy} (${cost}).`]
    : [`${name}: the client was the bottleneck with ${busy} (${cost}); the server can do more.`];
}

function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const width = (column: number) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0));
  return rows.map((cells) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(width(0)) : cell.padStart(width(column))))
      .join("  ")
      .trimEnd(),
  );
}
