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
  /** How many consents the funds checks are spread over. */
  readonly fundsConsents: number;
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
  { only, fundsConsents }: Wanted,
) {
  const database = postgres(bank.databaseUrl, { max: 1, onnotice: () => undefined });
  closings.add(() => database.end({ timeout: 5 }));
  await giveChecksBack(database);
  const [backend] = await database<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const tpp = await benchTpp(bank.settings);
  closings.add(tpp.close);
  const { ca, qwac: certificate, qseal: seal } = tpp.certificates;
  return {
    ...bank,
    database,
    databasePid: await parentOf(Number(backend?.pid)),
    scenarios: await scenarios(tpp, { only, fundsConsents }),
    seal,
    target: (port: number): Target => ({ port, ca, certificate }),
  };
}

/**
 * A consent saves up some funds checks and gets them back slowly, so a load would soon be refused. In the
 * database of the bench a check is given back at once; all that a check does takes place as ever, for the
 * product and for the limit.
 */
async function giveChecksBack(database: postgres.Sql): Promise<void> {
  await database.unsafe(`
    create function bench_give_back() returns trigger language plpgsql as
      $$ begin new.checks_left := 20; return new; end $$;
    create trigger bench_give_back before insert or update on funds_check_budget
      for each row execute function bench_give_back()`);
}
