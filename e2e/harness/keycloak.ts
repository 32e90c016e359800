import { spawn, spawnSync } from "node:child_process";
import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { demoCustomers } from "@/lib/sandbox/demo-bank-people";
import { steadyPort } from "./steady-port";

const VERSION = "26.7.3";
const SHA1 = "1e21a7f572581692aacb379dbba8413f99b67208";
const NAME = `keycloak-quarkus-dist-${VERSION}`;
const URL_OF = `https://repo1.maven.org/maven2/org/keycloak/keycloak-quarkus-dist/${VERSION}/${NAME}.zip`;
const CACHE = join(homedir(), ".cache", "drawbridge");
const HOME = join(CACHE, `keycloak-${VERSION}`);
/** In milliseconds; the first start builds, and other campaigns run beside it. */
const START_PATIENCE = 600_000;

/** Base32 of this text is what an authenticator app would be given. */
const TOKEN_SECRET = "drawbridge-token-secret";

type AppRequest = { readonly token: string; readonly bindingMessage: string };

/** Why Keycloak cannot be had here; undefined when it can. */
export async function noKeycloak(): Promise<string | undefined> {
  if (spawnSync("java", ["-version"]).status !== 0) return "there is no Java here";
  if (existsSync(HOME)) return undefined;
  await mkdir(CACHE, { recursive: true });
  const archive = join(CACHE, `${NAME}.zip`);
  try {
    const answer = await fetch(URL_OF, { signal: AbortSignal.timeout(120_000) });
    if (!answer.ok) return `Maven Central answers ${answer.status} for ${NAME}`;
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (createHash("sha1").update(bytes).digest("hex") !== SHA1) return `${NAME} is another file`;
    await writeFile(archive, bytes);
  } catch (error) {
    return `Maven Central cannot be reached (${String(error)})`;
  }
  return spawnSync("unzip", ["-q", archive, "-d", CACHE]).status === 0
    ? undefined
    : "the archive cannot be unpacked";
}

export type RunningKeycloak = Awaited<ReturnType<typeof startKeycloak>>;

/** A realm with the customers of the demo bank: password, a token for the higher level, and an app asked over HTTP. */
export async function startKeycloak(dataDir: string, webUrl: string) {
  const port = await steadyPort();
  const asked: AppRequest[] = [];
  const channel = createServer((request, response) => {
    void takeAppRequest(request).then((taken) => {
      asked.push(taken);
      response.writeHead(201).end();
    });
  }).listen(0, "localhost");
  await once(channel, "listening");
  const { port: channelPort } = channel.address() as AddressInfo;
  await mkdir(dataDir, { recursive: true });
  await writeFile(join(dataDir, "realm.json"), JSON.stringify(realm(webUrl)));
  const child = spawn(
    "bash",
    [
      "-c",
      `cp -r ${HOME} ${dataDir}/kc && mkdir -p ${dataDir}/kc/data/import && mv ${dataDir}/realm.json ${dataDir}/kc/data/import/ && exec ${dataDir}/kc/bin/kc.sh start-dev --import-realm --http-port=${port} --health-enabled=false --spi-ciba-auth-channel--ciba-http-auth-channel--http-authentication-channel-uri=http://localhost:${channelPort}/`,
    ],
    { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, JAVA_OPTS_APPEND: "-Xmx512m" } },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const issuer = `http://localhost:${port}/realms/bank`;
  const end = Date.now() + START_PATIENCE;
  while (!(await answers(`${issuer}/.well-known/openid-configuration`))) {
    if (child.exitCode !== null || Date.now() > end) throw new Error(output.slice(-3_000));
    await sleep(500);
  }
  return {
    output: () => output,
    settings: {
      PSU_LOGIN: "oidc",
      PSU_SCA: "oidc,ciba",
      IDP_ISSUER: issuer,
      IDP_CLIENT_ID: "drawbridge",
      IDP_CLIENT_KEY: await clientKey(dataDir),
      IDP_SCOPE: "openid profile",
      IDP_CUSTOMER_CLAIM: "preferred_username",
      IDP_ACR_LOGIN: "login",
      IDP_ACR_SCA: "sca",
      // Keycloak gives an answer of the app the lowest level, and 50 characters to what the app shows.
      IDP_ACR_CIBA: "login",
      IDP_BINDING_MESSAGE: "reference",
    },
    /** What waits in the app, oldest first. */
    asked,
    /** The customer's answer, as the app's server tells it. */
    answer: async ({ token }: AppRequest, status: "SUCCEED" | "UNAUTHORIZED") => {
      const url = `${issuer}/protocol/openid-connect/ext/ciba/auth/callback`;
      const answer = await fetch(url, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ status }),
      });
      if (!answer.ok) throw new Error(`Keycloak answers ${answer.status}`);
    },
    stop: async () => {
      channel.close();
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await gone;
    },
  };
}

