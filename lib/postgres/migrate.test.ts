import { randomBytes } from "node:crypto";
import postgres from "postgres";
import {
  afterAll,
  beforeAll,
  describe,
  expect,
  inject,
  it,
  onTestFinished,
  test,
  vi,
} from "vitest";
import { paymentExecution } from "@/lib/core-bank/ledger/payment-execution";
import type { TransactionStatus } from "@/lib/domain/payment-order";
import { submitDuePayments } from "@/lib/domain/payments";
import type { PaymentId, TppId } from "@/lib/domain/values";
import { aspspProfile } from "@/lib/testing-profile";
import { connect } from "./client";
import type { Run } from "./guard";
import { checkVersion, ensureRole, excessiveRights, migrate, RoleError } from "./migrate";
import { type Migration, migrationsOfRelease, schemaFault, schemaVersion } from "./schema-version";
import { minutesOn, now, submissionPorts } from "./testing";
import { databaseOf } from "./testing-cluster";
import { databaseBefore } from "./testing-database";

describe("the migrations", () => {
  async function emptyDatabase(): Promise<string> {
    const admin = postgres(inject("databaseUrl"), { max: 1 });
    const name = `test_${randomBytes(8).toString("hex")}`;
    await admin`create database ${admin(name)}`;
    onTestFinished(async () => {
      await admin`drop database ${admin(name)} with (force)`;
      await admin.end();
    });
    const url = new URL(inject("databaseUrl"));
    url.pathname = `/${name}`;
    return url.href;
  }

  describe("migrations", () => {
    it("are applied once when many servers start at once on an empty database", async () => {
      const url = await emptyDatabase();
      await Promise.all(Array.from({ length: 8 }, () => migrate(url)));
      const sql = postgres(url, { max: 1 });
      onTestFinished(() => sql.end());
      const rows = await sql`select hash from drizzle.__drizzle_migrations`;
      expect(rows.length).toBeGreaterThan(0);
      expect(new Set(rows.map((row) => row["hash"])).size).toBe(rows.length);
    });

    it("leave an up-to-date database as it is", async () => {
      const url = await emptyDatabase();
      await migrate(url);
      await migrate(url);
    });

    it("leave a database as it was when one of them fails", async () => {
      const url = await emptyDatabase();
      const sql = postgres(url, { max: 1 });
      onTestFinished(() => sql.end());
      const [first] = migrationsOfRelease();
      if (first === undefined) throw new Error("there are no migrations");
      const failing = { ...first, at: first.at + 1, statements: ["select 1 / 0"] };
      const migrations = [first, failing];
      await expect(migrate(url, { migrations })).rejects.toThrow("division by zero");
      const rows = await sql`select from pg_class
        where relnamespace in (select oid from pg_namespace where nspname in ('public', 'drizzle'))`;
      expect(rows).toHaveLength(0);
    });

    it("are not applied to a PostgreSQL that is too old", async () => {
      const url = await emptyDatabase();
      const sql = postgres(url, { max: 1 });
      onTestFinished(() => sql.end());
      // An old server is hard to come by: this database only says that it is one.
      await sql.unsafe(`
      create schema old;
      create function old.current_setting(text) returns text language sql as $$ select '14.21' $$;
      alter database ${new URL(url).pathname.slice(1)} set search_path = old, pg_catalog, public;
    `);
      await expect(migrate(url)).rejects.toThrow("PostgreSQL 14.21 is too old, 15 or newer");
    });

    it("fail for a database that cannot be reached, without its password", async () => {
      const failed = migrate("postgres://drawbridge:hunter2@127.0.0.1:1/drawbridge");
      await expect(failed).rejects.toThrow(/^(?!.*hunter2).*ECONNREFUSED/);
    });
  });

  describe("a newer release's schema", () => {
    const step = (tag: string, at: number, statement: string, isContract = false) =>
      ({ tag, at, hash: tag, statements: [statement], isContract }) satisfies Migration;
    const before = [step("first", 1, "create table note (text text, old text)")];
    const release = [
      ...before,
      step("expand", 2, "alter table note add column new text"),
      step("contract", 3, "-- contract: nothing writes it\nalter table note drop column old", true),
    ];
    const next = [...release, step("later", 4, "alter table note add column later text")];

    it("is one for the release before until the contract step, and for its own from the expand step on", async () => {
      const url = await emptyDatabase();
      const sql = postgres(url, { max: 1, onnotice: () => undefined });
      onTestFinished(() => sql.end());
      const run: Run = async (ask) => ask(sql);
      const faults = async () => {
        const of = async (known: readonly Migration[]) =>
          schemaFault(await schemaVersion(run, known));
        return [await of(before), await of(release), await of(next)];
      };
      const tags = (steps: readonly Migration[]) => steps.map(({ tag }) => tag);

      const unmigrated = "is not set up for this release: npm run bank -- migrate";
      expect(await faults()).toEqual([unmigrated, unmigrated, unmigrated]);
      await migrate(url, { migrations: before });
      const lacks = (count: number, tag: string, command: string) =>
        `lacks ${count} migrations of this release, from ${tag} on: npm run bank -- ${command}`;
      expect(await faults()).toEqual([
        undefined,
        lacks(1, "expand", "migrate"),
        lacks(2, "expand", "migrate"),
      ]);
      const half = await migrate(url, { migrations: release, expandOnly: true });
      expect([tags(half.applied), tags(half.waiting)]).toEqual([["expand"], ["contract"]]);
      expect(await faults()).toEqual([
        undefined,
        undefined,
        lacks(1, "later", "migrate --contract"),
      ]);
      const whole = await migrate(url, { migrations: release });
      expect([tags(whole.applied), tags(whole.waiting)]).toEqual([["contract"], []]);
      const taken =
        "lacks what this release uses, a newer one has taken it away: start the newer release";
      expect(await faults()).toEqual([taken, undefined, lacks(1, "later", "migrate")]);
    });

    it("leaves its list to be read meanwhile: servers ask it whether they are ready", async () => {
      const url = await emptyDatabase();
      await migrate(url, { migrations: before });
      const sql = postgres(url, { max: 1, onnotice: () => undefined });
      onTestFinished(() => sql.end());
      await sql`select pg_advisory_lock(7)`;
      const waits = "set local lock_timeout = 0; select pg_advisory_xact_lock(7)";
      const migrated = migrate(url, { migrations: [...before, step("waits", 2, waits)] });
      await vi.waitFor(
        async () => {
          const waiting =
            await sql`select from pg_locks where locktype = 'advisory' and not granted`;
          expect(waiting).toHaveLength(1);
        },
        { timeout: 30_000 },
      );
      await sql`set lock_timeout = '2s'`;
      expect(
        await sql`select tag from (select hash as tag from drizzle.__drizzle_migrations)`,
      ).toEqual([{ tag: "first" }]);
      await sql`select pg_advisory_unlock(7)`;
      expect((await migrated).applied).toHaveLength(1);
    });

    it("waits for a table behind which requests wait, a second at a time", async () => {
      const url = await emptyDatabase();
      await migrate(url, { migrations: before });
      const sql = postgres(url, { max: 2 });
      onTestFinished(() => sql.end());
      const reader = await sql.reserve();
      await reader`begin`;
      await reader`select from note`;
      const migrated = migrate(url, { migrations: release });
      await vi.waitFor(
        async () => {
          const waits = await sql`select from pg_stat_activity
            where query like '%add column new%' and wait_event_type = 'Lock'`;
          expect(waits).toHaveLength(1);
        },
        { timeout: 30_000 },
      );
      // Behind the migration, which gives way while the reader goes on.
      await sql`insert into note values ('written')`;
      await reader`commit`;
      reader.release();
      expect((await migrated).applied).toHaveLength(2);
    });
  });

  describe("the version of PostgreSQL", () => {
    it.each(["15.0", "15beta1", "18.4", "18.4 (Debian 18.4-1)"])("%s will do", (version) => {
      expect(() => checkVersion(version)).not.toThrow();
    });

    it.each(["14.21", "9.6.24", "an unknown version", ""])("%s will not", (version) => {
      expect(() => checkVersion(version)).toThrow("15 or newer");
    });
  });

  /** A database with a role that is to own it and one that a server runs as, each with nothing but its database yet. */
  async function databaseOfRoles(atEnd: (close: () => Promise<void>) => void = onTestFinished) {
    const admin = postgres(inject("databaseUrl"), { max: 1, onnotice: () => undefined });
    const name = `test_${randomBytes(8).toString("hex")}`;
    const [owner, server] = [`${name}_owner`, `${name}_server`];
    for (const role of [owner, server]) await ensureRole(inject("databaseUrl"), role, "secret");
    await admin`create database ${admin(name)} owner ${admin(owner)}`;
    const clients: postgres.Sql[] = [];
    atEnd(async () => {
      await Promise.all(clients.map((client) => client.end()));
      await admin`drop database ${admin(name)} with (force)`;
      for (const role of [owner, server]) await admin.unsafe(`drop role ${role}`);
      await admin.end();
    });
    const urlOf = (username: string) => {
      const at = Object.assign(new URL(inject("databaseUrl")), { pathname: `/${name}` });
      return Object.assign(at, { username, password: "secret" }).href;
    };
    const as = (username: string) => {
      const client = postgres(urlOf(username), { max: 1, onnotice: () => undefined });
      clients.push(client);
      return client;
    };
    return { name, owner, server, admin, urlOf, as };
  }

  const denied = expect.objectContaining({ code: "42501" });

  describe("X16: the role of a running server", () => {
    /** Of the tests that leave a migrated one as it is: to migrate takes longer than each of them. */
    let migrated: Awaited<ReturnType<typeof databaseOfRoles>>;
    let end: () => Promise<void>;
    beforeAll(async () => {
      migrated = await databaseOfRoles((close) => {
        end = close;
      });
      const { owner, server, urlOf } = migrated;
      await migrate(urlOf(owner), { serverUrl: urlOf(server) });
    });
    afterAll(() => end());

    it("has what it needs after every start, and owns nothing", async () => {
      const { owner, server, urlOf, as } = await databaseOfRoles();
      for (let nth = 0; nth < 2; nth += 1) {
        await Promise.all([1, 2, 3].map(() => migrate(urlOf(owner), { serverUrl: urlOf(server) })));
      }
      const sql = as(server);
      await sql`insert into tpp_block (tpp_id, blocked_at) values ('PSDRO-NBR-1', now())`;
      await sql`update tpp_block set lifted_at = now()`;
      expect(await sql`select kind from event order by id`).toEqual([
        { kind: "tpp-blocked" },
        { kind: "tpp-unblocked" },
      ]);
      expect(await sql`select from pg_class where relowner = ${server}::regrole`).toEqual([]);
      expect(await excessiveRights(urlOf(server))).toEqual([]);
    });

    it("is given back nothing that a newer release has taken from it", async () => {
      const { owner, server, urlOf, as } = await databaseOfRoles();
      const roles = { serverUrl: urlOf(server) };
      await migrate(urlOf(owner), roles);
      const newer = as(owner);
      await newer`insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', ${Date.now()})`;
      await newer`revoke delete on job_run from ${newer(server)}`;
      await migrate(urlOf(owner), roles);
      await expect(as(server)`delete from job_run`).rejects.toEqual(denied);
    });

    it("cannot change or remove what is to be kept, whatever keeps it", async () => {
      const { server, as } = migrated;
      const sql = as(server);
      for (const table of ["event", "access_log"]) {
        await expect(sql`update ${sql(table)} set at = now()`).rejects.toEqual(denied);
        await expect(sql`delete from ${sql(table)}`).rejects.toEqual(denied);
        await expect(sql`truncate ${sql(table)}`).rejects.toEqual(denied);
        await expect(sql`alter table ${sql(table)} disable trigger all`).rejects.toEqual(denied);
      }
      // Of what the triggers refuse to everybody (8: a row's removal, 16: its change) nothing is its to ask for.
      const allowed = await sql`
      select distinct tgrelid::regclass as name, event.name as right
      from pg_trigger join (values (8, 'DELETE'), (16, 'UPDATE'), (32, 'TRUNCATE')) event (bit, name)
        on tgtype & bit <> 0 and tgtype & 2 <> 0
      where tgfoid = 'refuse_change'::regproc and has_table_privilege(tgrelid, event.name)`;
      expect(allowed).toEqual([]);
      expect(await sql`select access_log_destroy(now(), 10) as gone`).toEqual([{ gone: 0 }]);
    });

    it("cannot make, change or drop anything", async () => {
      const { owner, server, as } = migrated;
      const sql = as(server);
      for (const statement of [
        "create table own (id int)",
        "create schema own",
        "create function own() returns int language sql as 'select 1'",
        "alter table payment add column own int",
        "create trigger own before insert on payment execute function refuse_change()",
        "drop table sandbox_clock",
        "drop function access_log_destroy",
        "alter function refuse_change() set search_path = ''",
        "delete from drizzle.__drizzle_migrations",
        `alter role ${owner} password 'own'`,
        `set role ${owner}`,
      ]) {
        await expect(sql.unsafe(statement), statement).rejects.toEqual(denied);
      }
    });

    it("loses what it owned, in a database of which it was the only role, and keeps its rows", async () => {
      const { name, owner, server, admin, urlOf, as } = await databaseOfRoles();
      await admin.unsafe(`alter database ${name} owner to ${server}`);
      await migrate(urlOf(server));
      expect(await excessiveRights(urlOf(server))).toEqual([
        "owns tables or the database, or is a member of the role that does",
        "may create tables in the database",
        "may remove what is to be kept, as event",
      ]);
      const sql = as(server);
      await sql`insert into tpp_block (tpp_id, blocked_at) values ('PSDRO-NBR-1', now())`;
      const reassign = `reassign owned by "${server}" to "${owner}"`;
      await expect(migrate(urlOf(owner), { serverUrl: urlOf(server) })).rejects.toThrow(
        new RoleError(
          `the tables belong to ${server}, the role of DATABASE_URL; a superuser says once: ${reassign}`,
        ),
      );
      await admin.unsafe(`grant ${server} to ${owner}`);
      await migrate(urlOf(owner), { serverUrl: urlOf(server) });
      expect(await excessiveRights(urlOf(server))).toEqual([]);
      expect(await sql`select tpp_id from tpp_block`).toHaveLength(1);
      await expect(sql`drop table tpp_block`).rejects.toEqual(denied);
    });

    it.each([
      [
        "a member of the owner",
        "grant OWNER to SERVER",
        "revoke OWNER from SERVER",
        /is a member of the role/,
      ],
      [
        "who may make roles",
        "alter role SERVER createrole",
        "alter role SERVER nocreaterole",
        /may make roles/,
      ],
      [
        "a superuser",
        "alter role SERVER superuser",
        "alter role SERVER nosuperuser",
        /is a superuser/,
      ],
      [
        "who may change everything",
        "grant pg_write_all_data to SERVER",
        "revoke pg_write_all_data from SERVER",
        /may remove what is to be/,
      ],
      [
        "who may create",
        "grant create on schema public to SERVER",
        "revoke create on schema public from SERVER",
        /may create tables/,
      ],
    ])("is not %s: the start is refused", async (_who, statement, undo, said) => {
      const { owner, server, name, urlOf } = migrated;
      const sql = postgres(databaseOf(inject("databaseUrl"), name), { max: 1 });
      const say = (text: string) =>
        sql.unsafe(text.replace("OWNER", owner).replace("SERVER", server));
      await say(statement);
      onTestFinished(async () => {
        await say(undo);
        await sql.end();
      });
      const start = () => migrate(urlOf(owner), { serverUrl: urlOf(server) });
      await expect(start()).rejects.toThrow(said);
    });

    it("is one of the same database", async () => {
      const [one, other] = [await databaseOfRoles(), await databaseOfRoles()];
      await expect(
        migrate(one.urlOf(one.owner), { serverUrl: other.urlOf(other.server) }),
      ).rejects.toThrow("DATABASE_URL leads to another database");
    });
  });
});

