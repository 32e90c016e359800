import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { isIP } from "node:net";
import path from "node:path";
import { rootCertificates } from "node:tls";
import type { Settings } from "@/lib/config";
import { readCertificate } from "@/lib/eidas/certificate";
import { LIST_OF_LISTS } from "@/lib/eidas/followed-lists";
import { checkQualifiedType } from "@/lib/eidas/trust";
import { type DatabaseState, databaseState } from "@/lib/postgres/database-state";
import { checkVersion, excessiveRights } from "@/lib/postgres/migrate";
import { primaryUrl } from "@/lib/postgres/primary";
import { schemaFault } from "@/lib/postgres/schema-version";
import { secretFileOf, secretIds, secretNames } from "@/lib/secrets";
import { migratesAtStart } from "@/lib/server/migrations";
import {
  authorityFolder,
  bankApiTlsOf,
  checkSigningKeys,
  checkTrustAnchors,
  tlsOf,
} from "@/lib/server/tls";
import { isStale, readFollowed, STALE_HOURS } from "@/lib/server/trusted-lists";
import { databaseUrl } from "../database-url";
import { type Check, codeOf, type Finding, fail, ok, reasonOf, warn } from "./check";

/** What the bank has set up for Drawbridge alone: its database, and the files that the settings name. */
export function installedChecks(settings: Settings, now: Date): readonly Check[] {
  return [
    { what: "database", find: () => database(settings) },
    { what: "database connection", find: async () => connection(settings) },
    { what: "TLS certificate", find: () => tlsCertificate(settings, now) },
    { what: "bank API", find: () => bankApi(settings, now) },
    { what: "notification seal", find: () => notificationSeal(settings, now) },
    { what: "trust anchors", find: () => trustAnchors(settings, now) },
    { what: "token signing key", find: () => signingKey(settings) },
    { what: "secrets", find: async () => secrets(settings) },
    { what: "file rights", find: () => fileRights(settings) },
  ];
}

const bounds = { connect: 5_000, wait: 6_000, answer: 6_000, rest: 1_000 };

async function database(settings: Settings): Promise<readonly Finding[]> {
  const { DATABASE_URL, MIGRATION_DATABASE_URL: migrationUrl, SANDBOX } = settings;
  const asked = async (setting: string, url: string | Promise<string>) => {
    try {
      return await databaseState(await url, bounds);
    } catch (error) {
      const isStranger = /^(UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)_/.test(codeOf(error) ?? "none");
      const remedy = isStranger
        ? "name the authority of its certificate in NODE_EXTRA_CA_CERTS, in the environment and not in .env"
        : "look at address, role and password, and whether it runs";
      throw new Error(`${setting}: ${reasonOf(error)}: ${remedy}`);
    }
  };
  if (SANDBOX && DATABASE_URL === undefined && !(await isRunning(settings))) {
    return [warn("not looked at: npm start brings its own, and none runs")];
  }
  const url = databaseUrl(settings);
  const state = await asked("DATABASE_URL", url);
  const owner = migrationUrl && (await asked("MIGRATION_DATABASE_URL", primaryUrl(migrationUrl)));
  return [
    server(state),
    await role(settings, await url, state, owner || undefined),
    schemaOf(settings, owner || state),
  ];
}

/** Account data would cross a network in clear, or go to who only says that it is the database: `require` verifies nothing. */
function connection({ DATABASE_URL, MIGRATION_DATABASE_URL }: Settings): readonly Finding[] {
  return Object.entries({ DATABASE_URL, MIGRATION_DATABASE_URL })
    .filter(([, url]) => url !== undefined && !(isLocal.test(url) || isVerified.test(url)))
    .map(([setting]) =>
      warn(`${setting} has no sslmode=verify-full: see "TLS to the database" in docs/database.md`),
    );
}
const isLocal = /^[^?]*(@|\/\/)(localhost|127\.[\d.]+|\[::1\])(:\d+)?\//;
const isVerified = /[?&]sslmode=verify-full(&|$)/;

