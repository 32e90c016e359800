// biome-ignore-all lint/style/noRestrictedImports: the sandbox's CA issues the certificate of its TPP host

import { readFile } from "node:fs/promises";
import path from "node:path";
import { createSecureContext } from "node:tls";
import { SettingError, type Settings, sandboxCertificates } from "@/lib/config";
import { type AnchorFile, readAnchorFile } from "@/lib/eidas/trusted-list";
import { watchFiles } from "@/lib/files";
import { log } from "@/lib/log";
import { readSigningKeys } from "@/lib/oauth/tokens";
import { checkCertificates, checkPair } from "@/lib/pem";
import {
  type CertificateAuthority,
  loadCertificateAuthority,
} from "@/lib/sandbox/certificate-authority";
import { loadServerCertificate } from "@/lib/sandbox/server-certificate";
import { clientAlgorithm, privateKeysInPem } from "@/lib/secrets";
import type { Listener, Tls } from "./listeners";
import { repeat, type Step } from "./processes";

/** The certificate for this moment. */
export type RenewedTls = (now: Date) => Promise<Tls>;

/** It is renewed a month before its end, so that a day does not matter. */
const DAY_SECONDS = 86_400;

type ShownTls = {
  readonly tls: Tls;
  /** What is to be shown later: of the sandbox's own another one when it nears its end. */
  readonly renewedTls: RenewedTls;
  /** Those that settings name, which may be replaced. */
  readonly files: readonly string[];
};

/** What the TPP host shows: the certificate that is named, or in a sandbox its own; undefined where a proxy speaks TLS. */
export async function tlsOf(settings: Settings, now: Date): Promise<ShownTls | undefined> {
  const { CLIENT_CERTIFICATE, XS2A_TLS_CERT, XS2A_TLS_KEY, XS2A_URL, DATA_DIR } = settings;
  if (CLIENT_CERTIFICATE === "proxy") return undefined;
  if (XS2A_TLS_CERT !== undefined && XS2A_TLS_KEY !== undefined) {
    const renewedTls = () =>
      readTls(["XS2A_TLS_CERT", XS2A_TLS_CERT], ["XS2A_TLS_KEY", XS2A_TLS_KEY]);
    return { tls: await renewedTls(), renewedTls, files: [XS2A_TLS_CERT, XS2A_TLS_KEY] };
  }
  const dataDir = path.resolve(DATA_DIR);
  const { tls: file } = sandboxCertificates(settings);
  const host = new URL(XS2A_URL).hostname;
  const renewedTls: RenewedTls = async (now) =>
    loadServerCertificate(await sandboxAuthority(dataDir, now), { file, host, now });
  return { tls: await renewedTls(now), renewedTls, files: [] };
}

/** By which the sandbox's own client of the bank API is known; it has every scope. */
export const SANDBOX_CLIENT = "sandbox";

/**
 * What the bank API shows, and by whom its clients' certificates are issued. The sandbox's client has an authority of its
 * own: anybody may have a certificate of the other one, as a TPP.
 */
export async function bankApiTlsOf(settings: Settings, now: Date): Promise<ShownTls> {
  const { BANK_API_TLS_CERT: cert, BANK_API_TLS_KEY: key, BANK_API_CLIENT_CA, DATA_DIR } = settings;
  const named = () => BANK_API_CLIENT_CA && readAuthority("BANK_API_CLIENT_CA", BANK_API_CLIENT_CA);
  const files = [cert, key, BANK_API_CLIENT_CA].filter((file) => file !== undefined);
  if (cert !== undefined && key !== undefined) {
    const renewedTls = async () => {
      const tls = await readTls(["BANK_API_TLS_CERT", cert], ["BANK_API_TLS_KEY", key]);
      return { ...tls, clientCa: (await named()) || undefined };
    };
    return { tls: await renewedTls(), renewedTls, files };
  }
  const dataDir = path.resolve(DATA_DIR);
  const folder = path.join(dataDir, "bank-api");
  const server = { file: sandboxCertificates(settings)["bank-api"], host: "localhost" };
  const client = { file: path.join(folder, "client.pem"), host: SANDBOX_CLIENT };
  const renewedTls: RenewedTls = async (now) => {
    const ofClients = await loadCertificateAuthority(path.join(folder, "ca"), now);
    await loadServerCertificate(ofClients, { ...client, now });
    const tls = await loadServerCertificate(await sandboxAuthority(dataDir, now), {
      ...server,
      now,
    });
    return { ...tls, clientCa: (await named()) || ofClients.certificatePem };
  };
  return { tls: await renewedTls(now), renewedTls, files };
}

/**
 * A server may run for longer than the certificate lasts that it has found at its start, and its files may be replaced
 * meanwhile. Files that are unfit are logged, and what was shown before is shown on.
 */
