import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { request } from "node:http";
import { createServer } from "node:https";
import path from "node:path";
import { parseArgs } from "node:util";
import {
  ACR_LOGIN,
  ACR_SCA,
  BANK_API_AUDIENCE,
  DETAILS_TYPE,
  SYSTEM_CLIENT,
  SYSTEM_SECRET,
  SYSTEMS,
} from "@/cli/identity-provider/provider";
import { loadServerCertificate } from "@/lib/sandbox/server-certificate";
import { sandboxSecrets } from "@/lib/server/data-folder";
import { startEmbeddedDatabase } from "@/lib/server/embedded-database";
import { newShutdown, runUntilStopped, type Shutdown } from "@/lib/server/processes";
import { sandboxAuthority } from "@/lib/server/tls";
import { systemClock } from "@/lib/system-clock";
import { certificateStatus } from "./certificate-status";

const HELP = `npm run production-demo -- [OPTIONS]

Drawbridge as a bank runs it (SANDBOX=false), all on this machine: a PostgreSQL, a core bank and an identity provider in
processes of their own, the certificates of a throwaway authority, and a proxy that brings https to the PSUs' pages.

  --ports LIST  of the TPP host, the PSUs' pages, the browser host behind them, the core bank, the identity provider, the
                staff console, its listener behind it and the bank API; default 8443,3443,3000,9443,9444,3444,3001,8444
  --sca LIST    PSU_SCA; default oidc,ciba
  --sms URL     SMS_GATEWAY_URL, which code and passkey demand
  --profile F   BANK_PROFILE; default the demo bank's
  --data DIR    databases, certificates and secrets; default .data/production-demo`;

const options = {
  ports: { type: "string", default: "8443,3443,3000,9443,9444,3444,3001,8444" },
  sca: { type: "string", default: "oidc,ciba" },
  sms: { type: "string" },
  profile: { type: "string" },
  data: { type: "string", default: path.join(".data", "production-demo") },
  help: { type: "boolean", short: "h", default: false },
} as const;

const ROOT = path.join(import.meta.dirname, "../..");
const TSX = ["--import", "tsx"];