function isRunning(settings: Settings): Promise<boolean> {
  return databaseUrl(settings).then(
    () => true,
    () => false,
  );
}

function server({ version, takesChanges, role: name }: DatabaseState): Finding {
  try {
    checkVersion(version);
  } catch (error) {
    return fail(reasonOf(error));
  }
  return takesChanges
    ? ok(`PostgreSQL ${version}, takes changes, role ${name}`)
    : fail(
        "takes no changes: it is a standby or read-only; name its primary as well in DATABASE_URL",
      );
}

async function role(
  { SANDBOX }: Settings,
  url: string,
  { role: name, database: ours, unreadable }: DatabaseState,
  owner: DatabaseState | undefined,
): Promise<Finding> {
  const what = "database role";
  const [table] = unreadable;
  if (table !== undefined) {
    return fail(
      `${name} may not read ${table}: npm run bank -- migrate, with the tables' owner in MIGRATION_DATABASE_URL`,
      what,
    );
  }
  if (owner !== undefined && owner.database !== ours) {
    return fail("DATABASE_URL leads to another database than MIGRATION_DATABASE_URL", what);
  }
  if (owner?.role === name) {
    return fail(`DATABASE_URL and MIGRATION_DATABASE_URL both have the role ${name}`, what);
  }
  const [excess] = await excessiveRights(url);
  if (excess === undefined)
    return ok(`${name} reads the tables, and may do nothing that it should not`, what);
  if (owner !== undefined) {
    return fail(`${name} of DATABASE_URL ${excess}: see "Two roles" in docs/database.md`, what);
  }
  const sentence = `${name} ${excess}`;
  return SANDBOX
    ? ok(`${sentence}, as it may in a sandbox`, what)
    : warn(`${sentence}: MIGRATION_DATABASE_URL separates the two`, what);
}

export function schemaOf(settings: Settings, { schema }: Pick<DatabaseState, "schema">): Finding {
  const what = "database schema";
  const fault = schemaFault(schema);
  if (schema === undefined || fault !== undefined) {
    const mends = migratesAtStart(settings) && (schema?.newer.contract ?? 0) === 0;
    return mends
      ? warn("is not this release's: the next start brings it up to date", what)
      : fail(`the database ${fault}`, what);
  }
  const { pending, newer } = schema;
  if (pending.length > 0) {
    const when = "when no server of an earlier release runs any more";
    return warn(
      `${pending.length} contract steps wait: npm run bank -- migrate --contract, ${when}`,
      what,
    );
  }
  return newer.expand > 0
    ? ok(`a newer release's, by ${newer.expand} expand steps that this one runs with`, what)
    : ok("is this release's", what);
}

const DAY_MS = 86_400_000;
const DAYS_LEFT_MIN = 30;
const LIST_DAYS_LEFT_MIN = 14;
/** Operators renew some days before. */
const FOLLOWED_DAYS_LEFT_MIN = 3;
/** PEM anchors name no end of their own list. */
const ANCHORS_DAYS_MAX = 365;

