// biome-ignore-all lint/style/noRestrictedImports: before the first request it looks at the database and fills the demo bank

import path from "node:path";
import type { Settings } from "@/lib/config";
import { log } from "@/lib/log";
import { excessiveRights } from "@/lib/postgres/migrate";
import { primaryUrl } from "@/lib/postgres/primary";
import { fillDemoBank } from "@/lib/sandbox/demo-bank";
import { loadBankSeal } from "@/lib/sandbox/server-certificate";
import { readSecrets, secretNames } from "@/lib/secrets";
import { makeDataDir, sandboxSecrets } from "./data-folder";
import {
  bringUpToDate,
  checkDurability,
  checkSchema,
  givenDatabase,
  migratesAtStart,
} from "./migrations";
import {
  authorityFolder,
  checkCalledFiles,
  checkSigningKeys,
  checkTrustAnchors,
  sandboxAuthority,
} from "./tls";
import { haveTrustedLists } from "./trusted-lists";

type Environment = Readonly<Record<string, string>>;

/**
 * Makes what a sandbox may make for itself, and brings the database up to date where it is asked to, also when several
 * servers do so at once. Yields the environment of the application. Throws a SettingError that says what to change.
 */
export async function prepare(settings: Settings): Promise<Environment> {
  const now = new Date();
  const dataDir = path.resolve(settings.DATA_DIR);
  await makeDataDir(dataDir);
  const urls = givenDatabase(settings);
  const made = settings.SANDBOX ? await sandboxParts(settings, dataDir, now) : {};
  const environment = {
    ...made,
    DATA_DIR: dataDir,
    DATABASE_URL: urls.server,
    // Unset from here on: the running server must not have the credentials of the tables' owner.
    MIGRATION_DATABASE_URL: "",
  };
  const named = { ...settings, ...environment };
  await haveTrustedLists(named, now);
  if (named.TRUST_ANCHORS !== undefined) {
    await checkTrustAnchors(named.TRUST_ANCHORS, { listSigners: named.TRUSTED_LIST_SIGNERS, now });
  }
  if (named.TOKEN_SIGNING_KEY !== undefined) await checkSigningKeys(named.TOKEN_SIGNING_KEY);
  await checkCalledFiles(named);
  for (const name of secretNames) if (named[name] !== undefined) readSecrets(name, named[name]);
  if (migratesAtStart(settings)) await bringUpToDate(urls);
  await checkSchema(urls.server);
  if (settings.SANDBOX) await fillDemoBank(await primaryUrl(urls.server), now);
  else {
    await checkDurability(urls.server);
    await warnOfRights(urls.server);
  }
  // next-auth reads it from the environment.
  return { ...environment, NEXTAUTH_URL: `${named.WEB_URL}/identity` };
}

async function sandboxParts(settings: Settings, dataDir: string, now: Date): Promise<Environment> {
  const authority = await sandboxAuthority(dataDir, now);
  const seal = path.join(dataDir, "notifications-seal.pem");
  await loadBankSeal(authority, { file: seal, now });
  const anchors = settings.TRUST_ANCHORS ?? path.join(authorityFolder(dataDir), "ca.pem");
  const { NOTIFICATIONS_SEAL_CERT = seal, NOTIFICATIONS_SEAL_KEY = seal } = settings;
  return {
    ...(await sandboxSecrets(dataDir, settings)),
    ...{ TRUST_ANCHORS: anchors, NOTIFICATIONS_SEAL_CERT, NOTIFICATIONS_SEAL_KEY },
  };
}

async function warnOfRights(url: string): Promise<void> {
  const [excess] = await excessiveRights(await primaryUrl(url));
  if (excess === undefined) return;
  log.warn(`the role of DATABASE_URL ${excess}: MIGRATION_DATABASE_URL separates the two`);
}