export function startTlsRenewal(
  listener: Pick<Listener, "renew">,
  { renewedTls, files }: Pick<ShownTls, "renewedTls" | "files">,
  everySeconds = DAY_SECONDS,
): Step {
  let shown: string | undefined;
  const turn = async () => {
    const tls = await renewedTls(new Date());
    const found = JSON.stringify(tls);
    if (found !== shown) listener.renew(tls);
    shown = found;
    return false;
  };
  const { stop } = repeat({ everySeconds, turn });
  const refused = ({ message }: Error) =>
    log.error({ reason: message }, "a TLS certificate is refused, and the one before is shown");
  const stopWatching = watchFiles(
    () => files,
    () => void turn().catch(refused),
  );
  return {
    finish: () => {
      stopWatching();
      return stop();
    },
  };
}

export function authorityFolder(dataDir: string): string {
  return path.join(dataDir, "ca");
}

export function sandboxAuthority(dataDir: string, now: Date): Promise<CertificateAuthority> {
  return loadCertificateAuthority(authorityFolder(dataDir), now).catch((error: Error) => {
    throw new SettingError(`DATA_DIR: ${error.message}`);
  });
}

/** Files that settings name are tried at the start; the first TPP should not be the one to find out. */
export async function checkTrustAnchors(
  file: string,
  { listSigners, now }: { readonly listSigners: string | undefined; readonly now: Date },
): Promise<AnchorFile> {
  const text = await readSetting("TRUST_ANCHORS", file);
  const listSignersPem = listSigners && (await readSetting("TRUSTED_LIST_SIGNERS", listSigners));
  try {
    return readAnchorFile({ text, listSignersPem, now });
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unreadable";
    throw new SettingError(`TRUST_ANCHORS: ${file} is unfit: ${reason}`);
  }
}

const AUTHORITIES = ["CORE_BANK_TLS_CA", "IDP_CA", "BANK_API_JWKS_CA", "WEBHOOKS_CA"] as const;

/** Files that are read when they are first needed: neither a PSU nor a TPP should be the one to find out. */
export async function checkCalledFiles(settings: Settings): Promise<void> {
  const { STAFF_PORT, CORE_BANK_TLS_CERT: cert, CORE_BANK_TLS_KEY: key } = settings;
  const hasConsole = STAFF_PORT !== 0;
  for (const name of [...AUTHORITIES, ...(hasConsole ? (["STAFF_IDP_CA"] as const) : [])]) {
    const file = settings[name];
    if (file !== undefined) await readAuthority(name, file);
  }
  const keys = [
    "IDP_CLIENT_KEY",
    ...(hasConsole ? (["STAFF_IDP_CLIENT_KEY"] as const) : []),
  ] as const;
  for (const name of keys) {
    const file = settings[name];
    if (file !== undefined) await checkClientKeys(name, file);
  }
  if (cert !== undefined && key !== undefined) {
    await readTls(["CORE_BANK_TLS_CERT", cert], ["CORE_BANK_TLS_KEY", key]);
  }
}

async function checkClientKeys(...[setting, file]: NamedFile): Promise<void> {
  const pem = await readSetting(setting, file);
  const fault = `${setting}: ${file} holds no private key in PEM, or one that is neither RSA nor EC P-256`;
  const algorithms = orElse(fault, () => privateKeysInPem(pem).map(clientAlgorithm));
  if (algorithms.length === 0) throw new SettingError(fault);
}

/** How many there are. */
export async function checkSigningKeys(file: string): Promise<number> {
  const text = await readSetting("TOKEN_SIGNING_KEY", file);
  return orElse(`TOKEN_SIGNING_KEY: ${file} holds no EC P-256 private key, or one twice`, () =>
    readSigningKeys(text),
  ).length;
}

type NamedFile = readonly [setting: string, file: string];

async function readTls(certFile: NamedFile, keyFile: NamedFile): Promise<Tls> {
  const cert = await readSetting(...certFile);
  const key = await readSetting(...keyFile);
  const fault = `${certFile[0]}, ${keyFile[0]}: not a PEM certificate and its private key`;
  orElse(fault, () => {
    checkPair(cert, key);
    createSecureContext({ cert, key });
  });
  return { cert, key };
}

async function readAuthority(...[setting, file]: NamedFile): Promise<string> {
  const text = await readSetting(setting, file);
  const fault = `${setting}: ${file} holds no certificate in PEM`;
  return orElse(fault, () => checkCertificates(text));
}

async function readSetting(setting: string, file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new SettingError(`${setting}: ${file} cannot be read (${error.code})`);
  });
}

function orElse<Value>(fault: string, make: () => Value): Value {
  try {
    return make();
  } catch {
    throw new SettingError(fault);
  }
}
