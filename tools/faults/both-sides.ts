import { randomInt } from "node:crypto";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import { databaseUrl } from "@/cli/bank/database-url";
import { runBank } from "@/cli/bank/testing";
import { startCoreBank } from "@/e2e/harness/core-bank";
import { stopLeftDatabase } from "@/e2e/harness/own-database";
import { freshSettings, type RunningServer, startServer } from "@/e2e/harness/server";
import { steadyPort } from "@/e2e/harness/steady-port";
import { readSettings } from "@/lib/config";
import { databaseAccount, databaseHome, superuser } from "@/lib/server/embedded-database";
import type { Books } from "./books";
import { atDatabase, campaign, inFolder, type Size, timesOf } from "./campaign";
import type { Outcome } from "./journal";
import { pick } from "./tpp";

/**
 * A server and the core bank in a process of its own, either or both killed with -9, each with a PostgreSQL that goes on
 * until its next start, and a network between them that cuts, delays and loses what is sent.
 */
export function killBoth(size: Size): Promise<Outcome> {
  return inFolder(async (folder) => {
    const since = new Date().toISOString();
    const coreDir = join(folder, "core");
    const corePort = await steadyPort();
    let core = await startCoreBank(coreDir, corePort);
    const network = await faultyNetwork(corePort);
    const profile = join(folder, "bank.yaml");
    const { stdout } = await runBank(["profile"], {});
    // As long as a client of the campaign goes on to ask: the outages may follow one another.
    await writeFile(profile, stdout.replace(/refreshGraceSeconds: .*/, "refreshGraceSeconds: 300"));
    const url = `https://localhost:${network.port}`;
    const shared = { ...core.settings, CORE_BANK_URL: url, BANK_PROFILE: profile };
    const bank = { ...(await freshSettings(join(folder, "bank"))), shared };
    let server: RunningServer | undefined;
    const killServer = async () => {
      await server?.kill();
      server = await startServer(bank);
    };
    const killCore = async () => {
      await core.stop("SIGKILL");
      core = await startCoreBank(coreDir, corePort);
    };
    const reconcile = async () => {
      const env = { ...shared, DATA_DIR: bank.dataDir };
      const { stdout, stderr } = await runBank(["reconcile", "--since", since], env);
      return `${stdout}${stderr}`.trim().split("\n");
    };
    try {
      server = await startServer(bank);
      const [url, ledgerUrl] = [await ownersUrl(bank.dataDir), await ownersUrl(coreDir)];
      return await campaign({
        ...{ clients: size.clients, mayFail: "a service", bank },
        ...{ databaseUrl: () => url, ledgerUrl: () => ledgerUrl },
        breakAgain: async (run) => {
          network.breakAgain();
          await timesOf(size, run, async () => {
            const killed = pick([[killServer], [killCore], [killServer, killCore]]);
            if (killed.includes(killCore)) run.journal.tally["core banks killed"] += 1;
            // What is starting is waited for, or it would outlive a run that fails here.
            for (const one of await Promise.allSettled(killed.map((kill) => kill())))
              if (one.status === "rejected") throw one.reason;
          });
          network.mend();
          await atDatabase(
            () => url,
            (sql) => enoughExecuted(sql, run.over),
          );
        },
        lookAgain: async ({ journal: { unreconciled, tally } }, { payments }) => {
          const left = await reconcile();
          unreconciled.push(...left.filter((line) => line !== "no differences"));
          // Running, it would mend some of what comes now. Its database goes on.
          await server?.kill();
          const made = await atDatabase(
            () => url,
            (here) =>
              atDatabase(
                () => ledgerUrl,
                (there) => differ(here, there, payments),
              ),
          );
          const found = new Set(await reconcile());
          const missed = made.filter((line) => !found.delete(line));
          found.delete(`differences: ${made.length}`);
          unreconciled.push(...missed.map((line) => `missed: ${line}`), ...found);
          tally["differences made and found"] = made.length - missed.length;
        },
      });
    } finally {
      await server?.stop();
      if (server !== undefined) await stopLeftDatabase(bank.dataDir);
      await core.stop();
      await stopLeftDatabase(coreDir);
      network.close();
    }
  });
}

/** With the role that may change anything. */
export async function ownersUrl(dataDir: string): Promise<string> {
  const url = new URL(await databaseUrl(readSettings({ DATA_DIR: dataDir })));
  const home = await databaseHome(dataDir, databaseAccount());
  url.username = superuser;
  url.password = (await readFile(join(home, "password"), "utf8")).trim();
  return url.href;
}

