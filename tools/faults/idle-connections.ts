import { setTimeout as sleep } from "node:timers/promises";
import { table } from "@/cli/tpp/table";
import { freshSettings, startServer } from "@/e2e/harness/server";
import type { Size } from "./campaign";
import { inFolder } from "./in-folder";
import { quantile, type Verdict } from "./phases";
import { begin, behaved } from "./slow-clients";

/** More than a host takes. */
const CONNECTIONS = 1_200;
/** Until as many are open as can be, each after its handshake. */
const OPENING_MS = 8_000;
/** Requests a second of the TPP that behaves; one in so many is sent over a connection of its own. */
const RATE = 20;
const ANEW_ONE_IN = 4;

type Asked = { readonly milliseconds: readonly number[]; readonly failed: number };
type Row = Asked & { readonly name: string; readonly opened: number };

/** Idle TLS connections hold a host full beside a TPP that behaves; `faults` counts seconds a phase. */
export function idleConnections({ faults: seconds, hostileCores, signal }: Size): Promise<Verdict> {
  return inFolder(async (dataDir) => {
    const bank = await freshSettings(dataDir);
    const server = await startServer(bank);
    try {
      const { api, askAnew, certificates, consentId, close } = await behaved(bank);
      const ask = (nth: number) =>
        nth % ANEW_ONE_IN === 0 ? askAnew() : api.consentStatus(consentId);
      const rows: Row[] = [{ name: "alone", opened: 0, ...(await askFor(seconds, ask)) }];
      for (const idleFrom of [1, 8]) {
        const hostile = { ...bank, ...certificates, sockets: CONNECTIONS, idleFrom };
        const { opened, stop } = await begin(hostile, hostileCores);
        try {
          await sleep(OPENING_MS, undefined, { signal });
          const asked = await askFor(seconds, ask);
          rows.push({ name: `idle ones of ${idleFrom}`, opened: opened(), ...asked });
        } finally {
          await stop();
        }
      }
      await close();
      return verdictOf(rows);
    } finally {
      await server.stop();
    }
  });
}

/** At a steady rate, whether or not answers have come. */
async function askFor(
  seconds: number,
  ask: (nth: number) => Promise<{ readonly status: number }>,
): Promise<Asked> {
  const milliseconds: number[] = [];
  let failed = 0;
  const one = async (nth: number) => {
    const began = performance.now();
    const answer = await ask(nth).catch(() => undefined);
    if (answer?.status === 200) milliseconds.push(performance.now() - began);
    else failed += 1;
  };
  const asked: Promise<void>[] = [];
  const began = performance.now();
  for (let nth = 0; nth < RATE * seconds; nth += 1) {
    await sleep(Math.max(0, began + (nth * 1_000) / RATE - performance.now()));
    asked.push(one(nth));
  }
  await Promise.all(asked);
  return { milliseconds, failed };
}

function verdictOf(rows: readonly Row[]): Verdict {
  const headings = ["answered", "failed", "p50 ms", "p99 ms", "opened"] as const;
  const cells = rows.map(({ name, milliseconds, failed, opened }) => [
    name,
    String(milliseconds.length),
    String(failed),
    quantile(milliseconds, 0.5).toFixed(1),
    quantile(milliseconds, 0.99).toFixed(1),
    String(opened),
  ]);
  const columns = [
    { heading: "Phase" },
    ...headings.map((heading) => ({ heading, align: "right" }) as const),
  ];
  const [, ...attacks] = rows;
  const attacked = attacks.every(({ opened }) => opened >= CONNECTIONS);
  const answered = rows.every(
    ({ milliseconds, failed }) => failed === 0 && milliseconds.length > 0,
  );
  return { text: table(columns, cells), passed: attacked && answered };
}
