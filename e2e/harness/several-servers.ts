import { join } from "node:path";
import { readSandboxSecret } from "@/lib/server/data-folder";
import { type OwnDatabase, ownDatabase } from "./own-database";
import { freshSettings, type RunningServer, type ServerSettings, startServer } from "./server";

export type SeveralServers = {
  readonly database: OwnDatabase;
  /** One bank at as many ports; the first one's are its address, and its folder has the CA. */
  readonly each: readonly [ServerSettings, ...ServerSettings[]];
  /** Servers first, then their database. */
  readonly stop: () => Promise<void>;
};

/**
 * Server processes of one bank on one PostgreSQL, as docs/operate.md has it: each with ports and a
 * DATA_DIR of its own, and all with the secrets and certificates that the first has made.
 */
export async function severalServers(folder: string, count: number): Promise<SeveralServers> {
  const database = await ownDatabase(join(folder, "database"));
  const running: RunningServer[] = [];
  const stop = async () => {
    await Promise.all(running.map((server) => server.stop()));
    await database.stop();
  };
  try {
    const alone = await freshSettings(join(folder, "server-1"));
    const first = { ...alone, shared: { DATABASE_URL: database.url } };
    running.push(await startServer(first));
    const shared = { ...first.shared, ...(await madeBy(first.dataDir)) };
    const { xs2aUrl, webUrl, staffUrl } = first;
    const others: ServerSettings[] = [];
    for (let number = 2; number <= count; number += 1) {
      const own = await freshSettings(join(folder, `server-${number}`));
      others.push({ ...own, xs2aUrl, webUrl, staffUrl, shared });
    }
    running.push(...(await Promise.all(others.map((one) => startServer(one)))));
    return { database, each: [first, ...others], stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function madeBy(dataDir: string): Promise<Readonly<Record<string, string>>> {
  // Key and certificate stand in one file.
  const tls = join(dataDir, "tls.pem");
  return {
    COOKIE_SECRET: await readSandboxSecret(dataDir, "COOKIE_SECRET"),
    SESSION_SECRET: await readSandboxSecret(dataDir, "SESSION_SECRET"),
    CODE_SECRET: await readSandboxSecret(dataDir, "CODE_SECRET"),
    TOKEN_SIGNING_KEY: join(dataDir, "secrets", "token-signing-key.pem"),
    TRUST_ANCHORS: join(dataDir, "ca", "ca.pem"),
    XS2A_TLS_CERT: tls,
    XS2A_TLS_KEY: tls,
  };
}
