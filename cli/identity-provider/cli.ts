import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import path from "node:path";
import { parseArgs } from "node:util";
import type * as jose from "jose";
import { calculateJwkThumbprint } from "jose";
import type { JWK } from "oidc-provider";
import { loadServerCertificate } from "@/lib/sandbox/server-certificate";
import { newShutdown, runUntilStopped, type Shutdown } from "@/lib/server/processes";
import { sandboxAuthority } from "@/lib/server/tls";
import { systemClock } from "@/lib/system-clock";
import { ACR_LOGIN, ACR_SCA, DETAILS_TYPE, standIn } from "./provider";

const HELP = `npm run identity-provider -- [OPTIONS]

A bank's OpenID Connect provider to try Drawbridge with: the customers of the demo bank sign in (ana, ana-sandbox),
confirm on its page, or in the bank's app, which is its page /app. It keeps nothing.

  --port PORT       where it listens on this machine; default 9444
  --host NAME       of other machines too, at this name
  --data DIR        its certificate and the client's key; default .data/identity-provider
  --web-url URL     Drawbridge's browser host; default http://localhost:3000
  --staff-url URL   its staff console, where ioana (ioana-sandbox) and radu sign in; default http://localhost:3001
  --ciba MODE       poll or ping; default poll
  --require-par     takes pushed authorisation requests alone
  --test-controls   POST /control sets a fault of the next answer`;

const options = {
  port: { type: "string", default: "9444" },
  host: { type: "string" },
  data: { type: "string", default: path.join(".data", "identity-provider") },
  "web-url": { type: "string", default: "http://localhost:3000" },
  "staff-url": { type: "string", default: "http://localhost:3001" },
  ciba: { type: "string", default: "poll" },
  "require-par": { type: "boolean", default: false },
  "test-controls": { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

async function start(shutdown: Shutdown): Promise<void> {
  const { values } = parseArgs({ options });
  const dataDir = path.resolve(values.data);
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  const now = await systemClock.now();
  const authority = await sandboxAuthority(dataDir, now);
  const own = { file: path.join(dataDir, "server.pem"), host: values.host ?? "localhost", now };
  const { cert, key } = await loadServerCertificate(authority, own);
  const authorityFile = path.join(dataDir, "ca.pem");
  await writeFile(authorityFile, authority.certificatePem);
  const clientKey = path.join(dataDir, "client-key.pem");
  const issuer = `https://${values.host ?? "localhost"}:${values.port}`;
  const handle = await standIn({
    issuer,
    clientJwk: await clientJwk(clientKey),
    redirectUris: [`${values["web-url"]}/identity/callback/bank`],
    staffRedirectUris: [`${values["staff-url"]}/staff/identity/callback/bank`],
    ciba: values.ciba === "ping" ? "ping" : "poll",
    notificationEndpoint: `${values["web-url"]}/identity/notification`,
    requirePar: values["require-par"],
    testControls: values["test-controls"],
  });
  const server = createServer({ cert, key }, (request, response) => void handle(request, response));
  await new Promise<void>((resolve, reject) => {
    server
      .once("error", reject)
      .listen(Number(values.port), values.host === undefined ? "127.0.0.1" : "::", resolve);
  });
  shutdown.onStop({
    finish: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
  console.log(`
The identity provider is ready: ${issuer}, and the bank's app: ${issuer}/app

  PSU_LOGIN=oidc PSU_SCA=oidc,ciba IDP_ISSUER=${issuer} IDP_CLIENT_ID=drawbridge \\
  IDP_CLIENT_KEY=${clientKey} IDP_CA=${authorityFile} \\
  IDP_ACR_LOGIN=${ACR_LOGIN} IDP_ACR_SCA=${ACR_SCA} \\
  IDP_AUTHORIZATION_DETAILS=${DETAILS_TYPE} npm start

For the staff console besides:

  STAFF_IDP_ISSUER=${issuer} STAFF_IDP_CLIENT_ID=drawbridge-staff STAFF_IDP_CLIENT_KEY=${clientKey} \\
  STAFF_IDP_CA=${authorityFile} STAFF_IDP_ACR=${ACR_SCA} STAFF_OPERATOR_CLAIM=preferred_username
`);
}

/** Made once; Drawbridge signs with it. */
async function clientJwk(file: string): Promise<JWK> {
  const pem = await readFile(file, "utf8").catch(() => undefined);
  const made = pem ?? newKey();
  if (pem === undefined) await writeFile(file, made, { mode: 0o600 });
  const jwk = createPublicKey(createPrivateKey(made)).export({ format: "jwk" });
  const kid = await calculateJwkThumbprint(jwk as jose.JWK);
  return { ...jwk, kid, alg: "PS256", use: "sig" } as JWK;
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

if (process.argv.includes("--help") || process.argv.includes("-h")) console.log(HELP);
else await runUntilStopped(start, newShutdown());