async function takeAppRequest(request: IncomingMessage): Promise<AppRequest> {
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "none")?.[1] ?? "none";
  const body = (await json(request)) as { readonly binding_message?: string };
  return { token, bindingMessage: body.binding_message ?? "none" };
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function clientKey(dataDir: string): Promise<string> {
  const file = join(dataDir, "client-key.pem");
  const args = ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", file];
  spawnSync("openssl", args);
  await readFile(file);
  return file;
}

/** What the customer's token shows now (RFC 6238). */
export function tokenCode(now = Date.now()): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)));
  const digest = createHmac("sha1", TOKEN_SECRET).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  const number = digest.readUInt32BE(offset) & 0x7f_ff_ff_ff;
  return String(number % 1_000_000).padStart(6, "0");
}

const levels = JSON.stringify({ login: 1, sca: 2 });

function realm(webUrl: string) {
  const step = (authenticator: string, priority: number, more: object = {}) => ({
    ...{ authenticator, priority, requirement: "REQUIRED", authenticatorFlow: false },
    ...more,
  });
  const flow = (alias: string, topLevel: boolean, authenticationExecutions: readonly object[]) => ({
    ...{ alias, topLevel, builtIn: false, providerId: "basic-flow", authenticationExecutions },
  });
  const subFlow = (flowAlias: string, priority: number, requirement: string) => ({
    ...{ flowAlias, priority, requirement, authenticatorFlow: true },
  });
  const level = (name: string, number: number) => [
    step("conditional-level-of-authentication", 10, { authenticatorConfig: name }),
    step(number === 1 ? "auth-username-password-form" : "auth-otp-form", 20),
  ];
  return {
    realm: "bank",
    enabled: true,
    sslRequired: "none",
    attributes: {
      "acr.loa.map": levels,
      cibaBackchannelTokenDeliveryMode: "poll",
      cibaExpiresIn: "300",
      cibaInterval: "5",
      cibaAuthRequestedUserHint: "login_hint",
    },
    browserFlow: "step-up",
    authenticationFlows: [
      flow("step-up", true, [subFlow("levels", 10, "ALTERNATIVE")]),
      flow("levels", false, [subFlow("one", 10, "CONDITIONAL"), subFlow("two", 20, "CONDITIONAL")]),
      flow("one", false, level("level 1", 1)),
      flow("two", false, level("level 2", 2)),
    ],
    authenticatorConfig: [1, 2].map((number) => ({
      alias: `level ${number}`,
      config: { "loa-condition-level": `${number}`, "loa-max-age": "0" },
    })),
    clients: [
      {
        clientId: "drawbridge",
        clientAuthenticatorType: "client-jwt",
        publicClient: false,
        standardFlowEnabled: true,
        redirectUris: [`${webUrl}/identity/callback/bank`],
        attributes: {
          "use.jwks.url": "true",
          "jwks.url": `${webUrl}/identity/keys`,
          "token.endpoint.auth.signing.alg": "PS256",
          "pkce.code.challenge.method": "S256",
          "acr.loa.map": levels,
          "oidc.ciba.grant.enabled": "true",
          "ciba.backchannel.token.delivery.mode": "poll",
        },
      },
    ],
    // The user name is the core bank's id of the customer, whom a request to the app names by it; PSUs sign in by email.
    users: [demoCustomers.ana, demoCustomers.mihai].map(({ id, userId }) => ({
      username: id,
      email: `${userId}@bank.example`,
      emailVerified: true,
      firstName: userId,
      lastName: "Customer",
      enabled: true,
      credentials: [
        { type: "password", value: `${userId}-sandbox` },
        {
          type: "otp",
          secretData: JSON.stringify({ value: TOKEN_SECRET }),
          credentialData: JSON.stringify({
            ...{ subType: "totp", digits: 6, counter: 0, period: 30, algorithm: "HmacSHA1" },
          }),
        },
      ],
    })),
  };
}
