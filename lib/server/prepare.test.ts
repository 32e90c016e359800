import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { completeConfig, readSettings } from "@/lib/config";
import { fileDatabase, type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { schemaAt } from "./migrations";
import { prepare } from "./prepare";
import { temporaryFolder } from "./testing";
import { tlsOf } from "./tls";

const database = await fileDatabase();

const owned = ({ ownerUrl }: TestDatabase) => ({ MIGRATION_DATABASE_URL: ownerUrl });

async function prepared(dataDir: string, more: Readonly<Record<string, string>> = {}) {
  const env = { DATA_DIR: dataDir, DATABASE_URL: database.url, ...owned(database), ...more };
  const environment = await prepare(readSettings(env));
  const settings = readSettings({ ...env, ...environment });
  return { environment, config: completeConfig(settings), ...(await tlsOf(settings, new Date())) };
}

describe("what a sandbox makes for itself", () => {
  it("is everything the application demands", async () => {
    const { config, environment, tls } = await prepared(await temporaryFolder());
    expect(config.DATABASE_URL).toBe(database.url);
    expect(environment["NEXTAUTH_URL"]).toBe("http://localhost:3000/identity");
    const anchor = new X509Certificate(await readFile(config.TRUST_ANCHORS));
    expect(new X509Certificate(String(tls?.cert)).verify(anchor.publicKey)).toBe(true);
  });

  it("is three different secrets that only their owner can read", async () => {
    const dataDir = await temporaryFolder();
    const { config } = await prepared(dataDir);
    const secrets = [config.COOKIE_SECRET, config.SESSION_SECRET, config.CODE_SECRET];
    expect(new Set(secrets).size).toBe(3);
    const folder = path.join(dataDir, "secrets");
    expect((await stat(folder)).mode & 0o077).toBe(0);
    for (const name of await readdir(folder)) {
      expect((await stat(path.join(folder, name))).mode & 0o077).toBe(0);
    }
    expect((await stat(path.join(dataDir, "ca/ca.key"))).mode & 0o077).toBe(0);
  });

  it("is the same at the next start, and for two that start at once", async () => {
    const dataDir = await temporaryFolder();
    const [first, second] = await Promise.all([prepared(dataDir), prepared(dataDir)]);
    const third = await prepared(dataDir);
    expect(second.environment).toEqual(first.environment);
    expect(third.environment).toEqual(first.environment);
    const key = await readFile(third.config.TOKEN_SIGNING_KEY, "utf8");
    expect(key).toContain("PRIVATE KEY");
  });

  it("is its own where it was given some", async () => {
    const given = "0123456789abcdef0123456789abcdef";
    const { config } = await prepared(await temporaryFolder(), { COOKIE_SECRET: given });
    expect(config.COOKIE_SECRET).toBe(given);
  });

  it("is the demo bank, once", async () => {
    await prepared(await temporaryFolder());
    await prepared(await temporaryFolder());
    const rows = await database.sql`select user_id from psu order by user_id`;
    const psus = rows.map((row) => row["user_id"]);
    expect(psus).toEqual(expect.arrayContaining(["ana", "dan", "elena", "mihai"]));
    expect(new Set(psus).size).toBe(psus.length);
  });
});

describe("the TLS certificate", () => {
  it("is renewed where it is the sandbox's own", async () => {
    const { tls, renewedTls } = await prepared(await temporaryFolder());
    expect(await renewedTls?.(new Date())).toEqual(tls);
  });

  it("is read again where it was given, as to all but the first of several servers, and never made", async () => {
    const dataDir = await temporaryFolder();
    const { tls } = await prepared(dataDir);
    const file = path.join(dataDir, "tls.pem");
    const given = await prepared(dataDir, { XS2A_TLS_CERT: file, XS2A_TLS_KEY: file });
    expect(given.files).toEqual([file, file]);
    expect(await given.renewedTls?.(new Date("2400-01-01"))).toEqual(given.tls);
    expect(new X509Certificate(String(given.tls?.cert)).raw).toEqual(
      new X509Certificate(String(tls?.cert)).raw,
    );
  });
});

// The tests' own PostgreSQL is one.
it("X11: a bank's server does not start on a database that loses payments in a crash", async () => {
  const message = /^DATABASE_URL: .*: fsync, full_page_writes, synchronous_commit off$/;
  const DATA_DIR = await temporaryFolder();
  const settings = readSettings({ DATA_DIR, DATABASE_URL: database.url });
  await expect(prepare({ ...settings, SANDBOX: false })).rejects.toThrow(message);
});

describe("what cannot be used is one sentence that names the setting", () => {
  it.each(["TRUST_ANCHORS", "TOKEN_SIGNING_KEY"])("%s: a file that is not there", async (name) => {
    const failed = prepared(await temporaryFolder(), { [name]: "/nowhere.pem" });
    await expect(failed).rejects.toThrow(`${name}: /nowhere.pem cannot be read (ENOENT)`);
  });

  it.each([
    ["TRUST_ANCHORS", "is unfit: trust anchors: there is no PEM certificate"],
    ["TOKEN_SIGNING_KEY", "holds no EC P-256 private key"],
  ])("%s: a file of another kind", async (name, words) => {
    const dataDir = await temporaryFolder();
    const file = path.join(dataDir, "wrong.pem");
    await writeFile(file, "wrong");
    await expect(prepared(dataDir, { [name]: file })).rejects.toThrow(`${name}: ${file} ${words}`);
  });

  const called = [
    ...["CORE_BANK_TLS_CA", "IDP_CA", "STAFF_IDP_CA", "BANK_API_JWKS_CA", "WEBHOOKS_CA"],
    ...["IDP_CLIENT_KEY", "STAFF_IDP_CLIENT_KEY"],
  ];
  it.each(called)("%s: a file that is not there, or is of another kind", async (name) => {
    const [dataDir, login] = [await temporaryFolder(), "https://login.bank.example"];
    const provider = { IDP_ISSUER: login, STAFF_IDP_ISSUER: login, WEBHOOKS_URL: login };
    const staff = { STAFF_IDP_CLIENT_ID: "drawbridge", STAFF_IDP_CLIENT_SECRET: "s3cret" };
    const issuer = { BANK_API_ISSUER: login, BANK_API_AUDIENCE: login, BANK_API_JWKS_URL: login };
    const others = { CORE_BANK_URL: login, WEBHOOKS_SECRETS: `whsec_${"a".repeat(32)}` };
    const named = { ...provider, ...staff, ...issuer, ...others };
    const file = path.join(dataDir, "wrong.pem");
    await writeFile(file, "wrong");
    await expect(prepared(dataDir, { ...named, [name]: "/nowhere.pem" })).rejects.toThrow(
      `${name}: /nowhere.pem cannot be read (ENOENT)`,
    );
    await expect(prepared(dataDir, { ...named, [name]: file })).rejects.toThrow(
      new RegExp(`^${name}: ${file} holds no (certificate|private key) in PEM`),
    );
  });

  it("CORE_BANK_TLS_KEY: the key of another certificate", async () => {
    const dataDir = await temporaryFolder();
    const { config } = await prepared(dataDir);
    const { TRUST_ANCHORS: CORE_BANK_TLS_CERT, TOKEN_SIGNING_KEY: CORE_BANK_TLS_KEY } = config;
    const given = { CORE_BANK_URL: "https://localhost", CORE_BANK_TLS_CERT, CORE_BANK_TLS_KEY };
    await expect(prepared(dataDir, given)).rejects.toThrow(
      /^CORE_BANK_TLS_CERT, CORE_BANK_TLS_KEY: not a/,
    );
  });

  it("TOKEN_SIGNING_KEY: a key on another curve", async () => {
    const dataDir = await temporaryFolder();
    const file = path.join(dataDir, "p384.pem");
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-384" });
    await writeFile(file, privateKey.export({ type: "pkcs8", format: "pem" }));
    const failed = prepared(dataDir, { TOKEN_SIGNING_KEY: file });
    await expect(failed).rejects.toThrow("holds no EC P-256 private key");
  });

  it("XS2A_TLS_KEY: the key of another certificate", async () => {
    const dataDir = await temporaryFolder();
    const { config } = await prepared(dataDir);
    const given = {
      XS2A_TLS_CERT: config.TRUST_ANCHORS,
      XS2A_TLS_KEY: config.TOKEN_SIGNING_KEY,
    };
    await expect(prepared(dataDir, given)).rejects.toThrow(/^XS2A_TLS_CERT, XS2A_TLS_KEY: not a/);
  });

  it("DATABASE_URL: a database that cannot be reached, without the password", async () => {
    const url = "postgres://drawbridge:hunter2@127.0.0.1:1/drawbridge";
    const alone = { DATABASE_URL: url, MIGRATION_DATABASE_URL: "" };
    const failed = prepared(await temporaryFolder(), alone);
    await expect(failed).rejects.toThrow(/^DATABASE_URL: (?!.*hunter2).*ECONNREFUSED/);
  });

  it("a database that answers late, as to a host that loads its modules on a busy machine, is waited for", async () => {
    const { hostname, port } = new URL(database.url);
    const late = createServer((socket) => {
      const onward = connect({ host: hostname, port: Number(port) });
      setTimeout(() => socket.pipe(onward).pipe(socket), 2_000);
      socket.on("close", () => onward.destroy());
    });
    await new Promise<void>((resolve) => late.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void late.close());
    const url = Object.assign(new URL(database.url), { hostname: "127.0.0.1" });
    url.port = `${(late.address() as AddressInfo).port}`;
    expect((await schemaAt(url.href))?.pending).toEqual([]);
  });

  it("DATABASE_URL: a schema of another release, which a server that is not asked to migrate leaves as it is", async () => {
    const other = await testDatabase();
    onTestFinished(() => other.close());
    const migrations = () =>
      other.sql`select created_at from drizzle.__drizzle_migrations order by created_at desc`;
    await other.sql`delete from drizzle.__drizzle_migrations where id > 1`;
    const urls = { DATABASE_URL: other.url, MIGRATION_DATABASE_URL: other.ownerUrl };
    const failed = prepared(await temporaryFolder(), { ...urls, MIGRATE_AT_START: "false" });
    await expect(failed).rejects.toThrow(
      /^DATABASE_URL: the database lacks \d+ migrations .* from 0001_sandbox_clock on: npm run bank -- migrate$/,
    );
    expect(await migrations()).toHaveLength(1);
  });

  it("DATA_DIR: a folder that cannot be made", async () => {
    const dataDir = await temporaryFolder();
    await writeFile(path.join(dataDir, "file"), "");
    const failed = prepared(path.join(dataDir, "file"));
    await expect(failed).rejects.toThrow(/^DATA_DIR: .* cannot be written \(EEXIST\)$/);
  });

  it("DATA_DIR: a CA that is not whole", async () => {
    const dataDir = await temporaryFolder();
    await prepared(dataDir);
    await chmod(path.join(dataDir, "ca/ca.key"), 0o600);
    await writeFile(path.join(dataDir, "ca/ca.key"), "wrong");
    await expect(prepared(dataDir)).rejects.toThrow(/^DATA_DIR: /);
  });
});

describe("X16: the database's two roles", () => {
  /** An unavailable former primary comes before it. */
  const withStandby = (url: string) => url.replace("@", "@127.0.0.1:1,");

  it("are found with several hosts, and the running server does not get the owner's", async () => {
    const { config, environment } = await prepared(await temporaryFolder(), {
      DATABASE_URL: withStandby(database.url),
      MIGRATION_DATABASE_URL: withStandby(database.ownerUrl),
    });
    expect(config.DATABASE_URL).toBe(withStandby(database.url));
    expect(environment["MIGRATION_DATABASE_URL"]).toBe("");
    expect(config.MIGRATION_DATABASE_URL).toBeUndefined();
  });

  it("are two: a start under the owner is refused in one line, and so is one without the other", async () => {
    const folder = await temporaryFolder();
    const owner = { DATABASE_URL: `${database.ownerUrl}?application_name=server` };
    await expect(prepared(folder, owner)).rejects.toThrow(
      /^DATABASE_URL, MIGRATION_DATABASE_URL: DATABASE_URL has the role \w+ as well$/,
    );
    await expect(prepared(folder, { DATABASE_URL: "" })).rejects.toThrow("DATABASE_URL");
  });
});

describe("behind a proxy", () => {
  it("there is no TLS of our own", async () => {
    const { tls } = await prepared(await temporaryFolder(), {
      CLIENT_CERTIFICATE: "proxy",
      PROXY_SECRET: "0123456789abcdef0123456789abcdef",
    });
    expect(tls).toBeUndefined();
  });
});
