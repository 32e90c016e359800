import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { keepSecret } from "./secret-file";

const names = ["COOKIE_SECRET", "SESSION_SECRET", "CODE_SECRET"] as const;
type SecretName = (typeof names)[number];
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
  for (const name of names) {
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
