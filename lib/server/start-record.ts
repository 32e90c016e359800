// biome-ignore-all lint/style/noRestrictedImports: it tells the events what the process has started with

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type Config, isSecret } from "@/lib/config";
import { eventLog } from "@/lib/postgres/events";
import { guardedClient } from "@/lib/postgres/guarded-client";
import { bankFile } from "@/lib/profile/in-force";
import type { BankFile } from "@/lib/profile/read";
import { secretIds, secretNames } from "@/lib/secrets";
import { repeat, type Step } from "./processes";

/** How soon a change is recorded. */
const LOOK_EVERY_SECONDS = 5;

/**
 * Records with which configuration a host has started, and which keys, secrets and trust anchors are others than at the
 * start of such a host before it; then each change of these and of the bank's file. Tried again until it is.
 */
export function startRecord(host: "tpp" | "web", config: Config): Step {
  const { run, close } = guardedClient(config.DATABASE_URL, { max: 1 });
  const { record } = eventLog({ $client: { run } });
  let recorded: { readonly profile: BankFile; readonly keys: readonly string[] } | undefined;
  const turn = async () => {
    const [profile, keys] = [bankFile(), await keysOf(config)];
    if (recorded !== undefined && recorded.profile !== profile) {
      const files = await Promise.all(profile.paths.map((file) => digestOf(file, file)));
      await record({ kind: "profile-changed", detail: { host, files } });
    }
    const before = recorded?.keys ?? (await keysBefore()) ?? keys;
    const changed = keys.filter((key) => !before.includes(key));
    if (changed.length > 0) await record({ kind: "key-changed", detail: { host, files: changed } });
    // After the changes: a start that is tried again still finds those that were not recorded.
    if (recorded === undefined) {
      const files = [...(await filesOf(config, ["BANK_PROFILE"])), ...keys];
      const detail = { host, node: process.version, settings: settingsOf(config), files };
      await record({ kind: "server-started", detail });
    }
    recorded = { profile, keys };
    return false;
  };
  /** Of the start before, with what has changed since then; undefined at the first one. */
  const keysBefore = async () => {
    const events = await run(
      (sql) => sql<{ files: readonly string[] }[]>`
        with told as (select * from event where retention = 'administration'
          and kind in ('server-started', 'key-changed') and detail->>'host' = ${host})
        select detail->'files' as files from told
        where recorded_at >= (select max(recorded_at) from told where kind = 'server-started')
        order by recorded_at`,
    );
    const files = events.flatMap((event) => event.files);
    if (files.length === 0) return undefined;
    return [...new Map(files.map((file) => [file.split(" ", 1)[0], file])).values()];
  };
  const { stop } = repeat({ everySeconds: LOOK_EVERY_SECONDS, turn });
  return { finish: () => stop().then(close) };
}

function settingsOf(config: Config): readonly string[] {
  return Object.entries(config).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${isSecret(name) ? "set" : textOf(value)}`],
  );
}

/** Of files with certificates and keys a digest, and of secrets their ids, so that it shows when they have changed. */
async function keysOf(config: Config): Promise<readonly string[]> {
  const secrets = secretNames.map((name) => `${name} ${secretIds(config[name], name).join(" ")}`);
  return [...(await filesOf(config, keyFiles)), ...secrets];
}

function filesOf(config: Config, names: readonly (keyof Config)[]): Promise<readonly string[]> {
  const files = names.flatMap((name) => {
    const path = config[name];
    return typeof path === "string" ? [digestOf(name, path)] : [];
  });
  return Promise.all(files);
}

/** One that this host may not read, or that is just being replaced, keeps nothing else from being recorded. */
async function digestOf(name: string, path: string): Promise<string> {
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) return `${name} unreadable`;
  return `${name} ${createHash("sha256").update(bytes).digest("hex")}`;
}

const textOf = (value: object | string | number | boolean) =>
  typeof value === "object" && !Array.isArray(value) ? JSON.stringify(value) : String(value);

const keyFiles = [
  "TRUST_ANCHORS",
  "TRUSTED_LIST_SIGNERS",
  "TOKEN_SIGNING_KEY",
  "XS2A_TLS_CERT",
  "XS2A_TLS_KEY",
  "BANK_API_TLS_KEY",
  "CORE_BANK_TLS_KEY",
  "BANK_API_TLS_CERT",
  "BANK_API_CLIENT_CA",
  "BANK_API_JWKS_CA",
  "WEBHOOKS_CA",
  "NOTIFICATIONS_SEAL_CERT",
  "NOTIFICATIONS_SEAL_KEY",
  "CORE_BANK_TLS_CERT",
  "CORE_BANK_TLS_CA",
  "IDP_CLIENT_KEY",
  "IDP_CA",
  "STAFF_IDP_CLIENT_KEY",
  "STAFF_IDP_CA",
] as const;