async function tlsCertificate(settings: Settings, now: Date): Promise<readonly Finding[]> {
  const { CLIENT_CERTIFICATE, SANDBOX, XS2A_TLS_CERT, XS2A_TLS_KEY, XS2A_URL } = settings;
  if (CLIENT_CERTIFICATE === "proxy") return [ok("not looked at: a proxy ends TLS")];
  if (XS2A_TLS_CERT === undefined) return [ok("the sandbox's own, which it renews itself")];
  const pem = await readFile(XS2A_TLS_CERT, "utf8");
  const [leaf, ...above] = certificatesIn(pem);
  if (leaf === undefined) return [fail("XS2A_TLS_CERT holds no PEM certificate: name one")];
  if (XS2A_TLS_KEY !== undefined && !(await isKeyOf(leaf, XS2A_TLS_KEY))) {
    return [
      fail("XS2A_TLS_KEY is not the key of XS2A_TLS_CERT: name the one it was requested with"),
    ];
  }
  await tlsOf(settings, now);
  const host = new URL(XS2A_URL).hostname.replace(/^\[(.*)\]$/, "$1");
  const matches = isIP(host) === 0 ? leaf.checkHost(host) : leaf.checkIP(host);
  if (matches === undefined) {
    return [fail(`is not for ${host} of XS2A_URL, but for ${leaf.subjectAltName ?? "no host"}`)];
  }
  const broken = brokenLink([leaf, ...above]);
  if (broken !== undefined) return [fail(broken)];
  const life = lifeOf(leaf, now, `for ${host}`);
  const open = SANDBOX ? undefined : openEnd(above.at(-1) ?? leaf);
  return [life.result === "ok" && open !== undefined ? warn(open) : life];
}

async function bankApi(settings: Settings, now: Date): Promise<readonly Finding[]> {
  const { BANK_API_PORT, BANK_API_TLS_CERT: cert, BANK_API_TLS_KEY: key } = settings;
  if (BANK_API_PORT === 0) return [ok("not offered: BANK_API_PORT is not set")];
  if (cert === undefined) return [ok("with the sandbox's own certificates")];
  const [leaf] = certificatesIn(await readFile(cert, "utf8"));
  if (leaf === undefined) return [fail("BANK_API_TLS_CERT holds no PEM certificate: name one")];
  if (key !== undefined && !(await isKeyOf(leaf, key))) {
    return [fail("BANK_API_TLS_KEY is not the key of BANK_API_TLS_CERT: name the right one")];
  }
  await bankApiTlsOf(settings, now);
  return [lifeOf(leaf, now, `at port ${BANK_API_PORT}`)];
}

async function notificationSeal(settings: Settings, now: Date): Promise<readonly Finding[]> {
  const { SANDBOX, NOTIFICATIONS_SEAL_CERT: cert, NOTIFICATIONS_SEAL_KEY: key } = settings;
  if (cert === undefined || key === undefined) {
    const unset = "TPPs are not notified: NOTIFICATIONS_SEAL_CERT is not set";
    return [ok(SANDBOX ? "the sandbox's own, which it renews itself" : unset)];
  }
  const chain = certificatesIn(await readFile(cert, "utf8"));
  const [leaf] = chain;
  if (leaf === undefined)
    return [fail("NOTIFICATIONS_SEAL_CERT holds no PEM certificate: name one")];
  if (!(await isKeyOf(leaf, key))) {
    return [fail("NOTIFICATIONS_SEAL_KEY is not the key of NOTIFICATIONS_SEAL_CERT: name it")];
  }
  try {
    checkQualifiedType(readCertificate(leaf.raw), "eseal");
  } catch (error) {
    return [fail(`${reasonOf(error)}: name the bank's QSealC in NOTIFICATIONS_SEAL_CERT`)];
  }
  const broken = brokenLink(chain, "NOTIFICATIONS_SEAL_CERT");
  return [broken === undefined ? lifeOf(leaf, now, "of the bank") : fail(broken)];
}

/** Whether it can be read at all is for the server's own check to say. */
async function isKeyOf(certificate: X509Certificate, file: string): Promise<boolean> {
  try {
    return certificate.checkPrivateKey(createPrivateKey(await readFile(file, "utf8")));
  } catch {
    return true;
  }
}

export function certificatesIn(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => new X509Certificate(block));
}

/** Of a chain in which each certificate has to be issued by the next. */
function brokenLink(
  chain: readonly X509Certificate[],
  setting = "XS2A_TLS_CERT",
): string | undefined {
  const at = chain.findIndex((one, index) => {
    const next = chain[index + 1];
    return next !== undefined && !isIssuedBy(one, next);
  });
  if (at === -1) return undefined;
  return `${setting}: certificate ${at + 2} of the file has not issued the one before it: order them, ours first`;
}

