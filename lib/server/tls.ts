// biome-ignore-all lint/style/noRestrictedImports: the sandbox's CA issues the certificate of its TPP host

import { createPrivateKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { createSecureContext } from "node:tls";
import { SettingError, type Settings, sandboxCertificates } from "@/lib/config";
import { type AnchorFile, readAnchorFile } from "@/lib/eidas/trusted-list";
import {
  type CertificateAuthority,
  loadCertificateAuthority,
} from "@/lib/sandbox/certificate-authority";
import { loadServerCertificate } from "@/lib/sandbox/server-certificate";
import type { Listener, Tls } from "./listeners";
import { repeat, type Step } from "./processes";

/** The certificate for this moment. */
export type RenewedTls = (now: Date) => Promise<Tls>;

/** It is renewed a month before its end, so that a day does not matter. */
const DAY_SECONDS = 86_400;

type HostTls = {
  /** Undefined where a proxy speaks TLS. */
  readonly tls: Tls | undefined;
  /** The same, or another when it nears its end; undefined where it is not the sandbox's own. */
  readonly renewedTls: RenewedTls | undefined;
};

/** What the TPP host shows: the certificate that is named, or in a sandbox its own. */
export async function tlsOf(settings: Settings, now: Date): Promise<HostTls> {
  const { CLIENT_CERTIFICATE, XS2A_TLS_CERT, XS2A_TLS_KEY, XS2A_URL, DATA_DIR } = settings;
  if (CLIENT_CERTIFICATE === "proxy") return { tls: undefined, renewedTls: undefined };
  if (XS2A_TLS_CERT !== undefined && XS2A_TLS_KEY !== undefined) {
    const tls = await readTls(["XS2A_TLS_CERT", XS2A_TLS_CERT], ["XS2A_TLS_KEY", XS2A_TLS_KEY]);
    return { tls, renewedTls: undefined };
  }
  const dataDir = path.resolve(DATA_DIR);
  const { tls: file } = sandboxCertificates(settings);
  const host = new URL(XS2A_URL).hostname;
  const renewedTls: RenewedTls = async (now) =>
    loadServerCertificate(await sandboxAuthority(dataDir, now), { file, host, now });
  return { tls: await renewedTls(now), renewedTls };
}

/** By which the sandbox's own client of the bank API is known; it has every scope. */
export const SANDBOX_CLIENT = "sandbox";

/**
 * What the bank API shows, and by whom its clients' certificates are issued. The sandbox's client has an authority of its
 * own: anybody may have a certificate of the other one, as a TPP.
 */
export async function bankApiTlsOf(settings: Settings, now: Date) {
  const { BANK_API_TLS_CERT: cert, BANK_API_TLS_KEY: key, BANK_API_CLIENT_CA, DATA_DIR } = settings;
  const named = BANK_API_CLIENT_CA && (await readSetting("BANK_API_CLIENT_CA", BANK_API_CLIENT_CA));
  if (cert !== undefined && key !== undefined) {
    const tls = await readTls(["BANK_API_TLS_CERT", cert], ["BANK_API_TLS_KEY", key]);
    return { tls: { ...tls, clientCa: named || undefined }, renewedTls: undefined };
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
    return { ...tls, clientCa: named || ofClients.certificatePem };
  };
  return { tls: await renewedTls(now), renewedTls };
}

/** A server may run for longer than the certificate lasts that it has found at its start. */
export function startTlsRenewal(
  listener: Pick<Listener, "renew">,
  renewed: RenewedTls,
  everySeconds = DAY_SECONDS,
): Step {
  let shown: string | undefined;
  const turn = async () => {
    const tls = await renewed(new Date());
    if (tls.cert !== shown) listener.renew(tls);
    shown = tls.cert;
    return false;
  };
  return { finish: repeat({ everySeconds, turn }).stop };
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

export async function checkSigningKey(file: string): Promise<void> {
  const pem = await readSetting("TOKEN_SIGNING_KEY", file);
  const fault = `TOKEN_SIGNING_KEY: ${file} holds no EC P-256 private key`;
  const key = orElse(fault, () => createPrivateKey(pem));
  if (key.asymmetricKeyDetails?.namedCurve !== "prime256v1") throw new SettingError(fault);
}

type NamedFile = readonly [setting: string, file: string];

async function readTls(certFile: NamedFile, keyFile: NamedFile): Promise<Tls> {
  const cert = await readSetting(...certFile);
  const key = await readSetting(...keyFile);
  const fault = `${certFile[0]}, ${keyFile[0]}: not a PEM certificate and its private key`;
  orElse(fault, () => createSecureContext({ cert, key }));
  return { cert, key };
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
