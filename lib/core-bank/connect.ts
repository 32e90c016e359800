// biome-ignore-all lint/style/noRestrictedImports: it decides which of the two adapters the bank has

import { createSecureContext } from "node:tls";
import type { Config } from "@/lib/config";
import type { AspspProfile } from "@/lib/domain/bank-profile";
import type { CoreBank } from "@/lib/domain/core-bank";
import { type MovableClock, newPaymentId } from "@/lib/domain/values";
import { followFiles } from "@/lib/files";
import { log } from "@/lib/log";
import { readAuthorities, readPair } from "@/lib/pem";
import { type AccessToken, clientCredentialsToken, fixedToken } from "./http/access-token";
import { coreBankClient } from "./http/client";
import { httpCoreBank } from "./http/core-bank";
import { ledger } from "./ledger/core-bank";
import { withCoreFaults } from "./ledger/core-faults";
import { findMagic } from "./ledger/magic-payments";

type ConnectedCoreBank = {
  /** The bank's own system has a profile of its own. */
  readonly coreBank: (profile: AspspProfile) => CoreBank;
  readonly close: () => Promise<void>;
};

type Connection = Pick<Config, Extract<keyof Config, `CORE_BANK_${string}`>>;

/** Calls of this process that may be under way; a TPP's request or a PSU's page waits for each. */
const CALLS_MAX = 256;
/** A slow core bank of a sandbox's namespace. */
const SLOW_MILLISECONDS = 3_000;

/**
 * The bank's own core banking system where CORE_BANK_URL names one, else the embedded ledger in `database`, which in
 * the sandbox is `slowMilliseconds` slow for namespaces that want it to be.
 */
export function connectCoreBank(
  config: Connection,
  database: Parameters<typeof ledger>[0],
  movable: MovableClock | undefined,
  slowMilliseconds = SLOW_MILLISECONDS,
): ConnectedCoreBank {
  const { CORE_BANK_URL: url, CORE_BANK_CONNECTIONS: connections } = config;
  if (url === undefined) {
    // Only a sandbox's clock can be moved.
    const coreBank = (profile: AspspProfile) =>
      movable === undefined
        ? ledger(database, profile)
        : withCoreFaults(ledger(database, profile, findMagic), database, slowMilliseconds);
    return { coreBank, close: async () => undefined };
  }
  const client = coreBankClient({
    ...{ url, connections, callsMax: CALLS_MAX, ...identityIn(config) },
    // A sandbox's clock can be moved, and its core bank with it.
    ...(movable && {
      headers: async () => ({ "sandbox-clock": (await movable.now()).toISOString() }),
    }),
    onFault: (fault) => log.error(fault, "the core bank has not answered as the contract says"),
  });
  const coreBank = httpCoreBank(client);
  return { coreBank: () => coreBank, close: client.close };
}

/** Whether the core bank answers about a payment that there is not; on a connection of its own, which is never busy. */
export function probeCoreBank(url: string, config: Connection) {
  const client = coreBankClient({
    ...{ url, connections: 1, callsMax: 1, ...identityIn(config) },
    onFault: () => undefined,
  });
  const coreBank = httpCoreBank(client);
  const isReachable = async () => (await coreBank.payment(newPaymentId())) === undefined;
  return { isReachable, close: client.close };
}

function identityIn(config: Connection) {
  const { CORE_BANK_TLS_CERT, CORE_BANK_TLS_KEY, CORE_BANK_TLS_CA } = config;
  const tls = followFiles({
    what: "CORE_BANK_TLS_CERT, CORE_BANK_TLS_KEY, CORE_BANK_TLS_CA",
    files: [CORE_BANK_TLS_CERT, CORE_BANK_TLS_KEY, CORE_BANK_TLS_CA],
    read: () => coreBankTls(config),
  });
  return { tls, accessToken: accessTokenOf(config) };
}

/** PEM texts of mutual TLS. Throws when a file cannot be read, or the key is not the certificate's. */
export function coreBankTls({
  CORE_BANK_TLS_CERT,
  CORE_BANK_TLS_KEY,
  CORE_BANK_TLS_CA,
}: Connection) {
  const [certFile, keyFile] = [CORE_BANK_TLS_CERT, CORE_BANK_TLS_KEY];
  const ca = CORE_BANK_TLS_CA && readAuthorities(CORE_BANK_TLS_CA);
  const pair = certFile && keyFile && readPair(certFile, keyFile);
  const tls = { ...pair, ...(ca && { ca }) };
  createSecureContext(tls);
  return tls;
}

function accessTokenOf(config: Connection): AccessToken | undefined {
  const { CORE_BANK_TOKEN_URL, CORE_BANK_CLIENT_ID, CORE_BANK_CLIENT_SECRET } = config;
  if (CORE_BANK_TOKEN_URL && CORE_BANK_CLIENT_ID && CORE_BANK_CLIENT_SECRET) {
    return clientCredentialsToken({
      tokenUrl: CORE_BANK_TOKEN_URL,
      clientId: CORE_BANK_CLIENT_ID,
      clientSecret: CORE_BANK_CLIENT_SECRET,
      scope: config.CORE_BANK_SCOPE,
      insecure: CORE_BANK_TOKEN_URL.startsWith("http://"),
    });
  }
  return config.CORE_BANK_TOKEN === undefined ? undefined : fixedToken(config.CORE_BANK_TOKEN);
}