const KINDS = 4;
const OF_EACH_KIND = 3;
/** A loaded machine may execute hardly a payment under the faults. */
const EXECUTED_WITHIN_MS = 120_000;

/** Waits for the payments that `differ` changes, made by clients that go on. */
async function enoughExecuted(sql: postgres.Sql, over: AbortSignal): Promise<void> {
  const end = performance.now() + EXECUTED_WITHIN_MS;
  while (performance.now() < end && !over.aborted) {
    const [row] = await sql<{ n: number }[]>`
      select count(*)::int as n from payment_state where status = 'ACSC'`;
    if ((row?.n ?? 0) >= KINDS * OF_EACH_KIND) return;
    await sleep(500);
  }
}

/** As if an older copy of one side had been restored, or the core bank had changed its mind; the lines that tell so. */
async function differ(
  here: postgres.Sql,
  there: postgres.Sql,
  payments: Books["payments"],
): Promise<readonly string[]> {
  const ids = payments.filter(({ status }) => status === "ACSC").map(({ id }) => id);
  const made = [
    {
      told: "here ACSC  core bank none  not known to the core bank",
      make: (id: string) =>
        there.begin((sql) => [
          sql`set local session_replication_role = replica`,
          sql`delete from ledger_payment_status where payment_id = ${id}`,
          sql`delete from ledger_payment where id = ${id}`,
        ]),
    },
    {
      told: "here ACSC  core bank RJCT  the two contradict each other",
      make: (id: string) =>
        there.begin((sql) => [
          sql`set local session_replication_role = replica`,
          sql`update ledger_payment_status set status = 'RJCT', reason = 'no-funds'
            where payment_id = ${id} and status = 'ACSC'`,
        ]),
    },
    {
      told: "here ACSP  core bank ACSC  behind here",
      make: (id: string) =>
        here.begin((sql) => [
          sql`set local session_replication_role = replica`,
          sql`update payment_state set status = 'ACSP' where payment_id = ${id}`,
        ]),
    },
    {
      told: "here RCVD  core bank ACSC  behind here",
      make: (id: string) =>
        here.begin((sql) => [
          sql`set local session_replication_role = replica`,
          sql`update payment_state set status = 'RCVD', authorised_at = null where payment_id = ${id}`,
        ]),
    },
  ];
  const lines: string[] = [];
  for (const { told, make } of Array.from({ length: OF_EACH_KIND }, () => made).flat()) {
    const id = ids.pop();
    if (id === undefined) throw new Error("too few executed payments to make differences of");
    await make(id);
    lines.push(`${id}  ${told}`);
  }
  return lines;
}

const NETWORK_STATES = ["passes", "passes", "delays", "cuts", "is silent"] as const;
const STATE_MS_MAX = 2_000;
const DELAY_MS_MAX = 800;

/** A port of this machine in front of another, which for a while does what a network may do. */
async function faultyNetwork(to: number) {
  let state: (typeof NETWORK_STATES)[number] = "passes";
  const open = new Set<Socket>();
  const end = () => {
    for (const socket of open) socket.destroy();
  };
  const listening = createServer((near) => {
    const far = connect(to, "127.0.0.1");
    let isLost = false;
    const way = (from: Socket, onward: Socket) => {
      open.add(from);
      // In their order, however long each has to wait.
      let last = Promise.resolve();
      from.on("data", (chunk) => {
        // What was lost once is never followed by what comes after it.
        isLost ||= state === "is silent";
        const wait = state === "delays" ? sleep(randomInt(DELAY_MS_MAX)) : undefined;
        const before = last;
        last = (async () => {
          await before;
          await wait;
          if (!isLost) onward.write(chunk);
        })();
      });
      from.on("error", () => undefined);
      from.on("close", () => {
        open.delete(from);
        onward.destroy();
      });
    };
    way(near, far);
    way(far, near);
    if (state === "cuts") near.destroy();
  }).listen(0, "127.0.0.1");
  await once(listening, "listening");
  const address = listening.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  let changing: NodeJS.Timeout | undefined;
  const breakAgain = () => {
    state = pick(NETWORK_STATES);
    if (state === "cuts") end();
    changing = setTimeout(breakAgain, randomInt(STATE_MS_MAX));
  };
  const mend = () => {
    clearTimeout(changing);
    state = "passes";
  };
  return {
    port: address.port,
    breakAgain,
    mend,
    close: () => {
      mend();
      end();
      listening.close();
    },
  };
}
