// biome-ignore-all lint/style/noRestrictedImports: it tells the events what the process has started with

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type Config, isSecret } from "@/lib/config";
import { eventLog } from "@/lib/postgres/events";
import { guardedClient } from "@/lib/postgres/guarded-client";
import { bankFile } from "@/lib/profile/in-force";
import type { BankFile } from "@/lib/profile/read";
import { repeat, type Step } from "./processes";

/** How soon a change of the bank's file is recorded. */
const LOOK_EVERY_SECONDS = 5;

/**
 * Records with which configuration a host has started, and which keys and trust anchors are others than at the start of
 * such a host before it: none of them changes while it runs. Of the bank's file, which may, each change is recorded. Tried
 * again until it is.
 */
export function startRecord(host: "tpp" | "web", config: Config): Step {
  const { run, close } = guardedClient(config.DATABASE_URL, { max: 1 });
  const { record } = eventLog({ $client: { run } });
  let recorded: BankFile | undefined;
  const turn = async () => {
    const inForce = bankFile();
    if (recorded === undefined) await recordStart();
    else if (recorded !== inForce) {
      const files = await Promise.all(inForce.paths.map((file) => digestOf(file, file)));
      await record({ kind: "profile-changed", detail: { host, files } });
    }
    recorded = inForce;
    return false;
  };
  const recordStart = async () => {
    const { settings, files } = await configurationOf(config);
    const [last] = await run(
      (sql) => sql<{ files: readonly string[] }[]>`
        select detail->'files' as files from event where retention = 'administration'
          and kind = 'server-started' and detail->>'host' = ${host} order by recorded_at desc limit 1`,
    );
    const changed = files.filter((file) => last !== undefined && !last.files.includes(file));
    const node = process.version;
    await record({ kind: "server-started", detail: { host, node, settings, files } });
    if (changed.length > 0) await record({ kind: "key-changed", detail: { host, files: changed } });
  };
  const { stop } = repeat({ everySeconds: LOOK_EVERY_SECONDS, turn });
  return { finish: () => stop().then(close) };
}

/** Of files with certificates and keys a digest, so that it shows when they have changed. */
async function configurationOf(config: Config) {
  const settings = Object.entries(config).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${isSecret(name) ? "set" : textOf(value)}`],
  );
  const named = keptFiles.flatMap((name) => {
    const path = config[name];
    return path === undefined ? [] : [{ name, path }];
  });
  const files = named.map(({ name, path }) => digestOf(name, path));
  return { settings, files: await Promise.all(files) };
}

async function digestOf(name: string, path: string): Promise<string> {
  const digest = createHash("sha256").update(await readFile(path));
  return `${name} ${digest.digest("hex")}`;
}

const textOf = (value: object | string | number | boolean) =>
  typeof value === "object" && !Array.isArray(value) ? JSON.stringify(value) : String(value);

const keptFiles = [
  "BANK_PROFILE",
  "TRUST_ANCHORS",
  "TRUSTED_LIST_SIGNERS",
  "TOKEN_SIGNING_KEY",
  "XS2A_TLS_CERT",
  "XS2A_TLS_KEY",
  "BANK_API_TLS_CERT",
  "BANK_API_CLIENT_CA",
  "BANK_API_JWKS_CA",
  "WEBHOOKS_CA",
  "NOTIFICATIONS_SEAL_CERT",
  "CORE_BANK_TLS_CERT",
  "CORE_BANK_TLS_CA",
  "IDP_CLIENT_KEY",
  "IDP_CA",
  "STAFF_IDP_CLIENT_KEY",
  "STAFF_IDP_CA",
] as const;