/** Of a chain that nobody could complete. */
function openEnd(last: X509Certificate): string | undefined {
  if (isIssuedBy(last, last)) return undefined;
  const known = rootCertificates.some((root) => isIssuedBy(last, new X509Certificate(root)));
  if (known) return undefined;
  const [issuer] = last.issuer.split("\n").toReversed();
  return `ends with one that ${issuer} has issued, no root Node.js knows: append the certificates above it`;
}

function isIssuedBy(one: X509Certificate, issuer: X509Certificate): boolean {
  return one.checkIssued(issuer) && one.verify(issuer.publicKey);
}

/** How long a certificate of ours goes on. */
export function lifeOf(
  { validFrom, validTo }: X509Certificate,
  now: Date,
  purpose: string,
): Finding {
  const end = new Date(validTo);
  if (now < new Date(validFrom)) {
    return fail(`is not valid before ${dayOf(new Date(validFrom))}: look at the clock, or wait`);
  }
  if (now >= end) return fail(`has ended on ${dayOf(end)}: renew it`);
  const days = daysBetween(now, end);
  const sentence = `${purpose}, ends in ${days} days`;
  return days < DAYS_LEFT_MIN ? warn(`${sentence}: renew it`) : ok(sentence);
}

async function trustAnchors(settings: Settings, now: Date): Promise<readonly Finding[]> {
  const { TRUST_ANCHORS: named, TRUSTED_LIST_SIGNERS: listSigners, DATA_DIR } = settings;
  const file = named ?? path.join(authorityFolder(path.resolve(DATA_DIR)), "ca.pem");
  const written = await stat(file).catch(() => undefined);
  if (written === undefined && named === undefined) return [ok("made by the sandbox at its start")];
  if (settings.TRUSTED_LISTS !== undefined) return followed(file, now);
  const { anchors, nextUpdate } = await checkTrustAnchors(file, { listSigners, now });
  const ended = anchors.filter(({ notAfter }) => notAfter <= now).length;
  const age = daysBetween(written?.mtime ?? now, now);
  const count = `${anchors.length} issuers, file of ${age} days ago`;
  if (ended === anchors.length) {
    return [fail(`${file}: the certificates of all issuers have ended: bring a newer file`)];
  }
  if (nextUpdate !== undefined) {
    const left = daysBetween(now, nextUpdate);
    const sentence = `signed list, ${count}, next update in ${left} days`;
    const renew = "replace it";
    return [left < LIST_DAYS_LEFT_MIN ? warn(`${sentence}: ${renew}`) : ok(sentence)];
  }
  // A list may go on naming those that have ended; of a file of our own somebody has to take care.
  if (ended > 0) return [warn(`${count}, ${ended} of them have ended: bring a newer file`)];
  return [age > ANCHORS_DAYS_MAX ? warn(`${count}: ask whether it is the latest`) : ok(count)];
}

/** Nothing is fetched here: it is the server that follows them. */
async function followed(file: string, now: Date): Promise<readonly Finding[]> {
  const found = await readFollowed(file);
  if (found === undefined) return [warn("trusted lists are fetched at the server's start")];
  const { checkedAt, lists, pointers } = found;
  const stale = [LIST_OF_LISTS, ...pointers.map(({ territory }) => territory)].filter((territory) =>
    isStale(checkedAt[territory] ?? "1970-01-01", now),
  );
  const ending = lists
    .filter(({ nextUpdate }) => daysBetween(now, new Date(nextUpdate)) < FOLLOWED_DAYS_LEFT_MIN)
    .map(({ territory }) => territory);
  const issuers = lists.reduce((sum, list) => sum + list.issuers.length, 0);
  const sentence = `${lists.length} of ${pointers.length} trusted lists in date, ${issuers} issuers`;
  if (issuers === 0) return [fail(`${sentence}: the log says why they cannot be had`)];
  const warnings = [
    ...(stale.length > 0 ? [`not renewed for ${STALE_HOURS} hours: ${stale.join(", ")}`] : []),
    ...(ending.length > 0
      ? [`end within ${FOLLOWED_DAYS_LEFT_MIN} days: ${ending.join(", ")}`]
      : []),
  ];
  if (warnings.length === 0) return [ok(sentence)];
  return [warn(`${sentence}, ${warnings.join(", ")}: the log says why`)];
}