describe("the migration to the rules of AIS", () => {
  test("a bank of the release before is brought up to date with what is in it", async () => {
    const { sql, migrate } = await databaseBefore("ais_rules");
    const account = "00000000-0000-4000-8000-000000000001";
    await sql`insert into ledger_account (id, iban, currency, bic, name, product, kind, usage, status,
      is_default, overdraft_minor, position)
    values (${account}, 'RO49DRWB1B31007593840000', 'RON', 'DRWBROBU', 'n', 'p', 'current', 'PRIV',
      'enabled', true, 0, 1)`;
    const entry = (booked: string | null) => sql`
    insert into ledger_entry (id, transfer_id, account_id, status, amount_minor, entered_on, booked_on,
      bank_transaction_code, changed_at)
    values (gen_random_uuid(), gen_random_uuid(), ${account}, ${booked === null ? "pending" : "booked"},
      1, '2026-11-18', ${booked}, 'PMNT-RCDT-ESCT', now())`;
    await entry("2026-11-19");
    await entry(null);
    const kept = (model: string, id: string, payload: string, consumed: string | null) => sql`
    insert into oidc_payload (model, id_hash, grant_id, payload, expires_at, consumed_at)
    values (${model}, ${id}, 'g', ${payload}::text::json, now(), ${consumed})`;
    await kept("Grant", "g", "{}", null);
    await kept("RefreshToken", "first", "{}", "2026-11-19");
    await kept("RefreshToken", "second", '{"rotations":1}', "2026-11-20");
    await kept("RefreshToken", "newest", '{"rotations":2}', null);

    await migrate();
    await sql`update ledger_entry set status = 'booked', booked_on = '2026-11-20' where booked_on is null`;
    const entries = await sql`select entered_in::int, booked_in::int, pending_day::text
    from ledger_entry order by booked_in`;
    expect(entries).toEqual([
      { entered_in: 0, booked_in: 0, pending_day: null },
      { entered_in: 0, booked_in: 1, pending_day: "2026-11-18" },
    ]);
    const grants = await sql`select rotations from oidc_payload where model = 'Grant'`;
    expect(grants).toEqual([{ rotations: 2 }]);
  });
});

