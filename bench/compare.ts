import { availableParallelism } from "node:os";
import { join } from "node:path";
import { tapBeside } from "./bank";
import { closingAfter } from "./closings";
import { startLimit } from "./limit/limit";
import { startClients } from "./load/clients";
import { measureRounds, type Table } from "./measure/rounds";
import { CONSTANT, startNextApp } from "./next-app/next-app";
import type { Options } from "./options";
import { readyBank } from "./ready-bank";

/** What one consent is used for is counted in one row and waits for it, so it is spread over some. */
export const CONSENTS = 64;

/** The product, the limit and a bare Next handler, in one run on one database. */
export function compare(options: Options, say: (line: string) => void): Promise<Table> {
  return closingAfter(async (closings) => {
    const { only, pool, workers, pages } = options;
    const kept = { KEPT_PAGES_MEGABYTES: String(pages) };
    const environment = {
      ...kept,
      DATABASE_CONNECTIONS: String(pool),
      WORKERS: String(workers),
    };
    const bank = await readyBank(closings, { only, consents: CONSENTS, environment });
    const { databaseUrl, databasePid, folder, scenarios, seal, server, target, tls } = bank;
    const { tap, port } = await tapBeside(bank, closings, kept);
    const limit = await startLimit({ tls, databaseUrl, connections: pool });
    closings.add(limit.close);
    const next = await startNextApp(join(folder, "next"), tls);
    closings.add(next.close);
    const clients = startClients(availableParallelism());
    closings.add(clients.close);
    const constant = { status: 200, bodyBytes: Buffer.byteLength(CONSTANT) };
    return measureRounds({
      scenarios,
      contestants: [
        { name: "ours", pid: server.pid, target: target(bank.settings.xs2aPort) },
        { name: "limit", pid: limit.pid, target: target(limit.port) },
        { name: "next", pid: next.pid, target: target(next.port), constant },
      ],
      limit,
      watched: { tap, target: target(port), seal },
      clients,
      seal,
      databasePid,
      size: options,
      say,
    });
  });
}
