import { generateKeyPairSync, randomBytes, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import tls from "node:tls";
import { databaseUrl } from "@/cli/bank/database-url";
import { makeCertificates } from "@/cli/tpp/certificates";
import type { Exchange } from "@/clients/typescript/src";
import { stopLeftDatabase } from "@/e2e/harness/own-database";
import {
  freshSettings,
  type RunningServer,
  type ServerSettings,
  startServer,
} from "@/e2e/harness/server";
import { testTpp } from "@/e2e/harness/test-tpp";
import { readSettings } from "@/lib/config";
import { loadCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { loadServerCertificate } from "@/lib/sandbox/server-certificate";
import { secretNames } from "@/lib/secrets";
import {
  answerForm,
  authoriseAsPsu,
  browsing,
  credentials,
  everyAccount,
  inCodeField,
  newestCode,
} from "@/tools/psu-by-forms";
import { atDatabase, campaign, inFolder, PATIENCE_MS, type Size } from "./campaign";
import type { Outcome } from "./journal";
import type { Run } from "./tpp";

/**
 * Token keys, secrets, the TLS certificate and the trust anchors are replaced one after another under payments and reads,
 * while a PSU is in the middle of an authorisation, another one is signed in at the bank's own channel, an operator at the
 * console, and a TPP holds a token of before. No request may fail, and nobody may be signed out. `faults` counts rounds.
 */
export function rotateKeys(size: Size): Promise<Outcome> {
  return inFolder(async (dataDir) => {
    const keys = await keysIn(dataDir);
    const free = await freshSettings(dataDir);
    const bank = { ...free, shared: { ...keys.settings, REVOCATION: "soft" } };
    const server = await startServer(bank);
    try {
      const url = await databaseUrl(readSettings({ DATA_DIR: dataDir }));
      const rotating = { bank, server, keys, size, kept: await people(bank, keys.otherFolder) };
      return await campaign({
        ...{ clients: size.clients, mayFail: "nothing", bank, databaseUrl: () => url },
        breakAgain: (run) => rotate(run, rotating),
        lookAgain: async (run) => {
          await recorded(run, () => url);
          await signedOut(run, rotating);
        },
      });
    } finally {
      await server.stop();
      await stopLeftDatabase(dataDir);
    }
  });
}

type Rotating = {
  readonly bank: ServerSettings;
  readonly server: RunningServer;
  readonly keys: Awaited<ReturnType<typeof keysIn>>;
  readonly size: Size;
  readonly kept: Awaited<ReturnType<typeof people>>;
};

async function rotate(run: Run, rotating: Rotating): Promise<void> {
  const { bank, keys, size, kept } = rotating;
  const { tally, failures, late } = run.journal;
  run.journal.consentsAsked.push(...kept.consentsAsked);
  const taken = watcher(rotating);
  const over = new AbortController();
  const staying = stay(kept, failures, over.signal);
  const step = async (what: string, change: () => Promise<void>, seen: () => Promise<boolean>) => {
    tally.faults += 1;
    if (run.traffic.inFlight() > 0) tally["faults while calls were in flight"] += 1;
    await change();
    const end = performance.now() + PATIENCE_MS;
    while (!(await seen())) {
      size.signal.throwIfAborted();
      if (performance.now() > end) return void late.push(`${what}: nobody has taken it`);
      await sleep(100);
    }
  };
  try {
    if (await kept.strangerIsKnown()) failures.push("a stranger's TPP is known before its anchor");
    for (let round = 0; round < size.faults; round += 1) {
      for (const name of ["TOKEN_SIGNING_KEY", ...secretNames] as const) {
        // Every process knows the new one before any signs with it.
        await step(name, () => keys.add(name), taken(name));
        await step(name, () => keys.signWithLast(name), taken(name));
      }
      await step("XS2A_TLS_CERT", keys.newCertificate, () => shows(bank, keys.certificate));
      await step("TRUST_ANCHORS", () => keys.anchors(true), kept.strangerIsKnown);
      if (round < size.faults - 1)
        await step(
          "TRUST_ANCHORS",
          () => keys.anchors(false),
          async () => !(await kept.strangerIsKnown()),
        );
    }
    await kept.confirm();
  } catch (error) {
    failures.push(`while keys were replaced: ${error}`);
  } finally {
    over.abort();
    await staying;
  }
}

/** It was for the list that nobody was signed out: without the secret of before, who has a session of before is. */
async function signedOut({ journal: { late } }: Run, { keys, kept }: Rotating): Promise<void> {
  await keys.keepFirst("SESSION_SECRET");
  const end = performance.now() + PATIENCE_MS;
  while ((await kept.channel()) && performance.now() < end) await sleep(100);
  if (await kept.channel()) late.push("a session without its secret is still good");
  await kept.close();
}

/** Each change is an event. */
async function recorded({ journal: { late } }: Run, url: () => string): Promise<void> {
  const names = ["TOKEN_SIGNING_KEY", ...secretNames, "XS2A_TLS_CERT", "TRUST_ANCHORS"];
  const missing = () =>
    atDatabase(url, async (sql) => {
      const rows = await sql<{ name: string }[]>`
        select distinct split_part(file, ' ', 1) as name
        from event, jsonb_array_elements_text(detail->'files') file where kind = 'key-changed'`;
      return names.filter((name) => !rows.some((row) => row.name === name));
    });
  const end = performance.now() + PATIENCE_MS;
  while ((await missing()).length > 0 && performance.now() < end) await sleep(500);
  late.push(...(await missing()).map((name) => `no event tells that ${name} was replaced`));
}

/** Everybody who may not be signed out asks again and again. */
async function stay(
  { token, channel, console: staff }: Awaited<ReturnType<typeof people>>,
  failures: string[],
  signal: AbortSignal,
): Promise<void> {
  const asked = {
    "a token of before": token,
    "a PSU's session": channel,
    "a staff session": staff,
  };
  while (!signal.aborted) {
    for (const [what, ask] of Object.entries(asked)) {
      const isGood = await ask().catch((error: unknown) => {
        failures.push(`${what}: ${error}`);
        return true;
      });
      if (!isGood && !signal.aborted) failures.push(`${what} is not good any more`);
    }
    await sleep(250, undefined, { signal }).catch(() => undefined);
  }
}

/** Those whose tokens and sessions are of before, each with what asks whether they are still good. */
async function people(bank: ServerSettings, otherFolder: string) {
  const consentsAsked: string[] = [];
  const noteConsent = ({ request }: Exchange) => {
    const sent = Object.entries(request.headers).find(([name]) => /^x-request-id$/i.test(name));
    if (request.method === "POST" && sent !== undefined) consentsAsked.push(String(sent[1]));
  };
  const tpp = await testTpp({ bank, onExchange: noteConsent });
  const asked = await tpp.ask();
  const back = await authoriseAsPsu(asked.request.url, tpp.redirectUri, bank.webUrl);
  const { accessToken } = await asked.server.token(back, asked.request);
  const permission = { consentId: asked.consentId, accessToken };

  const waiting = await tpp.ask();
  const isBack = ({ href }: URL) => href.startsWith(tpp.redirectUri);
  const browser = browsing(isBack);
  const login = await browser.open(waiting.request.url);
  const accounts = await answerForm(browser, login, "Continue", credentials(demoUser("mihai")));
  const summary = await answerForm(browser, accounts, "Continue", everyAccount);
  const code = await newestCode(bank.webUrl, "mihai");

  const channel = await channelOf(bank, "elena");
  const operator = await consoleOf(bank, "ioana");

  const organisation = { id: "PSDRO-NBR-7654321", name: "Stranger", roles: ["PSP_AI"] } as const;
  const strangers = await makeCertificates(otherFolder, organisation);
  const { ca } = tpp.certificates;
  const stranger = await testTpp({
    ...{ bank, id: organisation.id, certificates: { ...strangers, ca } },
  });
  return {
    consentsAsked,
    token: async () => (await tpp.bank.accounts(permission)).ok,
    channel,
    console: operator,
    /** A certificate of the issuer that is added. */
    strangerIsKnown: async () => {
      const { status, body } = await stranger.postToken({
        grant_type: "refresh_token",
        refresh_token: "none",
      });
      return !(status === 401 && String(body["error_description"]).includes("trusted issuer"));
    },
    /** With the code, the form and the cookies of before. */
    confirm: async () => {
      const after = await answerForm(browser, summary, "Confirm", inCodeField(code));
      if (!isBack(after.url) || !after.url.searchParams.has("code")) {
        throw new Error("a PSU in the middle of an authorisation could not confirm it");
      }
      await waiting.server.token(after.url, waiting.request);
    },
    close: async () => {
      await Promise.all([tpp.close(), stranger.close()]);
    },
  };
}

const demoUser = (userId: string) => ({ userId, password: `${userId}-sandbox` });

/** Signed in at the bank's own channel: whether the list of permissions is still shown. */
async function channelOf(bank: ServerSettings, userId: string) {
  const browser = browsing(() => false);
  const list = new URL("/permissions", bank.webUrl);
  const login = await browser.open(list);
  const asksForCode = await answerForm(browser, login, "Continue", credentials(demoUser(userId)));
  const code = await newestCode(bank.webUrl, userId);
  await answerForm(browser, asksForCode, "Sign in", inCodeField(code));
  return async () => (await browser.open(list)).url.pathname === list.pathname;
}

async function consoleOf({ staffUrl }: ServerSettings, operator: string) {
  const browser = browsing(() => false);
  const page = new URL("/staff/keys", staffUrl);
  const login = await browser.open(page);
  await answerForm(browser, login, "Sign in", credentials(demoUser(operator)));
  return async () => (await browser.open(page)).url.pathname === page.pathname;
}

/** The TPP host's module graph, and the browser host's two. */
const GRAPHS = 3;

/** Whether since this call all of them have said that they have read the setting's files. */
function watcher({ server }: Rotating) {
  return (name: string) => {
    const count = () =>
      server
        .output()
        .split("\n")
        .filter((line) => line.includes(`"what":"${name}"`)).length;
    const before = count();
    let wanted: number | undefined;
    return async () => {
      wanted ??= before + GRAPHS;
      return count() >= wanted;
    };
  };
}

async function shows({ xs2aPort }: ServerSettings, wanted: () => string): Promise<boolean> {
  const socket = tls.connect({ port: xs2aPort, host: "127.0.0.1", rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const shown = socket.getPeerX509Certificate()?.serialNumber;
  socket.destroy();
  return shown === new X509Certificate(wanted()).serialNumber;
}

/** Files of keys as an operator has them, each replaced at once and as a whole. */
async function keysIn(dataDir: string) {
  const folder = join(dataDir, "rotated");
  await mkdir(folder, { recursive: true });
  const authority = await loadCertificateAuthority(join(dataDir, "ca"), new Date());
  const otherFolder = join(folder, "other");
  const other = await loadCertificateAuthority(join(otherFolder, "ca"), new Date());
  const file = (name: string) => join(folder, name);
  // Beside it the sandbox finds what its authority has revoked.
  const anchorFile = join(dataDir, "ca", "anchors.pem");
  const write = async (path: string, text: string) => {
    await writeFile(`${path}.new`, text, { mode: 0o600 });
    await rename(`${path}.new`, path);
  };
  const make = (name: string) =>
    name === "TOKEN_SIGNING_KEY"
      ? String(
          generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
            ...{ type: "pkcs8", format: "pem" },
          }),
        ).trim()
      : randomBytes(32).toString("base64url");
  const lists = new Map<string, readonly string[]>();
  const keep = async (name: string, list: readonly string[]) => {
    lists.set(name, list);
    await write(file(name), `${list.join("\n")}\n`);
  };
  const listOf = (name: string) => lists.get(name) ?? [];
  let shown = "none";
  const newCertificate = async () => {
    const made = await loadServerCertificate(authority, {
      ...{ file: file(randomBytes(4).toString("hex")), host: "localhost", now: new Date() },
    });
    // For a moment one is not the other's, as where an operator copies two files.
    await write(file("key"), made.key);
    await write(file("cert"), made.cert);
    shown = made.cert;
  };
  const anchors = (both: boolean) =>
    write(anchorFile, authority.certificatePem + (both ? other.certificatePem : ""));
  for (const name of ["TOKEN_SIGNING_KEY", ...secretNames]) await keep(name, [make(name)]);
  await newCertificate();
  await anchors(false);
  return {
    otherFolder,
    settings: {
      ...Object.fromEntries(secretNames.map((name) => [name, `file:${file(name)}`])),
      TOKEN_SIGNING_KEY: file("TOKEN_SIGNING_KEY"),
      TRUST_ANCHORS: anchorFile,
      ...{ XS2A_TLS_CERT: file("cert"), XS2A_TLS_KEY: file("key") },
    },
    /** Known from now on, and not yet used. */
    add: (name: string) => keep(name, [...listOf(name), make(name)]),
    signWithLast: (name: string) =>
      keep(name, [...listOf(name).slice(-1), ...listOf(name).slice(0, -1)]),
    keepFirst: (name: string) => keep(name, listOf(name).slice(0, 1)),
    newCertificate,
    certificate: () => shown,
    anchors,
  };
}