describe("the migration to payments", () => {
  test("what was started before requests were kept gets an id of its own, and goes on", async () => {
    const { sql, migrate } = await databaseBefore("payments_and_funds");
    await sql`insert into tpp values ('PSDRO-NBR-1234567', 'Example TPP', 'National Bank of Romania',
    'RO-NBR', array['PSP_AI'], now())`;
    const started = (expiresAt: string) => sql`
    insert into authorisation (id, kind, resource_id, tpp_id, sca_status, redirect_uri,
      failed_attempts, selection, codes_sent, created_at, expires_at)
    values (gen_random_uuid(), 'AIS', gen_random_uuid(), 'PSDRO-NBR-1234567', 'received',
      'https://tpp.example/ok', 0, '{}', 0, now(), ${expiresAt}) returning id`;
    await started("2026-11-20T10:15:00Z");
    await started("2026-11-20T10:16:00Z");

    await migrate();
    const [counted] = await sql`select count(request_id)::int as ids,
    count(distinct request_id)::int as different from authorisation`;
    expect(counted).toEqual({ ids: 2, different: 2 });
    await sql`update authorisation set sca_status = 'failed', failed_because = 'window-over'`;
    await expect(started("2026-11-20T10:17:00Z")).rejects.toThrow("request_id");
  });
});

