import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it as plainIt, vi } from "vitest";
import { ignoringOutages, type Outage, watchOutage } from "@/lib/outage";
import { type Connection, connect } from "./client";
import { databaseOfNotes, type Line, lineTo, told } from "./testing-database";

/** The tests wait them out; a busy machine needs some of each to connect again. */
const bounds = { connect: 3_000, wait: 4_500, answer: 5_000, rest: 100 };
/** For what is refused at once, so that nothing waits them out. */
const patient = { connect: 20_000, wait: 30_000, answer: 30_000, rest: 100 };
const database = databaseOfNotes();
const { notes } = database;

type Held = { readonly line: Line; readonly bank: Connection };

/** Each test has a line of its own to the database, and a client at its end. */
const it = plainIt.extend<Held>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest wants the pattern
  line: async ({}, use) => {
    const line = await lineTo(database.url);
    await use(line);
    await line.close();
  },
  bank: async ({ line }, use) => {
    const bank = connect(line.url, { max: 2, bounds });
    // Its bounds are short for a busy machine.
    await vi.waitFor(() => ask(bank), { timeout: 30_000 });
    await use(bank);
    await line.mend();
    await bank.close();
  },
});

const ask = ({ db }: Connection) => db.execute(sql`select 1`);
const note = ({ db }: Connection, text: string) =>
  db.transaction((tx) => tx.execute(sql`insert into note values (${text})`));

describe("a database that was stopped", () => {
  it("is unavailable to statements and transactions alike, at once and each time", async ({
    line,
    bank,
  }) => {
    await line.cut();
    for (let nth = 0; nth < 5; nth += 1) {
      const [asked, noted] = await Promise.all([told(ask(bank)), told(note(bank, "lost"))]);
      expect([asked?.[0], noted?.[0]]).toEqual([true, true]);
    }
  });

  it("is available with the first call after its return", async ({ line }) => {
    const bank = connect(line.url, { max: 2, bounds: patient });
    for (let nth = 0; nth < 5; nth += 1) {
      await line.cut();
      await Promise.all(Array.from({ length: 20 }, () => told(ask(bank))));
      await line.mend();
      await ask(bank);
      await note(bank, String(nth));
    }
    expect(await notes()).toHaveLength(5);
    await bank.close();
  });
});

// What is left of their time limits they wait for, side by side.
describe.concurrent("a database that does not answer", () => {
  it("is given up, after a statement, a COMMIT or an attempt to connect", async ({
    line,
    bank,
  }) => {
    line.silence();
    expect(await told(ask(bank))).toEqual([true, "NO_ANSWER"]);
    expect(await told(ask(bank))).toEqual([true, "CONNECT_TIMEOUT"]);
    expect((await told(note(bank, "lost")))?.[0]).toBe(true);
    await line.mend();
    await ask(bank);
  });

  it("gets a second attempt to connect, since nothing was sent in the first", async ({ line }) => {
    for (const call of [ask, (bank: Connection) => note(bank, "once")]) {
      const bank = connect(line.url, { max: 1, bounds: { ...patient, connect: 2_000 } });
      line.hang();
      expect(await told(call(bank))).toBeUndefined();
      await bank.close();
    }
  });

  it("is asked before anything is sent on a connection that has been silent, and not waited for", async ({
    line,
  }) => {
    const bank = connect(line.url, { max: 1, bounds: { ...patient, connect: 2_000, silence: 0 } });
    for (const call of [ask, (bank: Connection) => note(bank, "once")]) {
      await ask(bank);
      line.freeze();
      expect(await told(call(bank))).toBeUndefined();
    }
    await bank.close();
  });

  it("a COMMIT that was not answered is no success", async ({ line, bank }) => {
    const committed = bank.db.transaction(async (tx) => {
      await tx.execute(sql`insert into note values ('unknown')`);
      line.silence();
    });
    expect(await told(committed)).toEqual([true, "NO_ANSWER"]);
  });
});

describe.concurrent("a transaction on a database that does not answer", () => {
  const begin = ({ db }: Connection) => db.transaction((tx) => tx.execute(sql`select 1`));

  /** One connection, so that nothing else can find out. */
  async function withOne({ url }: Line, use: (single: Connection) => Promise<void>) {
    const single = connect(url, { max: 1, bounds });
    await use(single).finally(() => single.close());
  }

  it("is given up with its BEGIN, and the next one succeeds when the database is back", ({
    line,
  }) =>
    withOne(line, async (single) => {
      await begin(single);
      line.silence();
      expect(await told(begin(single))).toEqual([true, "NO_ANSWER"]);
      expect((await told(begin(single)))?.[0]).toBe(true);
      await line.mend();
      await begin(single);
    }));

  it("is not run again once it has begun, even where the next attempt to connect times out", async ({
    line,
  }) => {
    const single = connect(line.url, { max: 1, bounds: { ...patient, connect: 2_000 } });
    let runs = 0;
    const lost = single.db.transaction(async (tx) => {
      runs += 1;
      await tx.execute(sql`select 1`);
      await line.mend();
      line.hang();
      await tx.execute(sql`select 1`);
    });
    expect((await told(lost))?.[0]).toBe(true);
    expect(runs).toBe(1);
    await single.close();
  });

  it("is given up with its ROLLBACK", ({ line }) =>
    withOne(line, async (single) => {
      const undone = single.db.transaction(async (tx) => {
        await tx.execute(sql`select 1`);
        line.silence();
        throw new Error("undone");
      });
      expect(await told(undone)).toEqual([true, "NO_ANSWER"]);
      await line.mend();
      await begin(single);
    }));
});

