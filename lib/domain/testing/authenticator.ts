import {
  createHash,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  randomUUID,
  sign,
} from "node:crypto";
import type { PasskeyAssertion, PasskeyId, PasskeyRegistration } from "../passkeys";
import type { Ports } from "../ports";
import type { PsuId } from "../values";
import { now } from "./samples";

/** What a device, or somebody in its place, says besides the challenge. */
type Said = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly crossOrigin?: boolean;
  readonly userVerified?: boolean;
  readonly userPresent?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
};

/** What is said of the device's maker, about these bytes. */
type Attestation = (
  signed: Uint8Array,
  key: KeyObject,
) => readonly [format: string, statement: ReadonlyMap<string, Cbor>];

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest();

/** A device with one passkey (ES256), which makes real signatures; it counts them unless told not to. */
export function authenticator({ counting = true } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16);
  let signatures = 0;

  const clientData = (type: string, challenge: string, said: Said) => {
    const origin = said.origin ?? "http://localhost:3000";
    const { crossOrigin = false } = said;
    return Buffer.from(JSON.stringify({ type: said.type ?? type, challenge, origin, crossOrigin }));
  };

  const authenticatorData = (said: Said, made?: Uint8Array) => {
    if (counting) signatures += 1;
    const { userPresent = true, userVerified = true, counter = signatures } = said;
    const flags = (userPresent ? 1 : 0) | (userVerified ? 4 : 0) | (made === undefined ? 0 : 64);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const head = [sha256(said.rpId ?? "localhost"), Buffer.from([flags]), count];
    return Buffer.concat([...head, made ?? Buffer.alloc(0)]);
  };

  /** Signs the challenge. */
  const use = (challenge: string, said: Said = {}): PasskeyAssertion => {
    const client = clientData("webauthn.get", challenge, said);
    const data = authenticatorData(said);
    const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
    return {
      credentialId: base64url(id),
      clientDataJson: base64url(client),
      authenticatorData: base64url(data),
      signature: base64url(signature),
      ...(said.userHandle !== undefined && { userHandle: said.userHandle }),
    };
  };

  /** Makes the passkey known; without an attestation, unless one is given. */
  const make = (
    challenge: string,
    said: Said = {},
    attest: Attestation = () => ["none", new Map()],
  ): PasskeyRegistration => {
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    const coseKey = new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, "base64url")],
      [-3, Buffer.from(y, "base64url")],
    ]);
    const credential = [Buffer.alloc(16), Buffer.from([0, id.byteLength]), id, cbor(coseKey)];
    const authData = authenticatorData(said, Buffer.concat(credential));
    const client = clientData("webauthn.create", challenge, said);
    const [fmt, attStmt] = attest(Buffer.concat([authData, sha256(client)]), privateKey);
    const attested = new Map<string, Cbor>(Object.entries({ fmt, attStmt, authData }));
    return {
      credentialId: base64url(id),
      clientDataJson: base64url(client),
      attestationObject: base64url(cbor(attested)),
      transports: ["internal"],
    };
  };
  return { use, make };
}

export type Authenticator = ReturnType<typeof authenticator>;

/** Has a PSU enrol a device. */
export async function enrolled(
  { passkeys, passkeyVerifier }: Pick<Ports, "passkeys" | "passkeyVerifier">,
  psuId: PsuId,
  device: Authenticator = authenticator(),
) {
  const challenge = base64url(randomBytes(32));
  const made = await passkeyVerifier.verifyNew(device.make(challenge), { challenge });
  if (made === undefined) throw new Error("the device was not understood");
  const id = randomUUID() as string as PasskeyId;
  const passkey = { ...made, id, psuId, name: "Phone", transports: ["internal"], createdAt: now };
  const added = await passkeys.add(passkey, 10);
  if (added !== "passkey-added") throw new Error(added);
  return { passkey, device };
}

export type Cbor =
  | number
  | string
  | Uint8Array
  | readonly Cbor[]
  | ReadonlyMap<number | string, Cbor>;

/** RFC 8949, as far as authenticators need it: whole numbers, texts, bytes, lists and maps. */
function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") {
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  }
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.byteLength), value]);
  if (value instanceof Map) {
    const pairs = [...value].flatMap(([key, inside]: [Cbor, Cbor]) => [cbor(key), cbor(inside)]);
    return Buffer.concat([head(5, value.size), ...pairs]);
  }
  const list = [...(value as readonly Cbor[])];
  return Buffer.concat([head(4, list.length), ...list.map(cbor)]);
}

function head(type: number, count: number): Buffer {
  const kind = type << 5;
  if (count < 24) return Buffer.from([kind + count]);
  if (count < 256) return Buffer.from([kind + 24, count]);
  return Buffer.from([kind + 25, count >> 8, count & 0xff]);
}