describe("the migration of the access log to months", () => {
  test("keeps each line, and servers of the release before write and read it as ever", async () => {
    const { sql, migrate } = await databaseBefore("access_log_months");
    const consent = crypto.randomUUID();
    // As the release before has it.
    const line = (at: Date, what = "accounts") => sql`
      insert into access_log (consent_id, tpp_id, what, account_id, at, attended)
      select ${consent}::uuid, 'PSDRO-NBR-1', ${what}, null, ${at}, true`;
    const longAgo = new Date("2020-01-01T00:00:00Z");
    const lines = () => sql`
      select id::text, what, attended from access_log where consent_id = ${consent}
      order by access_log.id desc`;
    await line(longAgo);
    await line(new Date(Date.now() - 40 * 86_400_000));
    await line(longAgo);
    const before = await lines();

    await migrate();
    expect(await lines()).toEqual(before);
    const ordered = await sql`
      select id::int from access_log where consent_id = ${consent} order by at, read_id`;
    expect(ordered.map(({ id }) => id)).toEqual([1, 3, 2]);
    await line(new Date(), "balances");
    const [newest, ...others] = await lines();
    expect(newest).toMatchObject({ what: "balances" });
    expect(others).toEqual(before);
    const [row] = await sql`
      select count(distinct tableoid)::int as tables, count(distinct read_id)::int as ids,
        bool_and(substring(read_id::text, 15, 1) = '7') as "isV7" from access_log`;
    expect(row).toEqual({ tables: 3, ids: 4, isV7: true });
  });
});

