import { createHash, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { type JWTHeaderParameters, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { accessTokens } from "./access-tokens";

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const publicKey = createPublicKey(privateKey);
const issuer = "https://xs2a.bank.example";
const audience = `${issuer}/open-banking`;
const tokens = accessTokens({ publicKey }, { issuer, audience });

const claims = {
  iss: issuer,
  aud: audience,
  sub: "5c1e8b1a-6a0e-4bb0-9f39-0c1a5d9c2f11",
  client_id: "PSDRO-NBR-1234567",
  scope: "AIS:7f1d2c3b-4a5e-4f60-8b71-92a3b4c5d6e7",
  iat: 1_700_000_000,
  exp: 1_700_000_900,
  cnf: { "x5t#S256": "thumbprint" },
  jti: "token",
  grant: "hash of its grant",
};
const header = { alg: "ES256", typ: "at+jwt" };

const signed = (
  changes: object = {},
  by: { header?: JWTHeaderParameters; key?: KeyObject | Uint8Array } = {},
) =>
  new SignJWT({ ...claims, ...changes })
    .setProtectedHeader(by.header ?? header)
    .sign(by.key ?? privateKey);

describe("an access token", () => {
  it("is read even when it has expired: the reader says so to the TPP", async () => {
    expect(await tokens.read(await signed())).toEqual({
      clientId: "PSDRO-NBR-1234567",
      scope: "AIS:7f1d2c3b-4a5e-4f60-8b71-92a3b4c5d6e7",
      authorisationId: "5c1e8b1a-6a0e-4bb0-9f39-0c1a5d9c2f11",
      expiresAt: new Date(1_700_000_900_000),
      thumbprint: "thumbprint",
      grantHash: "hash of its grant",
      hash: createHash("sha256").update("token").digest("base64url"),
    });
  });

  it("S6: that was read before is read again, and nothing that differs from it in a letter", async () => {
    const token = await signed();
    const first = await tokens.read(token);
    expect(await tokens.read(token)).toEqual(first);
    const [head, payload, signature = ""] = token.split(".");
    const other = signature.startsWith("A") ? "B" : "A";
    for (const forged of [
      `${head}.${payload}.${other}${signature.slice(1)}`,
      `${head}.${payload}.`,
      `${head}.${payload}`,
    ]) {
      expect(await tokens.read(forged)).toBeUndefined();
      expect(await tokens.read(forged)).toBeUndefined();
    }
  });

  it("is of its own bank, however often another bank has read it", async () => {
    const elsewhere = accessTokens({ publicKey }, { issuer: "https://other.example", audience });
    const token = await signed();
    expect(await tokens.read(token)).toBeDefined();
    expect(await elsewhere.read(token)).toBeUndefined();
  });

  it.each<[string, object]>([
    ["of another issuer", { iss: "https://other.example" }],
    ["for another audience", { aud: "https://other.example" }],
    ["without an audience", { aud: undefined }],
    ["without a scope", { scope: undefined }],
    ["with two scopes", { scope: "AIS:1 PIS:2" }],
    ["without an end", { exp: undefined }],
    ["without a client", { client_id: undefined }],
    ["without a subject", { sub: undefined }],
    ["without an id of its own", { jti: undefined }],
    ["without a grant", { grant: undefined }],
    ["not bound to a certificate", { cnf: undefined }],
    ["bound to a key instead", { cnf: { jkt: "thumbprint" } }],
    ["bound to nothing readable", { cnf: { "x5t#S256": 1 } }],
  ])("is unknown when it is %s", async (_name, changes) => {
    expect(await tokens.read(await signed(changes))).toBeUndefined();
  });

  it("is unknown when somebody else signed it", async () => {
    const { privateKey: key } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    expect(await tokens.read(await signed({}, { key }))).toBeUndefined();
  });

  it("S6: is unknown under another algorithm, also with the public key as a secret", async () => {
    const key = Buffer.from(publicKey.export({ type: "spki", format: "pem" }));
    const hmac = await signed({}, { key, header: { alg: "HS256", typ: "at+jwt" } });
    expect(await tokens.read(hmac)).toBeUndefined();
    const [, payload] = (await signed()).split(".");
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url");
    expect(await tokens.read(`${none}.${payload}.`)).toBeUndefined();
  });

  it("is unknown when it is another kind of JWT", async () => {
    const idToken = await signed({}, { header: { alg: "ES256", typ: "JWT" } });
    expect(await tokens.read(idToken)).toBeUndefined();
  });

  it.each(["", "a", "a.b.c", "\u0000", "x".repeat(10_000)])(
    "is unknown when it is no JWT",
    async (text) => {
      expect(await tokens.read(text)).toBeUndefined();
    },
  );
});
