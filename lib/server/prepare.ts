// biome-ignore-all lint/style/noRestrictedImports: before the first request it migrates the database and fills the demo bank
import path from "node:path";
import { SettingError, type Settings } from "@/lib/config";
import { log } from "@/lib/log";
import { excessiveRights, migrate, RoleError } from "@/lib/postgres/migrate";
import { primaryUrl } from "@/lib/postgres/primary";
import {
  type CertificateAuthority,
  loadCertificateAuthority,
} from "@/lib/sandbox/certificate-authority";
import { fillDemoBank } from "@/lib/sandbox/demo-bank";
import { loadServerCertificate } from "@/lib/sandbox/server-certificate";
import { makeDataDir } from "./data-lock";
import { watchDatabase } from "./database-watch";
import { startEmbeddedDatabase } from "./embedded-database";
import { checkSigningKey, checkTrustAnchors, readTls } from "./given-files";
import type { Tls } from "./listeners";
import { sandboxSecrets } from "./sandbox-secrets";
import type { Shutdown } from "./shutdown";
import type { RenewedTls } from "./tls-renewal";

type Environment = Readonly<Record<string, string>>;

export type Prepared = {
  /** What the application reads its settings from. */
  readonly environment: Environment;
  /** Undefined where a proxy speaks TLS. */
  readonly tls: Tls | undefined;
  /** The same, or another when it nears its end; undefined where it is not the sandbox's own. */
  readonly renewedTls: RenewedTls | undefined;
};

/**
 * Makes whatever is missing and only a sandbox may make, and brings the database up to date. The one
 * file of this room that knows the database and the sandbox. Throws a SettingError that names what
 * a person has to change.
 */
export async function prepare(settings: Settings, shutdown: Shutdown): Promise<Prepared> {
  const now = new Date();
  const dataDir = path.resolve(settings.DATA_DIR);
  await makeDataDir(dataDir);
  const urls = givenDatabase(settings) ?? (await ownDatabase(dataDir, shutdown));
  const made = settings.SANDBOX ? await sandboxParts(settings, dataDir, now) : {};
  const environment = {
    ...made,
    DATA_DIR: dataDir,
    DATABASE_URL: urls.server,
    // Unset for whoever reads the environment from here on: who owns the tables is not for the running server to know.
    MIGRATION_DATABASE_URL: "",
  };
  const named = { ...settings, ...environment };
  if (named.TRUST_ANCHORS !== undefined) {
    await checkTrustAnchors(named.TRUST_ANCHORS, { listSigners: named.TRUSTED_LIST_SIGNERS, now });
  }
  if (named.TOKEN_SIGNING_KEY !== undefined) await checkSigningKey(named.TOKEN_SIGNING_KEY);
  const renewedTls = ownTls(settings, dataDir);
  const tls = renewedTls === undefined ? await givenTls(settings) : await renewedTls(now);
  await bringUpToDate(urls);
  if (settings.SANDBOX) await fillDemoBank(await primaryUrl(urls.server), now);
  else if (urls.owner === urls.server) await warnOfRights(urls.server);
  return { environment: { ...environment, ...nextAuth(named) }, tls, renewedTls };
}

/** Of the role that owns the tables, and of the one that the server runs as; both the same where there is but one. */
type DatabaseUrls = { readonly owner: string; readonly server: string };

function givenDatabase(settings: Settings): DatabaseUrls | undefined {
  const { DATABASE_URL: server, MIGRATION_DATABASE_URL: owner = server } = settings;
  return server === undefined || owner === undefined ? undefined : { owner, server };
}

async function ownDatabase(dataDir: string, shutdown: Shutdown): Promise<DatabaseUrls> {
  // Registered before it runs: a Ctrl-C in the middle must not leave it running.
  const starting = startEmbeddedDatabase({ dataDir });
  shutdown.onStop({ finish: async () => (await starting.catch(() => undefined))?.stop() });
  const started = await starting;
  shutdown.onStop(watchDatabase(started));
  return { owner: started.url, server: started.serverUrl };
}

async function sandboxParts(settings: Settings, dataDir: string, now: Date): Promise<Environment> {
  await sandboxAuthority(dataDir, now);
  const anchors = settings.TRUST_ANCHORS ?? path.join(authorityFolder(dataDir), "ca.pem");
  return { ...(await sandboxSecrets(dataDir, settings)), TRUST_ANCHORS: anchors };
}

async function givenTls(settings: Settings): Promise<Tls | undefined> {
  const { XS2A_TLS_CERT, XS2A_TLS_KEY } = settings;
  const isGiven = XS2A_TLS_CERT !== undefined && XS2A_TLS_KEY !== undefined;
  return isGiven && !isBehindProxy(settings) ? readTls(XS2A_TLS_CERT, XS2A_TLS_KEY) : undefined;
}

function ownTls(settings: Settings, dataDir: string): RenewedTls | undefined {
  const { XS2A_TLS_CERT, XS2A_TLS_KEY, XS2A_URL } = settings;
  const isGiven = XS2A_TLS_CERT !== undefined && XS2A_TLS_KEY !== undefined;
  if (isGiven || isBehindProxy(settings)) return undefined;
  const [file, host] = [path.join(dataDir, "tls.pem"), new URL(XS2A_URL).hostname];
  return async (now) =>
    loadServerCertificate(await sandboxAuthority(dataDir, now), { file, host, now });
}

function isBehindProxy({ CLIENT_CERTIFICATE }: Settings): boolean {
  return CLIENT_CERTIFICATE === "proxy";
}

function authorityFolder(dataDir: string): string {
  return path.join(dataDir, "ca");
}

function sandboxAuthority(dataDir: string, now: Date): Promise<CertificateAuthority> {
  return loadCertificateAuthority(authorityFolder(dataDir), now).catch((error: Error) => {
    throw new SettingError(`DATA_DIR: ${error.message}`);
  });
}

/** A failing query's text would fill the screen and may hold values; its reason is one line. */
async function bringUpToDate({ owner, server }: DatabaseUrls): Promise<void> {
  const setting = owner === server ? "DATABASE_URL" : "DATABASE_URL, MIGRATION_DATABASE_URL";
  const applied = Promise.all([owner, server].map(primaryUrl)).then(([of, as]) =>
    migrate(of ?? owner, as),
  );
  await applied.catch((error: Error) => {
    if (error instanceof RoleError) throw new SettingError(`${setting}: ${error.message}`);
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    throw new SettingError(`${setting}: the database cannot be used (${reason.split("\n")[0]})`);
  });
}

async function warnOfRights(url: string): Promise<void> {
  const [excess] = await excessiveRights(await primaryUrl(url));
  if (excess === undefined) return;
  log.warn(`the role of DATABASE_URL ${excess}: MIGRATION_DATABASE_URL separates the two`);
}

/** next-auth reads the environment itself, under names of its own. */
function nextAuth(named: { WEB_URL: string; SESSION_SECRET?: string | undefined }): Environment {
  const secret = named.SESSION_SECRET;
  return { NEXTAUTH_URL: named.WEB_URL, ...(secret && { NEXTAUTH_SECRET: secret }) };
}
