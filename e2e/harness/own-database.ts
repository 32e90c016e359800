import { chmod, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  databaseAccount,
  databaseHome,
  type EmbeddedDatabase,
  postgresPrograms,
  readPostmaster,
  rememberPort,
  run,
  startEmbeddedDatabase,
} from "@/lib/server/embedded-database";
import { steadyPort } from "./steady-port";

/** A PostgreSQL that no server has started, for servers with a DATABASE_URL. */
export type OwnDatabase = {
  readonly url: string;
  /** `pg_ctl stop -m immediate`: nothing is finished, and the next start recovers from the log. */
  readonly breakDown: () => Promise<void>;
  /** After a breakdown, at the same address. */
  readonly startAgain: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export async function ownDatabase(dataDir: string): Promise<OwnDatabase> {
  await mkdir(dataDir, { recursive: true });
  // Closed to the database's user, its files would lie elsewhere, and stay when the folder goes.
  await chmod(dirname(dataDir), 0o711);
  const as = databaseAccount();
  const home = await databaseHome(dataDir, as);
  await rememberPort(home, await steadyPort());
  const { pgCtl } = await postgresPrograms(home, as);
  let running: EmbeddedDatabase = await startEmbeddedDatabase({ dataDir });
  const { url } = running;

  async function breakDown(): Promise<void> {
    const args = ["stop", "-w", "-D", join(home, "cluster"), "-m", "immediate"];
    const { code, output } = await run(pgCtl, args, { as, cwd: home });
    if (code !== 0) throw new Error(`PostgreSQL does not stop: ${output.trim()}`);
  }

  async function startAgain(): Promise<void> {
    // It has stopped already; what is left is to let go of the folder.
    await running.stop();
    running = await startEmbeddedDatabase({ dataDir });
    if (running.url !== url) throw new Error("PostgreSQL came back at another address");
  }

  return { url, breakDown, startAgain, stop: () => running.stop() };
}

/** Ends the PostgreSQL that a killed server has left running on its DATA_DIR; none is well too. */
export async function stopLeftDatabase(dataDir: string): Promise<void> {
  const home = await databaseHome(dataDir, databaseAccount());
  if ((await readPostmaster(join(home, "cluster"))) === undefined) return;
  const left = await startEmbeddedDatabase({ dataDir });
  await left.stop();
}
