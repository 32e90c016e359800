import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { completeConfig, readSettings } from "@/lib/config";
import type { PsuId } from "@/lib/domain/values";
import { identityProvider } from "./identity-provider";

type Said = readonly [status: number, body: object];
const over: (() => void)[] = [];
afterEach(() => {
  for (const stop of over.splice(0)) stop();
});

function settingsOf<Client extends { readonly IDP_ISSUER: string; readonly IDP_CLIENT_ID: string }>(
  client: Client,
) {
  const made = { DATABASE_URL: "postgres://localhost/none", TOKEN_SIGNING_KEY: "none" };
  const secret = "a secret of more than thirty-two characters";
  const secrets = { COOKIE_SECRET: secret, SESSION_SECRET: secret, CODE_SECRET: secret };
  const env = { PSU_LOGIN: "oidc", TRUST_ANCHORS: "none", ...client, ...made, ...secrets };
  return { ...completeConfig(readSettings(env)), ...client };
}

/** The app behind a provider that gives these answers, one to each question about a request. */
async function appOf(interval: number | undefined, ...said: Said[]) {
  const server = createServer((request, response) => {
    const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
    const metadata = {
      issuer,
      token_endpoint: `${issuer}/token`,
      backchannel_authentication_endpoint: `${issuer}/ciba`,
    };
    const others: Readonly<Record<string, Said>> = {
      "/.well-known/openid-configuration": [200, metadata],
      "/ciba": [200, { auth_req_id: "request", expires_in: 300, interval }],
    };
    const [status, body] = others[request.url ?? "/"] ?? said.shift() ?? [500, {}];
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  over.push(() => server.close().closeAllConnections());
  const IDP_ISSUER = `http://localhost:${(server.address() as AddressInfo).port}`;
  const client = { IDP_ISSUER, IDP_CLIENT_ID: "drawbridge", IDP_CLIENT_SECRET: "s3cret" };
  const { approvalApp } = identityProvider(settingsOf(client), () => undefined);
  const asked = await approvalApp.ask({
    ...{ customerId: "ana" as PsuId, text: "text", reference: "ABCD", hash: "hash" },
    ...{ notificationToken: "token", expirySeconds: 300 },
  });
  return { asked, answer: () => approvalApp.answerTo("request", 0) };
}

it.each([
  ["of another curve", generateKeyPairSync("ec", { namedCurve: "P-384" })],
  ["of another kind", generateKeyPairSync("ed25519")],
  ["too short", generateKeyPairSync("rsa", { modulusLength: 1_024 })],
])(
  "a client key %s is refused when it is read, and ends no process",
  async (_what, { privateKey }) => {
    const folder = await mkdtemp(path.join(tmpdir(), "drawbridge-provider-"));
    over.push(() => void rm(folder, { recursive: true }));
    const fit = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
    const IDP_CLIENT_KEY = path.join(folder, "client.pem");
    const pem = [fit, privateKey]
      .map((key) => key.export({ type: "pkcs8", format: "pem" }))
      .join("");
    await writeFile(IDP_CLIENT_KEY, pem);
    const client = { IDP_ISSUER: "https://localhost", IDP_CLIENT_ID: "drawbridge", IDP_CLIENT_KEY };
    const made = () => identityProvider(settingsOf(client), () => undefined);
    expect(made).toThrow("a key is neither RSA of 2048 bits or more nor EC P-256");
  },
);

const pending: Said = [400, { error: "authorization_pending" }];
const slowDown: Said = [400, { error: "slow_down" }];

describe("the bank's app, as the provider tells of it (OpenID CIBA)", () => {
  it("is asked about at the pace that the provider names, and slower after each slow_down", async () => {
    const { asked, answer } = await appOf(7, pending, slowDown, pending, slowDown);
    expect(asked).toEqual({ outcome: "asked", requestId: "request", pollSeconds: 7 });
    for (const pollSeconds of [7, 12, 12, 17]) {
      expect(await answer()).toEqual({ outcome: "pending", pollSeconds });
    }
  });

  it("is asked about every five seconds where the provider names no pace", async () => {
    const { answer } = await appOf(undefined, pending);
    expect(await answer()).toEqual({ outcome: "pending", pollSeconds: 5 });
  });

  it.each([
    [400, "access_denied", "refused"],
    [400, "expired_token", "approval-expired"],
    [400, "invalid_grant", "not-proved"],
    [503, "temporarily_unavailable", "provider-unavailable"],
    [401, "invalid_client", "provider-unavailable"],
    [429, undefined, "provider-unavailable"],
  ])("%i %s: %s", async (status, error, outcome) => {
    const { answer } = await appOf(5, [status, { error }]);
    expect(await answer()).toEqual({ outcome });
  });
});
