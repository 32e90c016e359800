import "reflect-metadata";
import { KeyObject, sign } from "node:crypto";
import { BasicConstraintsExtension, X509CertificateGenerator } from "@peculiar/x509";
import { describe, expect, it } from "vitest";
import type { Passkey, PasskeyAssertion, PasskeyRegistration } from "@/lib/domain/passkeys";
import { authenticator, type Cbor, enrolled } from "@/lib/domain/testing/authenticator";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import { ana } from "@/lib/domain/testing/samples";
import { passkeyVerifier } from "./passkey-verifier";

const verifier = passkeyVerifier("http://localhost:3000");
const challenge = Buffer.from("a challenge of thirty-two bytes!").toString("base64url");
const other = Buffer.from("another challenge of 32 bytes!!!").toString("base64url");

async function known() {
  const { passkey, device } = await enrolled(inMemoryBank().ports, ana);
  const verify = (assertion: PasskeyAssertion, changed: Partial<Passkey> = {}) =>
    verifier.verify(assertion, { passkey: { ...passkey, ...changed }, challenge });
  return { passkey, device, verify };
}

describe("a passkey's signature", () => {
  it("counts when it is over the challenge, at the bank's address, with the user made sure of", async () => {
    const { device, verify } = await known();
    expect(await verify(device.use(challenge))).toEqual({ counter: 2 });
  });

  it("may say whom the device believes to be its user, if that is the PSU", async () => {
    const { device, verify } = await known();
    const userHandle = verifier.userHandle(ana);
    expect(await verify(device.use(challenge, { userHandle }))).toBeDefined();
    expect(await verify(device.use(challenge, { userHandle: "bm9ib2R5" }))).toBeUndefined();
    expect(userHandle).not.toContain(ana);
  });

  it.each([
    ["over another challenge", {}, other],
    ["of another web address", { origin: "https://localhost:3000" }, challenge],
    ["of another port of the bank's host", { origin: "http://localhost:3001" }, challenge],
    ["for another host", { rpId: "bank.example" }, challenge],
    ["from within another's page", { crossOrigin: true }, challenge],
    ["that makes a passkey", { type: "webauthn.create" }, challenge],
    ["without the user made sure of", { userVerified: false }, challenge],
    ["without the user there", { userPresent: false }, challenge],
    ["whose counter stands still", { counter: 1 }, challenge],
    ["whose counter goes back", { counter: 0 }, challenge],
  ])("does not count: %s", async (_what, said, signed) => {
    const { device, verify } = await known();
    expect(await verify(device.use(signed, said))).toBeUndefined();
  });

  it("does not count when another key has made it, or another credential is named", async () => {
    const { device, verify } = await known();
    const stranger = authenticator();
    const { credentialId } = device.use(challenge);
    const assertion = stranger.use(challenge, { counter: 9 });
    expect(await verify({ ...assertion, credentialId })).toBeUndefined();
    expect(await verify(device.use(challenge), { credentialId: "another" })).toBeUndefined();
  });

  it("does not count when a byte of it is another, or it is no signature at all", async () => {
    const { device, verify } = await known();
    const assertion = device.use(challenge);
    for (const field of ["clientDataJson", "authenticatorData", "signature"] as const) {
      for (const text of [defective(assertion[field]), "AAAA", "%", "e30"]) {
        expect([field, await verify({ ...assertion, [field]: text })]).toEqual([field, undefined]);
      }
    }
    expect(await verify(assertion)).toBeDefined();
  });

  it("needs no counter of devices that do not count", async () => {
    const device = authenticator({ counting: false });
    const { passkey } = await enrolled(inMemoryBank().ports, ana, device);
    const verify = () => verifier.verify(device.use(challenge), { passkey, challenge });
    expect([await verify(), await verify()]).toEqual([{ counter: 0 }, { counter: 0 }]);
  });
});

describe("a new passkey", () => {
  const verifyNew = (registration: PasskeyRegistration) =>
    verifier.verifyNew(registration, { challenge });

  it("is known by its own id and key", async () => {
    const registration = authenticator().make(challenge);
    const { credentialId } = registration;
    expect(await verifyNew(registration)).toMatchObject({ credentialId, counter: 1 });
  });

  it.each([
    ["for another challenge", {}, other],
    ["at another web address", { origin: "http://evil.example" }, challenge],
    ["for another host", { rpId: "evil.example" }, challenge],
    ["from within another's page", { crossOrigin: true }, challenge],
    ["by a signature only", { type: "webauthn.get" }, challenge],
    ["without the user made sure of", { userVerified: false }, challenge],
    ["without the user there", { userPresent: false }, challenge],
  ])("is not taken: made %s", async (_what, said, asked) => {
    expect(await verifyNew(authenticator().make(asked, said))).toBeUndefined();
  });

  it("is not taken under another's id, nor when it cannot be read", async () => {
    const registration = authenticator().make(challenge);
    expect(await verifyNew({ ...registration, credentialId: "another" })).toBeUndefined();
    expect(await verifyNew({ ...registration, attestationObject: "AAAA" })).toBeUndefined();
  });

  it("may vouch for itself", async () => {
    const registration = authenticator().make(challenge, {}, (signed, key) => {
      const sig = sign("sha256", signed, key);
      return ["packed", new Map<string, Cbor>(Object.entries({ alg: -7, sig }))];
    });
    expect(await verifyNew(registration)).toBeDefined();
  });

  it("is not taken with its maker's certificate: what that names would be fetched", async () => {
    const { privateKey, certificate } = await maker();
    const attested = authenticator().make(challenge, {}, (signed) => {
      const sig = sign("sha256", signed, privateKey);
      return [
        "packed",
        new Map<string, Cbor>(Object.entries({ alg: -7, sig, x5c: [certificate] })),
      ];
    });
    expect(await verifyNew(attested)).toBeUndefined();
  });
});

/** Of devices, as the format `packed` wants it: without the check above it would be believed. */
async function maker() {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const { rawData } = await X509CertificateGenerator.createSelfSigned({
    name: "C=RO, O=Maker, OU=Authenticator Attestation, CN=Device",
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - 86_400_000),
    notAfter: new Date(Date.now() + 86_400_000),
    extensions: [new BasicConstraintsExtension(false)],
  });
  return {
    privateKey: KeyObject.from(keys.privateKey),
    certificate: new Uint8Array(rawData),
  };
}

function defective(text: string): string {
  const bytes = Buffer.from(text, "base64url");
  const middle = Math.floor(bytes.byteLength / 2);
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
  return bytes.toString("base64url");
}
