import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ownDatabase } from "@/e2e/harness/own-database";
import {
  freshSettings,
  type RunningServer,
  type ServerSettings,
  startServer,
} from "@/e2e/harness/server";
import { buildWhenNeeded } from "@/lib/server/build";
import type { Closings } from "./closings";
import type { TlsFiles } from "./limit/tls";
import { openTap, type Tap } from "./tap/tap";

export type Bank = {
  readonly settings: ServerSettings;
  readonly databaseUrl: string;
  /** The one that is measured. */
  readonly server: RunningServer;
  readonly tls: TlsFiles;
};

/** A server whose way to the database leads through the tap. */
export type Tapped = { readonly tap: Tap; readonly port: number };

const ROOT = join(import.meta.dirname, "..");

type Environment = Readonly<Record<string, string>>;

/** A PostgreSQL and a server on it. */
export async function openBank(
  folder: string,
  closings: Closings,
  environment: Environment = {},
): Promise<Bank> {
  const database = await ownDatabase(join(folder, "database"));
  closings.add(database.stop);
  const shared = { ...environment, DATABASE_URL: database.url };
  return serve(folder, closings, { shared, databaseUrl: database.url });
}

/** The same, but what the server sends to its database goes through a tap: to look at, not to measure. */
export async function openTappedBank(
  folder: string,
  closings: Closings,
): Promise<Bank & { readonly tapped: Tapped }> {
  const database = await ownDatabase(join(folder, "database"));
  closings.add(database.stop);
  const tap = await openTap(database.url);
  closings.add(tap.close);
  const shared = { DATABASE_URL: tap.url };
  const bank = await serve(folder, closings, { shared, databaseUrl: database.url });
  return { ...bank, tapped: { tap, port: bank.settings.xs2aPort } };
}

/**
 * A second server of the bank, on the same data and with the same links, behind a tap: what is measured
 * never goes through one.
 */
export async function tapBeside(
  bank: Bank,
  closings: Closings,
  environment: Environment = {},
): Promise<Tapped> {
  const tap = await openTap(bank.databaseUrl);
  closings.add(tap.close);
  const { xs2aPort, webPort } = await freshSettings(bank.settings.dataDir);
  const shared = { ...environment, DATABASE_URL: tap.url };
  const server = await startServer({ ...bank.settings, xs2aPort, webPort, shared });
  closings.add(server.stop);
  return { tap, port: xs2aPort };
}

async function serve(
  folder: string,
  closings: Closings,
  { shared, databaseUrl }: { readonly shared: Environment; readonly databaseUrl: string },
): Promise<Bank> {
  // The server that builds goes on from its sources; what is measured is the one that finds a build.
  await buildWhenNeeded(ROOT, new AbortController().signal);
  const settings = { ...(await freshSettings(join(folder, "bank"))), shared };
  const server = await startServer(settings);
  closings.add(server.stop);
  return { settings, databaseUrl, server, tls: await tlsFiles(settings.dataDir) };
}

/** What the sandbox has made for itself; key and certificate stand in one file. */
async function tlsFiles(dataDir: string): Promise<TlsFiles> {
  const own = await readFile(join(dataDir, "tls.pem"), "utf8");
  const ca = await readFile(join(dataDir, "ca", "ca.pem"), "utf8");
  return { cert: own, key: own, ca };
}
