// biome-ignore-all lint/style/noRestrictedImports: it tells the events what the process has started with

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type Config, isSecret } from "@/lib/config";
import { eventLog } from "@/lib/postgres/events";
import { guardedClient } from "@/lib/postgres/guarded-client";
import { bankProfile } from "@/lib/profile/in-force";
import { repeat, type Step } from "./processes";

/**
 * Records with which configuration a host has started, and which keys and trust anchors are others than at the start of
 * such a host before it: none of them changes while it runs. Tried again until it is recorded.
 */
export function startRecord(host: "tpp" | "web", config: Config): Step {
  const { run, close } = guardedClient(config.DATABASE_URL, { max: 1 });
  const { record } = eventLog({ $client: { run } });
  let recorded = false;
  const turn = async () => {
    if (recorded) return false;
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
    recorded = true;
    return false;
  };
  const { stop } = repeat({ everySeconds: bankProfile().sweep.everySeconds, turn });
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
  const files = named.map(async ({ name, path }) => {
    const digest = createHash("sha256").update(await readFile(path));
    return `${name} ${digest.digest("hex")}`;
  });
  return { settings, files: await Promise.all(files) };
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
  "CORE_BANK_TLS_CERT",
  "CORE_BANK_TLS_CA",
  "IDP_CLIENT_KEY",
  "IDP_CA",
  "STAFF_IDP_CLIENT_KEY",
  "STAFF_IDP_CA",
] as const;
