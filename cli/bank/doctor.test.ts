import { createPublicKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { chmod, copyFile, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { TLSSocket } from "node:tls";
import * as jose from "jose";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { readSettings, settingNames } from "@/lib/config";
import { issueDer, listXml, pem, signedList } from "@/lib/eidas/testing/issuing";
import { migrate } from "@/lib/postgres/migrate";
import { migrationsOfRelease } from "@/lib/postgres/schema-version";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { databaseOf } from "@/lib/postgres/testing-cluster";
import {
  authorityParts,
  loadCertificateAuthority,
  makeCertificateAuthority,
} from "@/lib/sandbox/certificate-authority";
import { loadBankSeal, loadServerCertificate } from "@/lib/sandbox/server-certificate";
import { nextKeys } from "@/lib/sandbox/testing";
import { distinguishedName, privateKeyPem } from "@/lib/sandbox/x509";
import { systemClock } from "@/lib/system-clock";
import { linesOf, ok, warn } from "./doctor/check";
import { schemaOf } from "./doctor/installed";
import { run } from "./run";

type Env = Readonly<Record<string, string>>;

let database: TestDatabase;
let folder: string;
let bank: Env;
/** What the core bank and the provider of these tests say; both are one server. */
let said: { metadata: Readonly<Record<string, unknown>>; keys: unknown[]; date: Date | undefined };
const closing: (() => Promise<void>)[] = [];

const file = (name: string) => path.join(folder, name);

async function write(name: string, text: string, mode = 0o600): Promise<string> {
  await writeFile(file(name), text, { mode });
  await chmod(file(name), mode);
  return file(name);
}

function ecKey(curve = "P-256"): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: curve });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(path.join(tmpdir(), "drawbridge-doctor-"));
  const now = await systemClock.now();
  const authority = await loadCertificateAuthority(file("ca"), now);
  const host = { file: file("tls.pem"), host: "localhost", now };
  const { cert, key } = await loadServerCertificate(authority, host);
  await loadBankSeal(authority, { file: file("seal.pem"), now });
  const https = createServer({ cert, key, requestCert: true, rejectUnauthorized: false });
  https.on("request", (request, response) => {
    const isClientKnown = (request.socket as TLSSocket).getPeerX509Certificate() !== undefined;
    const problem = isClientKnown ? ["unknown-payment", 404] : ["not-authorised", 401];
    const answers: Record<string, unknown> = {
      "/idp/.well-known/openid-configuration": said.metadata,
      "/idp/keys": { keys: said.keys },
    };
    const answer = answers[request.url ?? "none"];
    const [type, status] = answer === undefined ? problem : ["none", 200];
    if (said.date !== undefined) response.setHeader("date", said.date.toUTCString());
    const body = answer ?? { type: `urn:drawbridge:core-bank:${type}` };
    response.writeHead(Number(status), { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  const sms = createTcpServer((socket) => socket.destroy());
  const [port, smsPort] = await Promise.all(
    [https, sms].map(async (server) => {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      closing.push(() => new Promise((resolve) => server.close(() => resolve())));
      return (server.address() as AddressInfo).port;
    }),
  );
  const issuer = `https://localhost:${port}/idp`;
  const providerKey = await jose.exportJWK(
    generateKeyPairSync("rsa", { modulusLength: 2_048 }).publicKey,
  );
  said = {
    metadata: {
      issuer,
      jwks_uri: `${issuer}/keys`,
      id_token_signing_alg_values_supported: ["RS256"],
      code_challenge_methods_supported: ["S256"],
      pushed_authorization_request_endpoint: `${issuer}/par`,
      authorization_response_iss_parameter_supported: true,
      backchannel_authentication_endpoint: `${issuer}/ciba`,
      backchannel_token_delivery_modes_supported: ["poll"],
      acr_values_supported: ["login", "sca"],
      token_endpoint_auth_methods_supported: ["private_key_jwt"],
    },
    keys: [providerKey],
    date: undefined,
  };
  const secret = "a secret of more than thirty-two characters";
  bank = {
    SANDBOX: "false",
    DATABASE_URL: database.url,
    MIGRATION_DATABASE_URL: database.ownerUrl,
    XS2A_URL: "https://localhost",
    WEB_URL: "https://psu.bank.example",
    TRUST_ANCHORS: file("ca/ca.pem"),
    // With its authority: nobody else could complete the chain.
    XS2A_TLS_CERT: await write("chain.pem", cert + authority.certificatePem),
    XS2A_TLS_KEY: await write("tls.key", key),
    NOTIFICATIONS_SEAL_CERT: file("seal.pem"),
    NOTIFICATIONS_SEAL_KEY: file("seal.pem"),
    TOKEN_SIGNING_KEY: await write("token.key", ecKey()),
    ...{ COOKIE_SECRET: secret, SESSION_SECRET: secret, CODE_SECRET: secret },
    CORE_BANK_URL: `https://localhost:${port}/core`,
    CORE_BANK_TLS_CERT: file("tls.pem"),
    CORE_BANK_TLS_KEY: file("tls.pem"),
    CORE_BANK_TLS_CA: file("ca/ca.pem"),
    PSU_SCA: "oidc,ciba,code",
    IDP_ISSUER: issuer,
    IDP_CLIENT_ID: "drawbridge",
    IDP_CLIENT_KEY: await write("client.key", ecKey()),
    IDP_CA: file("ca/ca.pem"),
    IDP_ACR_LOGIN: "login",
    IDP_ACR_SCA: "sca",
    SMS_GATEWAY_URL: `http://localhost:${smsPort}/send`,
  };
});
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
  await rm(folder, { recursive: true });
  await database.close();
});