it.concurrent.for([1, 2])(
  "a balancer that had no database behind it has one again, with %i connections",
  async (max, { line }) => {
    line.refuse();
    const behind = connect(line.url, { max, bounds });
    const asked = () => behind.db.execute(sql`select 1`);
    for (let nth = 0; nth < 3; nth += 1) expect((await told(asked()))?.[0]).toBe(true);
    await line.mend();
    await asked();
    await behind.close();
  },
);

describe("a primary that has become a standby", () => {
  it("is unavailable to writes, and the primary is looked for again", async ({ line }) => {
    // The setting is that of new connections.
    await database.sql.unsafe(
      `alter database ${nameOf(database.url)} set default_transaction_read_only = on`,
    );
    const bank = connect(line.url, { max: 2, bounds });
    expect(await told(note(bank, "lost"))).toEqual([true, "25006"]);
    await database.sql.begin("read write", (tx) =>
      tx.unsafe(`alter database ${nameOf(database.url)} reset default_transaction_read_only`),
    );
    await note(bank, "kept");
    expect(await notes()).toEqual([{ text: "kept" }]);
    await bank.close();
  });
});

describe("a database that lacks a resource", () => {
  /** One connection, so that it shows whether it is used again. */
  let single: Connection;
  beforeEach(() => {
    single = connect(database.url, { max: 1, bounds });
  });
  afterEach(() => single.close());
  const processOf = async () =>
    (await single.db.execute(sql`select pg_backend_pid() as pid`))[0]?.["pid"];
  const insert = () => single.db.execute(sql`insert into note values ('refused')`);
  const inTransaction = () =>
    single.db.transaction((tx) => tx.execute(sql`insert into note values ('refused')`));

  /** Every change of the table is refused with the code, by its statement or by the COMMIT. */
  async function refusing(code: string, deferred: boolean): Promise<() => Promise<void>> {
    await database.sql.unsafe(`
      create or replace function refused() returns trigger language plpgsql as
        $$ begin raise exception 'there is none left' using errcode = '${code}'; end $$;
      create constraint trigger refused after insert on note
        ${deferred ? "deferrable initially deferred" : ""} for each row execute function refused()`);
    return async () => void (await database.sql`drop trigger refused on note`);
  }

  it.each([
    ["space on its disk", "53100"],
    ["memory", "53200"],
    ["space for temporary files", "53400"],
  ])(
    "X15: is unavailable to writes, and answers reads on the same connection: %s",
    async (_what, code) => {
      const before = await processOf();
      for (const deferred of [false, true]) {
        const enough = await refusing(code, deferred);
        try {
          const outage: Outage = { seen: false };
          await watchOutage(outage, async () => {
            expect(await told(insert())).toEqual([true, code]);
            expect(await told(inTransaction())).toEqual([true, code]);
          });
          expect(outage.seen).toBe(true);
          expect(await processOf()).toBe(before);
        } finally {
          await enough();
        }
      }
      expect(await notes()).toEqual([]);
      await inTransaction();
      expect(await processOf()).toBe(before);
    },
  );

  it("X15: is unavailable without a free connection, and available with the next one", async () => {
    const role = `few_${randomBytes(8).toString("hex")}`;
    await database.sql.unsafe(`create role ${role} login password 'x' connection limit 1`);
    const url = Object.assign(new URL(database.url), { username: role, password: "x" });
    const holder = connect(url.href, { max: 1, bounds });
    const late = connect(url.href, { max: 1, bounds });
    const asked = () => late.db.execute(sql`select 1`);
    try {
      await holder.db.execute(sql`select 1`);
      expect(await told(asked())).toEqual([true, "53300"]);
      await holder.close();
      await vi.waitFor(asked, { timeout: 10_000 });
    } finally {
      await Promise.all([holder.close(), late.close()]);
      await database.sql.unsafe(`drop role ${role}`);
    }
  });
});

describe("an outage during a request", () => {
  it("is recorded for it and for no other, wherever the error was caught", async ({
    line,
    bank,
  }) => {
    await line.cut();
    const [outage, spared, other]: Outage[] = [{ seen: false }, { seen: false }, { seen: false }];
    if (!outage || !spared || !other) throw new Error("three requests");
    await watchOutage(outage, async () => {
      await ask(bank).catch(() => undefined);
    });
    await watchOutage(spared, () => ignoringOutages(() => ask(bank).catch(() => undefined)));
    await watchOutage(other, async () => "no question");
    expect([outage.seen, spared.seen, other.seen]).toEqual([true, false, false]);
  });

  it("is recorded in a transaction, too", async ({ line, bank }) => {
    await line.cut();
    const outage: Outage = { seen: false };
    await watchOutage(outage, () => told(note(bank, "lost")));
    expect(outage.seen).toBe(true);
  });

  it("is no outage when a statement is wrong", async ({ bank }) => {
    const outage: Outage = { seen: false };
    const wrong = () => bank.db.execute(sql`select nothing`);
    expect(await watchOutage(outage, () => told(wrong()))).toEqual([false, "42703"]);
    expect(outage.seen).toBe(false);
  });
});

const nameOf = (url: string) => new URL(url).pathname.slice(1);