async function start(shutdown: Shutdown): Promise<void> {
  const { values } = parseArgs({ options });
  const ports = values.ports.split(",").map(Number);
  const [tpp = 8443, pages = 3443, browser = 3000, core = 9443, login = 9444] = ports;
  const [staffPages = 3444, staff = 3001, bankApi = 8444] = ports.slice(5);
  const dataDir = path.resolve(values.data);
  const folders = { core: path.join(dataDir, "core-bank"), login: path.join(dataDir, "login") };
  for (const folder of Object.values(folders))
    await mkdir(folder, { recursive: true, mode: 0o711 });
  const now = await systemClock.now();
  const authority = await sandboxAuthority(dataDir, now);
  const certificate = path.join(dataDir, "server.pem");
  const tls = await loadServerCertificate(authority, { file: certificate, host: "localhost", now });
  const issuers = path.join(dataDir, "ca", "ca.pem");
  const webUrl = webUrlOf(pages);
  const staffUrl = webUrlOf(staffPages);

  // Registered before it runs: a Ctrl-C in the middle must not leave it running.
  const starting = startEmbeddedDatabase({ dataDir });
  shutdown.onStop({ finish: async () => (await starting.catch(() => undefined))?.stop() });
  await Promise.all([
    run(shutdown, [...TSX, "cli/core-bank/cli.ts", "--port", `${core}`, "--data", folders.core], {
      ready: "The core bank is ready",
    }),
    run(
      shutdown,
      [
        ...TSX,
        "cli/identity-provider/cli.ts",
        "--port",
        `${login}`,
        "--data",
        folders.login,
        ...["--web-url", webUrl, "--staff-url", staffUrl, "--ciba", "ping"],
        ...["--require-par", "--test-controls"],
      ],
      {
        ready: "The identity provider is ready",
        // It tells the bank's pages what a customer's app has answered.
        environment: { NODE_EXTRA_CA_CERTS: issuers },
      },
    ),
  ]);
  const database = await starting;
  const coreClient = path.join(folders.core, "client.pem");
  await run(shutdown, ["--max-semi-space-size=16", "lib/server/launch.mjs"], {
    ready: "Drawbridge is ready",
    environment: {
      SANDBOX: "false",
      NODE_ENV: "production",
      DATA_DIR: dataDir,
      XS2A_PORT: `${tpp}`,
      WEB_PORT: `${browser}`,
      XS2A_URL: `https://localhost:${tpp}`,
      WEB_URL: webUrl,
      STAFF_PORT: `${staff}`,
      STAFF_URL: staffUrl,
      DATABASE_URL: database.serverUrl,
      MIGRATION_DATABASE_URL: database.url,
      MIGRATE_AT_START: "true",
      XS2A_TLS_CERT: certificate,
      XS2A_TLS_KEY: certificate,
      TRUST_ANCHORS: issuers,
      REVOCATION_ORIGINS: webUrl,
      NODE_EXTRA_CA_CERTS: issuers,
      ...(await sandboxSecrets(dataDir, {})),
      CORE_BANK_URL: `https://localhost:${core}`,
      CORE_BANK_TLS_CERT: coreClient,
      CORE_BANK_TLS_KEY: coreClient,
      CORE_BANK_TLS_CA: path.join(folders.core, "ca.pem"),
      PSU_SCA: values.sca,
      ...(values.sms !== undefined && { SMS_GATEWAY_URL: values.sms }),
      ...(values.profile !== undefined && { BANK_PROFILE: path.resolve(values.profile) }),
      IDP_ISSUER: `https://localhost:${login}`,
      IDP_CLIENT_ID: "drawbridge",
      IDP_CLIENT_KEY: path.join(folders.login, "client-key.pem"),
      IDP_CA: path.join(folders.login, "ca.pem"),
      IDP_ACR_LOGIN: ACR_LOGIN,
      IDP_ACR_SCA: ACR_SCA,
      IDP_AUTHORIZATION_DETAILS: DETAILS_TYPE,
      IDP_CIBA: "ping",
      BANK_API_PORT: `${bankApi}`,
      BANK_API_TLS_CERT: certificate,
      BANK_API_TLS_KEY: certificate,
      BANK_API_ISSUER: `https://localhost:${login}${SYSTEMS}`,
      BANK_API_AUDIENCE,
      BANK_API_JWKS_URL: `https://localhost:${login}${SYSTEMS}/jwks`,
      BANK_API_JWKS_CA: path.join(folders.login, "ca.pem"),
      STAFF_IDP_ISSUER: `https://localhost:${login}`,
      STAFF_IDP_CLIENT_ID: "drawbridge-staff",
      STAFF_IDP_CLIENT_KEY: path.join(folders.login, "client-key.pem"),
      STAFF_IDP_CA: path.join(folders.login, "ca.pem"),
      STAFF_IDP_ACR: ACR_SCA,
      STAFF_OPERATOR_CLAIM: "preferred_username",
    },
  });
  await proxy(shutdown, tls, { from: pages, to: browser, dataDir });
  await proxy(shutdown, tls, { from: staffPages, to: staff, dataDir });
  console.log(`
Drawbridge runs as in production.

  TPPs call        https://localhost:${tpp}
  PSUs open        ${webUrl} (the browser warns: its authority is made up)
  Staff open       ${staffUrl}/staff (ioana, ioana-sandbox; radu, radu-sandbox)
  PSUs sign in at  https://localhost:${login} (ana, ana-sandbox), the bank's app is its page /app

  Next, in another terminal:

  DATA_DIR=${dataDir} XS2A_PORT=${tpp} WEB_URL=${webUrl} npm run tpp -- accounts

  As one of the bank's systems (docs/bank-api.md):

  token=$(curl -sS --cacert ${path.join(folders.login, "ca.pem")} -u ${SYSTEM_CLIENT}:${SYSTEM_SECRET} \\
    -d grant_type=client_credentials -d scope=tpps:read https://localhost:${login}${SYSTEMS}/token | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
  curl -sS --cacert ${issuers} -H "authorization: Bearer $token" https://localhost:${bankApi}/bank/v1/tpps

  Ctrl-C stops everything; the next start takes the data up again.
`);
}

const webUrlOf = (port: number) => `https://localhost:${port}`;

type Program = {
  readonly ready: string;
  readonly environment?: Readonly<Record<string, string>>;
};

/** Starts a program, and resolves when it says that it is ready; all end together. */
async function run(
  shutdown: Shutdown,
  args: readonly string[],
  { ready, environment = {} }: Program,
): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: ROOT,
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      NODE_ENV: "production",
      ...environment,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = once(child, "exit");
  shutdown.onStop({
    finish: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
      await gone;
    },
  });
  let output = "";
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(ready)) resolve();
    });
    void gone.then(() => reject(new Error(`${args.at(-1)} did not start:\n${output}`)));
  });
}

type Proxied = { readonly from: number; readonly to: number; readonly dataDir: string };

/**
 * TLS for the pages; docs/operate.md has it for nginx and HAProxy. Beside it the throwaway authority answers for the
 * TPPs' certificates.
 */
async function proxy(
  shutdown: Shutdown,
  tls: { readonly cert: string; readonly key: string },
  { from, to, dataDir }: Proxied,
): Promise<void> {
  const answerStatus = certificateStatus(dataDir);
  const server = createServer(tls, (incoming, answer) => {
    if (answerStatus(incoming, answer)) return;
    const headers = { ...incoming.headers, "x-forwarded-for": incoming.socket.remoteAddress };
    const { method, url: path } = incoming;
    const onward = request({ host: "127.0.0.1", port: to, method, path, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
    });
    onward.on("error", () => answer.writeHead(502).end());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(from, "127.0.0.1", resolve);
  });
  shutdown.onStop({
    finish: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

if (process.argv.includes("--help") || process.argv.includes("-h")) console.log(HELP);
else await runUntilStopped(start, newShutdown());