/** With these settings alone. */
async function doctor(env: Env) {
  for (const name of settingNames) vi.stubEnv(name, env[name]);
  const { exitCode, output, errors } = await run(["doctor"]);
  return { exitCode, lines: (output + errors).split("\n") };
}

const bad = /^(warn|FAIL) /;

describe("npm run bank -- doctor", () => {
  it("finds a sandbox's configuration in order, before its first start and after", async () => {
    const sandbox = { DATABASE_URL: database.url };
    for (const dataDir of [file("nowhere"), folder]) {
      const { exitCode, lines } = await doctor({ ...sandbox, DATA_DIR: dataDir });
      expect(lines.filter((line) => bad.test(line))).toEqual([]);
      expect(exitCode).toBe(0);
    }
  });

  it("finds a bank's configuration in order, a line a check", async () => {
    const { exitCode, lines } = await doctor(bank);
    expect(lines.filter((line) => bad.test(line))).toEqual([]);
    expect(lines.map((line) => /^ok {4}([^:]+): ./.exec(line)?.[1]).filter(Boolean)).toEqual([
      ...[
        "database",
        "database role",
        "database schema",
        "TLS certificate",
        "bank API",
        "notification seal",
        "trust anchors",
      ],
      ...["token signing key", "secrets", "file rights"],
      ...["core bank", "core bank TLS", "identity provider"],
      ...["provider keys", "ID token algorithm", "PKCE", "PAR", "iss parameter"],
      ...["client authentication", "CIBA", "acr values", "SMS gateway", "clock"],
    ]);
    expect(lines.at(-1)).toBe("23 ok, 0 warn, 0 FAIL");
    expect(exitCode).toBe(0);
  });

  it("warns of a database over a network whose certificate is not verified", async () => {
    const warned = async (host: string) => {
      const { lines } = await doctor({ ...bank, DATABASE_URL: `postgres://bank@${host}` });
      return lines.filter((line) => line.includes("database connection: DATABASE_URL")).length;
    };
    expect(await warned("0.0.0.0:1/bank")).toBe(1);
    expect(await warned("localhost:1,0.0.0.0:1/bank")).toBe(1);
    expect(await warned("0.0.0.0:1/bank?sslmode=require")).toBe(1);
    expect(await warned("0.0.0.0:1/bank?sslmode=verify-full")).toBe(0);
    expect(await warned("localhost:1/bank")).toBe(0);
  });

  it("prints the settings that are missing, with examples, and no more", async () => {
    const { exitCode, lines } = await doctor({ SANDBOX: "false" });
    expect(lines).toContain("SANDBOX=false demands:");
    expect(lines.join("\n")).toMatch(/ {2}CORE_BANK_URL, for example https:/);
    expect(lines.join("\n")).not.toMatch(/^(ok|warn|FAIL)/m);
    expect(exitCode).toBe(1);
  });

  type Fault = readonly [what: string, line: RegExp, wrong: () => Env | Promise<Env>];
  /** Faults that show on different lines are set together; all other lines are ok. */
  const faults: readonly (readonly Fault[])[] = [
    [
      [
        "a database that does not run",
        /^FAIL {2}database: DATABASE_URL: connect ECONNREFUSED .*: look at address/,
        () => ({ DATABASE_URL: "postgres://bank:hunter2@127.0.0.1:1/drawbridge" }),
      ],
      [
        "a key of another certificate",
        /^FAIL {2}TLS certificate: XS2A_TLS_KEY is not the key of XS2A_TLS_CERT/,
        async () => ({ XS2A_TLS_KEY: await write("other.key", ecKey()) }),
      ],
      [
        "a seal with the key of another",
        /^FAIL {2}notification seal: NOTIFICATIONS_SEAL_KEY is not the key of/,
        async () => ({ NOTIFICATIONS_SEAL_KEY: await write("other-seal.key", ecKey()) }),
      ],
      [
        "trust anchors of which all have ended",
        /^FAIL {2}trust anchors: .*: the certificates of all issuers have ended/,
        async () => {
          const { certificatePem } = await makeCertificateAuthority(await daysOn(-14_600));
          return { TRUST_ANCHORS: await write("ended.pem", certificatePem, 0o644) };
        },
      ],
      [
        "a signing key on another curve",
        /^FAIL {2}token signing key: .* holds no EC P-256 private key, or one twice: make one with openssl/,
        async () => ({ TOKEN_SIGNING_KEY: await write("p384.key", ecKey("P-384")) }),
      ],
      [
        "a core bank whose certificate is not believed",
        /^FAIL {2}core bank: .*: its certificate is not believed, .* CORE_BANK_TLS_CA/,
        async () => ({ CORE_BANK_TLS_CA: await write("stranger.pem", await strangersPem()) }),
      ],
      [
        "an ID token algorithm that the provider has no key for",
        /^FAIL {2}ID token algorithm: PS256 is not among RS256: set IDP_SIGNING_ALG/,
        () => ({ IDP_SIGNING_ALG: "PS256" }),
      ],
      [
        "a delivery mode that the provider does not offer",
        /^FAIL {2}CIBA: ping is not among poll: set IDP_CIBA/,
        () => ({ IDP_CIBA: "ping" }),
      ],
      [
        "an acr value that the provider does not know",
        /^FAIL {2}acr values: high not among login, sca/,
        () => ({ IDP_ACR_SCA: "high" }),
      ],
      [
        "a way of client authentication that the provider does not offer",
        /^FAIL {2}client authentication: client_secret_basic is not among private_key_jwt/,
        () => ({ IDP_CLIENT_KEY: "", IDP_CLIENT_SECRET: "secret" }),
      ],
      [
        "an SMS gateway that nobody reaches",
        /^FAIL {2}SMS gateway: localhost:1: .*ECONNREFUSED.*: nobody answers there/,
        () => ({ SMS_GATEWAY_URL: "http://localhost:1" }),
      ],
    ],
    [
      [
        "a running role that owns the tables",
        /^FAIL {2}database role: .* both have the role/,
        () => ({ DATABASE_URL: database.ownerUrl }),
      ],
      [
        "a certificate of another host",
        /^FAIL {2}TLS certificate: is not for xs2a\.bank\.example of XS2A_URL/,
        () => ({ XS2A_URL: "https://xs2a.bank.example" }),
      ],
      [
        "a seal that is no QSealC",
        /^FAIL {2}notification seal: certificate has no qcStatements: name the bank's QSealC/,
        () => ({
          NOTIFICATIONS_SEAL_CERT: file("tls.pem"),
          NOTIFICATIONS_SEAL_KEY: file("tls.pem"),
        }),
      ],
      [
        "trust anchors that are not there",
        /^FAIL {2}trust anchors: TRUST_ANCHORS: .*none\.pem cannot be read \(ENOENT\)/,
        () => ({ TRUST_ANCHORS: file("none.pem") }),
      ],
      [
        "a key file that everybody may read",
        /^FAIL {2}file rights: everybody may read .*open\.key: chmod o-rw .*open\.key/,
        async () => ({ TOKEN_SIGNING_KEY: await write("open.key", ecKey(), 0o644) }),
      ],
      [
        "an identity provider whose authority is not named",
        /^FAIL {2}identity provider: .*: its certificate is not believed, .* IDP_CA/,
        async () => ({ IDP_CA: await write("stranger.pem", await strangersPem()) }),
      ],
      [
        "an SMS gateway whose certificate Node.js does not believe",
        /^FAIL {2}SMS gateway: .*: its certificate is not believed, .* NODE_EXTRA_CA_CERTS/,
        () => ({ SMS_GATEWAY_URL: `${bank["CORE_BANK_URL"]}` }),
      ],
    ],
    [
      [
        "one role for both",
        /^warn {2}database role: .*: MIGRATION_DATABASE_URL separates the two/,
        () => ({ DATABASE_URL: database.ownerUrl, MIGRATION_DATABASE_URL: "" }),
      ],
      [
        "a certificate without its chain",
        /^warn {2}TLS certificate: ends with one .*: append the certificates above it/,
        () => ({ XS2A_TLS_CERT: file("tls.pem") }),
      ],
      [
        "trust anchors that nobody has renewed for a year",
        /^warn {2}trust anchors: 1 issuers, file of 40\d days ago: ask whether/,
        async () => {
          await copyFile(file("ca/ca.pem"), file("old.pem"));
          const then = await daysOn(-400);
          await utimes(file("old.pem"), then, then);
          return { TRUST_ANCHORS: file("old.pem") };
        },
      ],
      [
        "a core bank's certificate with the key of another",
        /^FAIL {2}core bank: the key is not the certificate's: look at CORE_BANK_TLS_CERT, _KEY/,
        async () => ({ CORE_BANK_TLS_KEY: await write("other-core.key", ecKey()) }),
      ],
      [
        "no acr value where customers confirm at the provider",
        /^warn {2}acr values: no proof of both elements is asked for: set IDP_ACR_SCA/,
        () => ({ IDP_ACR_SCA: "" }),
      ],
    ],
    [
      [
        "a chain in the wrong order",
        /^FAIL {2}TLS certificate: .* certificate 3 of the file has not issued the one before/,
        async () => {
          const chain = await readFile(file("chain.pem"), "utf8");
          return { XS2A_TLS_CERT: await write("unordered.pem", chain + (await strangersPem())) };
        },
      ],
      [
        "a trusted list after its next update",
        /^FAIL {2}trust anchors: .*the trusted list is out of date/,
        async () => trustedList(await daysOn(-1)),
      ],
    ],
    [
      [
        "a certificate that has ended",
        /^FAIL {2}TLS certificate: has ended on 20\d\d-\d\d-\d\d: renew it/,
        () => tlsMade(-500),
      ],
      [
        "a trusted list that somebody else has signed",
        /^FAIL {2}trust anchors: .*is not signed by any of the signers/,
        async () => ({
          ...(await trustedList(await daysOn(90))),
          TRUSTED_LIST_SIGNERS: file("ca/ca.pem"),
        }),
      ],
    ],
    [
      [
        "a certificate that ends soon",
        /^warn {2}TLS certificate: for localhost, ends in 1[67] days: renew it/,
        () => tlsMade(-380),
      ],
      [
        "a trusted list shortly before its next update",
        /^warn {2}trust anchors: signed list, 1 issuers, .* in [67] days: replace it/,
        async () => trustedList(await daysOn(7)),
      ],
    ],
  ];

  describe.each(faults.map((group) => ({ group })))("of the faults in group %#", ({ group }) => {
    let found: Awaited<ReturnType<typeof doctor>>;
    beforeAll(async () => {
      const wrong = await Promise.all(group.map(([, , settings]) => settings()));
      found = await doctor(Object.assign({}, bank, ...wrong));
    });

    it.each(group)("finds %s", (_what, expected) => {
      expect(found.lines.filter((line) => expected.test(line))).toHaveLength(1);
    });

    it("finds no other, tells no password, and ends with 1 if one has to be mended", () => {
      expect(found.lines.filter((line) => bad.test(line))).toHaveLength(group.length);
      expect(found.lines.join("\n")).not.toContain("hunter2");
      expect(found.exitCode).toBe(found.lines.some((line) => line.startsWith("FAIL")) ? 1 : 0);
    });
  });

  it("finds a core bank that nobody reaches, and compares the clock with the provider's", async () => {
    const { lines } = await doctor({ ...bank, CORE_BANK_URL: "https://localhost:1" });
    expect(lines.filter((line) => bad.test(line))).toEqual([
      expect.stringMatching(/^FAIL {2}core bank: .*ECONNREFUSED.*: nobody answers there/),
    ]);
    expect(lines).toContainEqual(expect.stringMatching(/^ok {4}clock: 0 s from the identity/));
  });

  it("finds what is wrong with the staff's provider, by the names of its own settings", async () => {
    const { lines } = await doctor({
      ...{ ...bank, STAFF_PORT: "3001", STAFF_URL: "https://staff.bank.example" },
      ...{ STAFF_IDP_ISSUER: `${bank["IDP_ISSUER"]}`, STAFF_IDP_CA: `${bank["IDP_CA"]}` },
      STAFF_IDP_CLIENT_ID: "staff",
      STAFF_IDP_CLIENT_KEY: await write("open-staff.key", ecKey("P-384"), 0o644),
      STAFF_IDP_ACR: "high",
    });
    expect(lines.filter((line) => bad.test(line))).toEqual([
      expect.stringMatching(/^FAIL {2}file rights: everybody may read .*open-staff\.key/),
      expect.stringMatching(
        /^FAIL {2}staff client authentication: STAFF_IDP_CLIENT_KEY holds no .*P-256/,
      ),
      "FAIL  staff acr values: high not among login, sca: see STAFF_IDP_ACR",
    ]);
  });

  it("finds a database whose certificate is not believed, and where its authority is named", async () => {
    const both = await readFile(file("tls.pem"), "utf8");
    const server = createTcpServer((socket) => {
      socket
        .on("error", () => undefined)
        .once("data", () => {
          socket.write("S");
          new TLSSocket(socket, { isServer: true, cert: both, key: both }).on(
            "error",
            () => undefined,
          );
        });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const url = `postgres://bank@localhost:${port}/bank?sslmode=verify-full`;
    const { lines } = await doctor({ ...bank, DATABASE_URL: url });
    server.close();
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^FAIL {2}database: DATABASE_URL: .*: name the authority of its .* NODE_EXTRA_CA_CERTS/,
      ),
    );
  });

  it("finds a core bank that does not know us", async () => {
    const [CORE_BANK_TLS_CERT, CORE_BANK_TLS_KEY] = ["", ""];
    const { lines } = await doctor({ ...bank, CORE_BANK_TLS_CERT, CORE_BANK_TLS_KEY });
    const expected = /^FAIL {2}core bank: .*HTTP 401: it has not accepted CORE_BANK_TOKEN or our/;
    expect(lines).toContainEqual(expect.stringMatching(expected));
  });

  type Provider = readonly [what: string, line: RegExp, more: object];
  /** What the provider says of itself at once, and the lines that find it. */
  const providers: readonly (readonly Provider[])[] = [
    [
      [
        "calls itself otherwise",
        /^FAIL {2}identity provider: calls itself https:\/\/other/,
        { issuer: "https://other.example" },
      ],
    ],
    [["has no metadata", /^FAIL {2}identity provider: .*jwks_uri/, { jwks_uri: undefined }]],
    [
      ["does not take S256", /^FAIL {2}PKCE: /, { code_challenge_methods_supported: ["plain"] }],
      [
        "takes no pushed requests",
        /^warn {2}PAR: /,
        { pushed_authorization_request_endpoint: undefined },
      ],
      [
        "sends no iss",
        /^warn {2}iss parameter: /,
        { authorization_response_iss_parameter_supported: false },
      ],
      [
        "does not take our algorithm",
        /^FAIL {2}client authentication: ES256/,
        { token_endpoint_auth_signing_alg_values_supported: ["RS256"] },
      ],
      [
        "has no CIBA",
        /^FAIL {2}CIBA: not offered/,
        { backchannel_authentication_endpoint: undefined },
      ],
    ],
  ];

  it.each(providers.map((group) => [group.map(([what]) => what).join(", "), group] as const))(
    "finds an identity provider that %s",
    async (_what, group) => {
      const former = said.metadata;
      said.metadata = Object.assign({}, former, ...group.map(([, , more]) => more));
      const { lines } = await doctor(bank);
      said.metadata = former;
      expect(lines.filter((line) => bad.test(line))).toEqual(
        group.map(([, expected]) => expect.stringMatching(expected)),
      );
    },
  );

  it("finds an identity provider that has no key for its ID tokens", async () => {
    const former = said.keys;
    said.keys = [await jose.exportJWK(createPublicKey(ecKey()))];
    const { lines } = await doctor(bank);
    said.keys = former;
    const expected = /^FAIL {2}provider keys: none for RS256/;
    expect(lines.filter((line) => bad.test(line))).toEqual([expect.stringMatching(expected)]);
  });

  it.each([
    [-10, /^warn {2}clock: (9|10) s from the core bank's: set up NTP/],
    [60, /^FAIL {2}clock: (59|60) s from the core bank's: set up NTP/],
  ])("finds a clock that is off by %i seconds", async (seconds, expected) => {
    said.date = new Date((await systemClock.now()).getTime() + seconds * 1_000);
    const { lines } = await doctor(bank);
    said.date = undefined;
    expect(lines.filter((line) => bad.test(line))).toEqual([expect.stringMatching(expected)]);
  });

  it("finds a running role that lacks rights, and one that has too many", async () => {
    const { sql, url } = database;
    const role = sql(new URL(url).username);
    await sql`revoke select on event from ${role}`;
    const without = await doctor(bank);
    await sql`grant select, delete on event to ${role}`;
    const withTooMany = await doctor(bank);
    await sql`revoke delete on event from ${role}`;
    const badIn = ({ lines }: typeof without) => lines.filter((line) => bad.test(line));
    expect(badIn(without)).toEqual([
      expect.stringMatching(
        /^FAIL {2}database role: .* may not read event: npm run bank -- migrate/,
      ),
    ]);
    expect(badIn(withTooMany)).toEqual([
      expect.stringMatching(/^FAIL {2}database role: .* may remove what is to be kept.*: see "Two/),
    ]);
  });

  it("finds a database that takes no changes, or that is of another release", async () => {
    const admin = postgres(inject("databaseUrl"), { max: 1 });
    const name = path
      .basename(folder)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, "_");
    await admin`create database ${admin(name)}`;
    const url = databaseOf(inject("databaseUrl"), name);
    const own = { ...bank, DATABASE_URL: url, MIGRATION_DATABASE_URL: "" };
    const empty = await doctor(own);
    const asking = await doctor({ ...own, MIGRATE_AT_START: "true" });
    const sql = postgres(url, { max: 1, onnotice: () => undefined });
    await migrate(url, { expandOnly: true });
    const upToDate = await doctor(own);
    const newerBy = (contract: boolean) => sql`
      insert into drizzle.__drizzle_migrations (hash, created_at, contract) values ('', ${contract ? 2 : 1}, ${contract})`;
    await newerBy(false);
    const expanded = await doctor(own);
    await newerBy(true);
    const contracted = await doctor(own);
    await admin`alter database ${admin(name)} set default_transaction_read_only = on`;
    const readOnly = await doctor(own);
    await sql.end();
    await admin`drop database ${admin(name)} with (force)`;
    await admin.end();
    expect(readOnly.lines).toContainEqual(
      expect.stringMatching(/^FAIL {2}database: takes no changes: .* name its primary/),
    );
    const schemaIn = ({ lines }: typeof empty) => lines.filter((one) => one.includes("schema:"));
    expect([empty, asking, upToDate, expanded, contracted].map((one) => schemaIn(one)[0])).toEqual([
      "FAIL  database schema: the database is not set up for this release: npm run bank -- migrate",
      "warn  database schema: is not this release's: the next start brings it up to date",
      "ok    database schema: is this release's",
      "ok    database schema: a newer release's, by 1 expand steps that this one runs with",
      expect.stringMatching(/^FAIL {2}database schema: .* start the newer release$/),
    ]);
  });
});

it("warns of contract steps that wait, with which a server runs", () => {
  const pending = migrationsOfRelease().map((step) => ({ ...step, isContract: true }));
  const schema = { pending, newer: { expand: 0, contract: 0 } };
  const sentence = `${pending.length} contract steps wait: npm run bank -- migrate --contract, when no server of an earlier release runs any more`;
  const found = schemaOf(readSettings({}), { schema });
  expect(found).toEqual(warn(sentence, "database schema"));
});

it("a check that does not end has failed, and keeps no other from its line", async () => {
  const lines = await linesOf(
    [
      { what: "first", find: () => new Promise(() => undefined) },
      { what: "second", find: async () => [ok("answers")] },
    ],
    100,
  );
  expect(lines.map(({ what, result }) => [what, result])).toEqual([
    ["first", "FAIL"],
    ["second", "ok"],
  ]);
  expect(lines[0]?.sentence).toBe("no answer within 0.1 s: look at address and firewall");
});

async function daysOn(days: number): Promise<Date> {
  return new Date((await systemClock.now()).getTime() + days * 86_400_000);
}

/** Of the sandbox's authority, as long ago as that. */
async function tlsMade(days: number): Promise<Env> {
  const then = await daysOn(days);
  const authority = await makeCertificateAuthority(then);
  const host = { file: file(`tls${days}.pem`), host: "localhost", now: then };
  const { cert } = await loadServerCertificate(authority, host);
  await write(`chain${days}.pem`, cert + authority.certificatePem);
  return { XS2A_TLS_CERT: file(`chain${days}.pem`), XS2A_TLS_KEY: host.file };
}

async function strangersPem(): Promise<string> {
  return (await makeCertificateAuthority(await systemClock.now())).certificatePem;
}

async function trustedList(nextUpdate: Date): Promise<Env> {
  const keys = await nextKeys();
  const name = distinguishedName(["CN", "Scheme operator"]);
  const signer = await issueDer({ name, keys }, authorityParts(name, keys, await daysOn(-1)));
  const { raw } = new X509Certificate(await strangersPem());
  const xml = listXml({
    services: [{ certificate: new Uint8Array(raw) }],
    nextUpdate: nextUpdate.toISOString(),
  });
  const list = signedList(xml, { key: await privateKeyPem(keys.privateKey) });
  return {
    TRUST_ANCHORS: await write("list.xml", list, 0o644),
    TRUSTED_LIST_SIGNERS: await write("signers.pem", pem(signer), 0o644),
  };
}
