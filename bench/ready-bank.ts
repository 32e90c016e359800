import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { type Bank, openBank } from "./bank";
import type { Closings } from "./closings";
import type { Target } from "./load/connection";
import type { Load } from "./load/orders";
import { parentOf } from "./measure/usage";
import { benchTpp } from "./permission";
import { type Scenario, type ScenarioName, scenarios } from "./scenarios";
import { withoutEnd } from "./without-end";

/** A bank with a TPP that its PSU has permitted everything that is measured. */
export type ReadyBank = Bank & {
  readonly folder: string;
  readonly database: postgres.Sql;
  readonly databasePid: number;
  readonly scenarios: readonly Scenario[];
  readonly seal: Load["seal"];
  /** A server on this machine, called with the TPP's certificate. */
  readonly target: (port: number) => Target;
};

type Wanted = {
  readonly only: readonly ScenarioName[];
  /** How many consents each kind of reads, and the funds checks, are spread over. */
  readonly consents: number;
  readonly environment?: Readonly<Record<string, string>>;
};

export async function readyBank(closings: Closings, wanted: Wanted): Promise<ReadyBank> {
  const folder = await temporaryFolder(closings);
  return {
    folder,
    ...(await readied(await openBank(folder, closings, wanted.environment), closings, wanted)),
  };
}

export async function temporaryFolder(closings: Closings): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-bench-"));
  closings.add(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function readied<Opened extends Bank>(
  bank: Opened,
  closings: Closings,
  { only, consents }: Wanted,
) {
  const database = postgres(bank.databaseUrl, { max: 1, onnotice: () => undefined });
  closings.add(() => database.end({ timeout: 5 }));
  await database.unsafe(withoutEnd);
  const [backend] = await database<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const tpp = await benchTpp(bank.settings);
  closings.add(tpp.close);
  const { ca, qwac: certificate, qseal: seal } = tpp.certificates;
  return {
    ...bank,
    database,
    databasePid: await parentOf(Number(backend?.pid)),
    scenarios: await scenarios(tpp, { only, consents }),
    seal,
    target: (port: number): Target => ({ port, ca, certificate }),
  };
}
