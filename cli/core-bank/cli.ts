// biome-ignore-all lint/style/noRestrictedImports: it is the embedded ledger in a process of its own

import { mkdir, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import path from "node:path";
import { parseArgs } from "node:util";
import { ledger } from "@/lib/core-bank/ledger/core-bank";
import { paymentExecution } from "@/lib/core-bank/ledger/payment-execution";
import { addTime } from "@/lib/domain/values";
import { log } from "@/lib/log";
import { connect } from "@/lib/postgres/client";
import { migrate } from "@/lib/postgres/migrate";
import { bankProfile } from "@/lib/profile/in-force";
import { fillDemoLedger } from "@/lib/sandbox/demo-bank";
import { loadServerCertificate } from "@/lib/sandbox/server-certificate";
import { startEmbeddedDatabase } from "@/lib/server/embedded-database";
import { newShutdown, repeat, runUntilStopped, type Shutdown } from "@/lib/server/processes";
import { sandboxAuthority } from "@/lib/server/tls";
import { systemClock } from "@/lib/system-clock";
import { serveCoreBank } from "./serve";

const HELP = `npm run core-bank -- [OPTIONS]

The embedded ledger as a core bank of its own: its own process and database, over the contract
(docs/core-bank.openapi.yaml) and mutual TLS. It has the customers and accounts of the demo bank.

  --port PORT     where it listens on this machine; default 9443
  --host NAME     of other machines too, with a certificate for this name
  --data DIR      its database, certificates and keys; default .data/core-bank
  --database URL  a database for it alone, in place of its own`;

const options = {
  port: { type: "string", default: "9443" },
  host: { type: "string" },
  database: { type: "string" },
  data: { type: "string", default: path.join(".data", "core-bank") },
  help: { type: "boolean", short: "h", default: false },
} as const;

const CONNECTIONS = 4;
/** A sandbox's clock can be moved: Drawbridge says with each call what it is there. */
const CLOCK_HEADER = "sandbox-clock";

async function start(shutdown: Shutdown): Promise<void> {
  const { values } = parseArgs({ options });
  const dataDir = path.resolve(values.data);
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  const now = await systemClock.now();
  const authority = await sandboxAuthority(dataDir, now);
  const own = { file: path.join(dataDir, "server.pem"), host: values.host ?? "localhost", now };
  const { cert, key } = await loadServerCertificate(authority, own);
  const client = { file: path.join(dataDir, "client.pem"), host: "drawbridge", now };
  await loadServerCertificate(authority, client);
  const authorityFile = path.join(dataDir, "ca.pem");
  await writeFile(authorityFile, authority.certificatePem);

  const url = values.database ?? (await ownDatabase(dataDir, shutdown));
  await migrate(url);
  const { db, close } = connect(url, { max: CONNECTIONS });
  shutdown.onStop({ finish: close });
  await fillDemoLedger(db, now);

  let aheadMs = 0;
  const clock = async () => addTime(await systemClock.now(), aheadMs / 1_000, "second");
  const profile = bankProfile();
  const execution = paymentExecution(db, profile);
  const { executionEverySeconds: everySeconds, executionRowsAtOnce } = profile.payments;
  const turn = async () => (await execution.advance(await clock(), executionRowsAtOnce)).steps > 0;
  shutdown.onStop({ finish: repeat({ everySeconds, turn }).stop });

  const serve = serveCoreBank({
    bank: ledger(db, profile),
    now: async ({ headers }: IncomingMessage) => {
      const said = Date.parse(String(headers[CLOCK_HEADER]));
      if (!Number.isNaN(said)) aheadMs = said - (await systemClock.now()).getTime();
      return clock();
    },
    onFault: (err) => log.error({ err }, "a request of the contract could not be answered"),
  });
  const server = createServer(
    { cert, key, ca: authority.certificatePem, requestCert: true, rejectUnauthorized: true },
    serve,
  );
  await new Promise<void>((resolve, reject) => {
    server
      .once("error", reject)
      .listen(Number(values.port), values.host === undefined ? "127.0.0.1" : "::", resolve);
  });
  shutdown.onStop({
    finish: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), 2_000).unref();
      }),
  });
  console.log(`
The core bank is ready. In another terminal, Drawbridge in front of it:

  CORE_BANK_URL=https://${values.host ?? "localhost"}:${values.port} \\
  CORE_BANK_TLS_CERT=${client.file} CORE_BANK_TLS_KEY=${client.file} \\
  CORE_BANK_TLS_CA=${authorityFile} npm start
`);
}

async function ownDatabase(dataDir: string, shutdown: Shutdown): Promise<string> {
  // Registered before it runs: a Ctrl-C in the middle must not leave it running.
  const starting = startEmbeddedDatabase({ dataDir });
  shutdown.onStop({ finish: async () => (await starting.catch(() => undefined))?.stop() });
  return (await starting).url;
}

if (process.argv.includes("--help") || process.argv.includes("-h")) console.log(HELP);
else await runUntilStopped(start, newShutdown());