describe("the migration of the ledger's payments", () => {
  type Sql = Awaited<ReturnType<typeof databaseBefore>>["sql"];
  const account = crypto.randomUUID();
  const clearing = crypto.randomUUID();
  const psu = crypto.randomUUID();

  /** A customer with EUR 1,000.00, who has used EUR 50.00 of the limit of the day. */
  async function books(sql: Sql): Promise<void> {
    await sql.unsafe(`
    insert into tpp values ('PSDRO-NBR-1234567', 'TPP', 'NBR', 'RO-NBR', '{PSP_PI}', now());
    insert into customer (id, name) values ('${psu}', 'Ana');
    insert into ledger_account
      (id, iban, status, overdraft_minor, currency, bic, name, product, kind, usage, is_default, position)
    values ('${account}', 'RO00DRWB0000000000000001', 'enabled', 0, 'EUR', 'DRWBROBU', 'A', 'A', 'current', 'PRIV', true, 0),
      ('${clearing}', null, 'enabled', 0, 'EUR', 'DRWBROBU', 'C', 'C', 'internal', 'PRIV', false, 0);
    insert into account_owner values ('${account}', '${psu}', 'owner');
    insert into payment_limit_day values ('${psu}', '2026-11-20', 5000)`);
    await entry(sql, { id: crypto.randomUUID(), minor: 100_000n, reference: null });
  }

  type Entry = {
    readonly id: string;
    readonly minor: bigint;
    readonly reference: string | null;
    readonly booked?: boolean;
  };

  function entry(sql: Sql, { id, minor, reference, booked = true }: Entry) {
    return sql`insert into ledger_entry (id, transfer_id, account_id, amount_minor, status, entered_on,
      booked_on, bank_transaction_code, changed_at, entry_reference)
    select gen_random_uuid(), ${id}, side.id, side.amount, ${booked ? "booked" : "pending"}, '2026-11-20',
      ${booked ? "2026-11-20" : null}, 'PMNT-ICDT-ESCT', now(), side.reference
    from (values (${account}::uuid, ${minor.toString()}::bigint, ${reference}::text),
      (${clearing}::uuid, -${minor.toString()}::bigint, null)) as side (id, amount, reference)`;
  }

  type Kept = {
    /** After RCVD. */
    readonly ways: readonly TransactionStatus[];
    readonly reason?: string;
    readonly due?: boolean;
    readonly product?: string;
  };

  /** A payment of EUR 10.00 as the first release kept it, with what it had entered. */
  async function kept(sql: Sql, { ways, reason, due = false, product }: Kept): Promise<PaymentId> {
    const id = crypto.randomUUID();
    await sql`insert into payment (id, tpp_id, authorisation_id, product, amount_minor, currency, debtor_iban,
      creditor_name, creditor_iban, charge_bearer, reject_without_funds, instruction, created_at)
    values (${id}, 'PSDRO-NBR-1234567', gen_random_uuid(), ${product ?? "sepa-credit-transfers"}, 1000, 'EUR',
      'RO00DRWB0000000000000001', 'Shop', 'DE89370400440532013000', 'SLEV', false, '{}', ${now})`;
    await sql`insert into payment_state (payment_id, status, status_at) values (${id}, 'RCVD', ${now})`;
    if (ways.includes("ACTC")) {
      await sql`update payment_state set psu_id = ${psu}, authorised_at = ${now}, debit_account_id = ${account},
      debit_minor = 1000, fee_minor = 0 where payment_id = ${id}`;
    }
    for (const [nth, status] of ways.entries()) {
      await sql`update payment_state set status = ${status}, status_at = ${minutesOn(nth + 1)},
      reason = ${status === "RJCT" ? (reason ?? null) : null} where payment_id = ${id}`;
    }
    if (ways.includes("ACCP") && ways.at(-1) !== "RJCT") {
      await sql`update payment_state set limit_day = '2026-11-20', limit_minor = 1000, funds_available = true,
      due_at = ${due ? minutesOn(10) : null} where payment_id = ${id}`;
    }
    if (ways.includes("ACSP")) {
      const booked = ways.at(-1) !== "ACSP";
      await entry(sql, { id, minor: -1_000n, reference: id.replaceAll("-", ""), booked });
    }
    return id as string as PaymentId;
  }

  const accepted = ["ACTC", "ACCP"] as const;
  const settled = [...accepted, "ACSP", "ACSC"] as const;

  test("payments of the first release stay as they are and are executed to their end, each once", async () => {
    const { sql, url, migrateToTheLast } = await databaseBefore("core_payments");
    await books(sql);
    const instant = "instant-sepa-credit-transfers";
    const payments: Readonly<Record<string, readonly [Kept, TransactionStatus]>> = {
      received: [{ ways: [] }, "RCVD"],
      cancelled: [{ ways: ["RJCT"], reason: "cancelled" }, "RJCT"],
      refused: [{ ways: ["ACTC", "RJCT"], reason: "day-limit" }, "RJCT"],
      accepted: [{ ways: accepted, due: true }, "ACSC"],
      waiting: [{ ways: [...accepted, "PDNG"], due: true }, "ACSC"],
      "without funds": [{ ways: [...accepted, "PDNG", "RJCT"], reason: "no-funds" }, "RJCT"],
      "in execution": [{ ways: [...accepted, "ACSP"], due: true }, "ACSC"],
      settled: [{ ways: settled }, "ACSC"],
      "settled, to be credited": [{ ways: settled, due: true, product: instant }, "ACCC"],
      credited: [{ ways: [...settled, "ACCC"], product: instant }, "ACCC"],
    };
    const ids = new Map<string, PaymentId>();
    for (const [name, [given]] of Object.entries(payments)) ids.set(name, await kept(sql, given));
    const statuses = async () => {
      const rows = await sql`select payment_id as id, status from payment_state`;
      const of = new Map(rows.map(({ id, status }) => [id, status]));
      return Object.fromEntries([...ids].map(([name, id]) => [name, of.get(id)]));
    };
    const before = await statuses();
    const changes = () => sql`select * from payment_status_change order by payment_id, at`;
    const history = await changes();

    await migrateToTheLast();
    expect(await statuses()).toEqual(before);
    expect(await changes()).toEqual(history);

    const { db, close } = connect(url, { max: 2 });
    onTestFinished(close);
    const ports = submissionPorts(db);
    const found = await ports.payments.findOfTpp(
      ids.get("in execution") as PaymentId,
      "PSDRO-NBR-1234567" as TppId,
    );
    expect(found).toMatchObject({
      status: "ACSP",
      psuId: psu,
      debit: { accountId: account, amount: { currency: "EUR", minorUnits: 1_000n } },
    });
    for (const minutes of [9, 10, 11, 12]) {
      await paymentExecution(db, aspspProfile).advance(minutesOn(minutes), 20);
      await submitDuePayments(ports, minutesOn(minutes));
      if (minutes === 9) expect(await statuses()).toEqual(before);
    }
    const ends = Object.entries(payments).map(([name, [, end]]) => [name, end]);
    expect(await statuses()).toEqual(Object.fromEntries(ends));
    expect(await sql`select from payment_submission`).toEqual([]);

    const debits = await sql`select count(*)::int, sum(amount_minor)::int as minor,
    count(*) filter (where status = 'booked')::int as booked from ledger_entry where account_id = ${account} and amount_minor < 0`;
    expect(debits).toEqual([{ count: 6, minor: -6_000, booked: 6 }]);
    const [day] = await sql`select used_minor::int from payment_limit_day`;
    expect(day).toEqual({ used_minor: 5_000 });
  });
});