const NEW_KEY =
  "make one with openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256, once for all servers";

async function signingKey({ TOKEN_SIGNING_KEY, DATA_DIR }: Settings): Promise<readonly Finding[]> {
  const own = path.resolve(DATA_DIR, "secrets", "token-signing-key.pem");
  const file = TOKEN_SIGNING_KEY ?? own;
  const isThere = TOKEN_SIGNING_KEY !== undefined || (await modeOf(own)) !== undefined;
  if (!isThere) return [ok("made by the sandbox at its start")];
  const count = await checkSigningKeys(file).catch((error: Error) => {
    throw new Error(`${error.message}: ${NEW_KEY}`);
  });
  return [ok(count === 1 ? "EC P-256" : `${count} of EC P-256, the first one signs`)];
}

/** How many of each: a list that is written wrongly would be one long secret. */
function secrets(settings: Settings): readonly Finding[] {
  const counts = secretNames.flatMap((name) => {
    const setting = settings[name];
    return setting === undefined ? [] : [`${name} ${secretIds(setting, name).length}`];
  });
  return [
    ok(counts.length === 0 ? "made by the sandbox" : `${counts.join(", ")}: the first signs`),
  ];
}

/** As Next reads them, for what is no setting of the environment. */
const envFiles = [".env.production.local", ".env.local", ".env.production", ".env"];

async function fileRights(settings: Settings): Promise<readonly Finding[]> {
  const { XS2A_TLS_KEY, TOKEN_SIGNING_KEY, CORE_BANK_TLS_KEY, IDP_CLIENT_KEY } = settings;
  const { BANK_API_TLS_KEY, NOTIFICATIONS_SEAL_KEY, STAFF_IDP_CLIENT_KEY } = settings;
  const data = (name: string) => path.resolve(settings.DATA_DIR, name);
  const own = settings.SANDBOX
    ? ["tls.pem", "ca/ca.key", "bank-api/client.pem", "secrets/token-signing-key.pem"].map(data)
    : [];
  const named = [
    XS2A_TLS_KEY,
    TOKEN_SIGNING_KEY,
    CORE_BANK_TLS_KEY,
    IDP_CLIENT_KEY,
    STAFF_IDP_CLIENT_KEY,
    BANK_API_TLS_KEY,
    NOTIFICATIONS_SEAL_KEY,
    ...secretNames.map((name) => secretFileOf(settings[name] ?? "none")),
  ];
  const files = [...named.filter((file) => file !== undefined), ...own, ...envFiles];
  const modes = await Promise.all(files.map(async (file) => ({ file, mode: await modeOf(file) })));
  const found = modes.filter(({ mode }) => mode !== undefined);
  const open = found.filter(({ mode = 0 }) => (mode & 0o006) !== 0).map(({ file }) => file);
  if (open.length === 0) {
    return [ok(`${found.length} files of keys and secrets are closed to others`)];
  }
  const sentence = `everybody may read ${open.join(", ")}: chmod o-rw ${open.join(" ")}`;
  return [settings.SANDBOX ? warn(sentence) : fail(sentence)];
}

/** Undefined of a file that is not there. */
async function modeOf(file: string): Promise<number | undefined> {
  const found = await stat(file).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  return found?.mode;
}

function daysBetween(from: Date, to: Date): number {
  return Math.floor((to.getTime() - from.getTime()) / DAY_MS);
}

function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}
