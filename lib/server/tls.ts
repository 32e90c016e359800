// biome-ignore-all lint/style/noRestrictedImports: the sandbox's CA issues the certificate of its TPP host
import path from "node:path";
import { SettingError, type Settings } from "@/lib/config";
import {
  type CertificateAuthority,
  loadCertificateAuthority,
} from "@/lib/sandbox/certificate-authority";
import { loadServerCertificate } from "@/lib/sandbox/server-certificate";
import { readTls } from "./given-files";
import type { Listener, Tls } from "./listeners";
import { repeat } from "./repeat";
import type { Step } from "./shutdown";

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
    return { tls: await readTls(XS2A_TLS_CERT, XS2A_TLS_KEY), renewedTls: undefined };
  }
  const dataDir = path.resolve(DATA_DIR);
  const [file, host] = [path.join(dataDir, "tls.pem"), new URL(XS2A_URL).hostname];
  const renewedTls: RenewedTls = async (now) =>
    loadServerCertificate(await sandboxAuthority(dataDir, now), { file, host, now });
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
