import { randomBytes } from "node:crypto";
import { chown, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { SettingError } from "@/lib/config";
import type { Account } from "./database-account";
import type { Programs } from "./postgres-binaries";
import { run } from "./run-command";
import { keepSecret } from "./secret-file";

/** Owns everything, and migrates. */
export const superuser = "drawbridge";
/** What the server runs as, and the commands of `npm run bank`. */
export const serverRole = "drawbridge_server";
/** Beside the cluster, in a file that only its owner can read. */
export const serverPasswordFile = "server-password";
export const databaseName = "drawbridge";

type Place = {
  readonly home: string;
  readonly cluster: string;
  readonly as: Account;
  readonly programs: Programs;
};

// The builtin locale is the same on every machine, whatever locales the system has installed.
const initialised = [
  "--encoding=UTF8",
  "--locale=C",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
  "--auth=scram-sha-256",
  `--username=${superuser}`,
  "--set=listen_addresses=127.0.0.1",
  "--set=unix_socket_directories=",
  "--set=max_connections=100",
];

export function newPassword(): string {
  return randomBytes(24).toString("hex");
}

/** Makes the data folder when it is missing, and yields the password of the user that owns it. */
export async function createCluster({ home, cluster, as, programs }: Place): Promise<string> {
  const passwordFile = path.join(home, "password");
  const password = await keepSecret(passwordFile, newPassword);
  if (as.uid !== undefined && as.gid !== undefined) await chown(passwordFile, as.uid, as.gid);
  if ((await stat(cluster).catch(() => undefined)) !== undefined) return password;

  // Made beside and renamed: a folder that an interrupted start left half made is never used.
  const unfinished = `${cluster}.new`;
  await rm(unfinished, { recursive: true, force: true });
  const user = { as, cwd: home };
  const made = await run(
    programs.initdb,
    ["-D", unfinished, `--pwfile=${passwordFile}`, ...initialised],
    user,
  );
  if (made.code !== 0) throw broken(made.output);
  const named = await run(programs.postgres, ["--single", "-D", unfinished, "postgres"], {
    ...user,
    input: `CREATE DATABASE ${databaseName}\n`,
  });
  if (named.code !== 0) throw broken(named.output);
  await rename(unfinished, cluster);
  return password;
}

function broken(output: string): SettingError {
  const last = output.trim().split("\n").at(-1);
  return new SettingError(`DATA_DIR: a PostgreSQL of our own cannot be made there (${last})`);
}
