import { chmod } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { createCluster } from "@/lib/server/embedded-database";
import { makeStandby, waitForStandby } from "./base-backup";
import {
  killMember,
  type Member,
  newMember,
  startMember,
  stopMember,
  urlOf,
} from "./postgres-member";

/** A PostgreSQL with a synchronous standby. */
export type ReplicatedDatabase = {
  /** With both hosts, as DATABASE_URL has them. */
  readonly url: string;
  /** The primary alone, which of the two it is now. */
  readonly primaryUrl: () => string;
  readonly standbyUrl: () => string;
  readonly killPrimary: () => Promise<void>;
  /** What was the standby takes changes from now on. */
  readonly promote: () => Promise<void>;
  /** In the place of the one that was killed; nothing of what that had is used. */
  readonly newStandby: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export async function replicatedDatabase(folder: string): Promise<ReplicatedDatabase> {
  // The database's user has to come through.
  await chmod(folder, 0o711);
  const one = await newMember(join(folder, "one"));
  const two = await newMember(join(folder, "two"), one.port);
  let [primary, standby]: [Member, Member] = [one, two];
  const password = await createCluster(primary);
  const hosts = [one, two].map(({ port }) => `127.0.0.1:${port}`).join(",");
  const url = urlOf(one, password).replace(/@[^/]+/, `@${hosts}`);

  async function newStandby(): Promise<void> {
    await makeStandby(primary, standby, password);
    await startMember(standby);
    await waitForStandby(primary, password);
  }

  async function promote(): Promise<void> {
    const sql = postgres(urlOf(standby, password), { max: 1, onnotice: () => undefined });
    try {
      await sql`select pg_promote(true, 30)`;
    } finally {
      await sql.end({ timeout: 5 });
    }
    [primary, standby] = [standby, primary];
  }

  await startMember(primary);
  try {
    await newStandby();
  } catch (error) {
    await stopMember(primary);
    throw error;
  }
  return {
    url: `${url}?target_session_attrs=read-write`,
    primaryUrl: () => urlOf(primary, password),
    standbyUrl: () => urlOf(standby, password),
    killPrimary: () => killMember(primary),
    promote,
    newStandby,
    stop: async () => {
      for (const member of [primary, standby]) await stopMember(member);
    },
  };
}
