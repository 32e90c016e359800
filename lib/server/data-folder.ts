import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { access, constants, link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SettingError } from "@/lib/config";
import { readIfThere } from "@/lib/files";
import { type SecretName, secretNames } from "@/lib/secrets";
import { takeLock, type Unlock } from "./lock-file";

/** How long a start waits for a server that may be about to end, as in a restart. */
const PATIENCE_MS = 5_000;
const LOOK_MS = 100;

/** One server per data folder: it waits for another one to end, and says so, before it throws a SettingError. */
export async function lockDataDir(dataDir: string, patienceMs = PATIENCE_MS): Promise<Unlock> {
  await makeDataDir(dataDir);
  const file = path.join(dataDir, "lock");
  const end = performance.now() + patienceMs;
  let announced = patienceMs === 0;
  for (;;) {
    const taken = await takeLock(file);
    if (typeof taken === "function") return taken;
    const inUse = `DATA_DIR: ${dataDir} is in use by another server (process ${taken.pid})`;
    if (performance.now() >= end) throw new SettingError(inUse);
    if (!announced) console.log(`${inUse}; waiting ${patienceMs / 1_000} s for it to end`);
    announced = true;
    await sleep(LOOK_MS);
  }
}

/** Others may pass through it, as the account of the database has to; what is secret is closed. */
export async function makeDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o711 });
    await access(dataDir, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingError(`DATA_DIR: ${dataDir} cannot be written (${code})`);
  }
}

type Secrets = { readonly [Name in SecretName]?: string | undefined };
type Given = Secrets & { readonly TOKEN_SIGNING_KEY?: string | undefined };

/** The secrets a sandbox was not given, made once and kept in files that only the owner can read. */
export async function sandboxSecrets(
  dataDir: string,
  given: Given,
): Promise<Readonly<Record<string, string>>> {
  const folder = folderIn(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const secrets: Record<string, string> = {};
  for (const name of secretNames) {
    secrets[name] = given[name] ?? (await keepSecret(fileOf(dataDir, name), randomSecret));
  }
  return { ...secrets, TOKEN_SIGNING_KEY: given.TOKEN_SIGNING_KEY ?? (await signingKey(folder)) };
}

/** One that a sandbox has made; rejects with ENOENT where none has. */
export async function readSandboxSecret(dataDir: string, name: SecretName): Promise<string> {
  return (await readFile(fileOf(dataDir, name), "utf8")).trim();
}

function folderIn(dataDir: string): string {
  return path.join(dataDir, "secrets");
}

function fileOf(dataDir: string, name: SecretName): string {
  return path.join(folderIn(dataDir), name.toLowerCase().replaceAll("_", "-"));
}

async function signingKey(folder: string): Promise<string> {
  const file = path.join(folder, "token-signing-key.pem");
  await keepSecret(file, () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    return String(privateKey.export({ type: "pkcs8", format: "pem" }));
  });
  return file;
}

function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * The secret kept in a file, made at the first call. Only the owner may read it. Of two processes
 * that start at once the first one's secret stands, and both yield it.
 */
export async function keepSecret(file: string, make: () => string): Promise<string> {
  const kept = await readIfThere(file);
  if (kept !== undefined) return kept.trim();
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${make().trim()}\n`, { mode: 0o600 });
  // A link, unlike a rename, fails where a file is already.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(draft);
  return (await readFile(file, "utf8")).trim();
}
