import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { checkVersion, ensureRole, excessiveRights, migrate, RoleError } from "./migrate";
import { databaseOf } from "./testing-cluster";

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

describe("the version of PostgreSQL", () => {
  it.each(["15.0", "15beta1", "18.4", "18.4 (Debian 18.4-1)"])("%s will do", (version) => {
    expect(() => checkVersion(version)).not.toThrow();
  });

  it.each(["14.21", "9.6.24", "an unknown version", ""])("%s will not", (version) => {
    expect(() => checkVersion(version)).toThrow("15 or newer");
  });
});

/** A database with a role that is to own it and one that a server runs as, each with nothing but its database yet. */
async function databaseOfRoles() {
  const admin = postgres(inject("databaseUrl"), { max: 1, onnotice: () => undefined });
  const name = `test_${randomBytes(8).toString("hex")}`;
  const [owner, server] = [`${name}_owner`, `${name}_server`];
  for (const role of [owner, server]) await ensureRole(inject("databaseUrl"), role, "secret");
  await admin`create database ${admin(name)} owner ${admin(owner)}`;
  const clients: postgres.Sql[] = [];
  onTestFinished(async () => {
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
  it("has what it needs after every start, and owns nothing", async () => {
    const { owner, server, urlOf, as } = await databaseOfRoles();
    for (let nth = 0; nth < 2; nth += 1) {
      await Promise.all([1, 2, 3].map(() => migrate(urlOf(owner), urlOf(server))));
    }
    const sql = as(server);
    await sql`insert into tpp_block (tpp_id, blocked_at) values ('PSDRO-NBR-1', now())`;
    await sql`update tpp_block set lifted_at = now()`;
    await sql`insert into audit_event (at, kind, tpp_id, request_id)
      values (now(), 'rejected', 'PSDRO-NBR-1', gen_random_uuid())`;
    expect(await sql`select kind from audit_event`).toHaveLength(1);
    expect(await sql`select from pg_class where relowner = ${server}::regrole`).toEqual([]);
    expect(await excessiveRights(urlOf(server))).toEqual([]);
  });

  it("cannot change or remove what is to be kept, whatever keeps it", async () => {
    const { owner, server, urlOf, as } = await databaseOfRoles();
    await migrate(urlOf(owner), urlOf(server));
    const sql = as(server);
    for (const table of ["audit_event", "access_log"]) {
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
    const { owner, server, urlOf, as } = await databaseOfRoles();
    await migrate(urlOf(owner), urlOf(server));
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
      "select * from drizzle.__drizzle_migrations",
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
      "may remove what is to be kept, as audit_event",
    ]);
    const sql = as(server);
    await sql`insert into tpp_block (tpp_id, blocked_at) values ('PSDRO-NBR-1', now())`;
    const reassign = `reassign owned by "${server}" to "${owner}"`;
    await expect(migrate(urlOf(owner), urlOf(server))).rejects.toThrow(
      new RoleError(
        `the tables belong to ${server}, the role of DATABASE_URL; a superuser says once: ${reassign}`,
      ),
    );
    await admin.unsafe(`grant ${server} to ${owner}`);
    await migrate(urlOf(owner), urlOf(server));
    expect(await excessiveRights(urlOf(server))).toEqual([]);
    expect(await sql`select tpp_id from tpp_block`).toHaveLength(1);
    await expect(sql`drop table tpp_block`).rejects.toEqual(denied);
  });

  it.each([
    ["a member of the owner", "grant OWNER to SERVER", /is a member of the role/],
    ["who may make roles", "alter role SERVER createrole", /may make roles/],
    ["a superuser", "alter role SERVER superuser", /is a superuser/],
    ["who may change everything", "grant pg_write_all_data to SERVER", /may remove what is to be/],
    ["who may create", "grant create on schema public to SERVER", /may create tables/],
  ])("is not %s: the start is refused", async (_who, statement, said) => {
    const { owner, server, admin, name, urlOf } = await databaseOfRoles();
    const sql = postgres(databaseOf(inject("databaseUrl"), name), { max: 1 });
    onTestFinished(() => sql.end());
    await sql.unsafe(statement.replace("OWNER", owner).replace("SERVER", server));
    await expect(migrate(urlOf(owner), urlOf(server))).rejects.toThrow(said);
    await admin.unsafe(`alter role ${server} nosuperuser nocreaterole`);
    await sql.unsafe(`revoke all on schema public from ${server}`);
  });

  it("is one of the same database", async () => {
    const [one, other] = [await databaseOfRoles(), await databaseOfRoles()];
    await expect(migrate(one.urlOf(one.owner), other.urlOf(other.server))).rejects.toThrow(
      "DATABASE_URL leads to another database",
    );
  });
});
