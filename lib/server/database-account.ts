import { readFileSync } from "node:fs";

/** Whom the database runs as; empty where it runs as ourselves. */
export type Account = { readonly uid?: number; readonly gid?: number };

const nobody = { uid: 65_534, gid: 65_534 };

/** PostgreSQL refuses to run as root, so root lends it the account of a user without rights. */
export function databaseAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  return userIn(readFileSync("/etc/passwd", "utf8"), ["postgres", "nobody"]) ?? nobody;
}

export function userIn(passwd: string, names: readonly string[]): Required<Account> | undefined {
  const users = passwd.split("\n").map((line) => line.split(":"));
  for (const name of names) {
    const [, , uid, gid] = users.find(([user]) => user === name) ?? [];
    if (Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}
