import { createHash, createPrivateKey, type KeyObject, sign, X509Certificate } from "node:crypto";
import { statSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type BaseBlock,
  BitString,
  Constructed,
  Enumerated,
  fromBER,
  GeneralizedTime,
  Integer,
  ObjectIdentifier,
  OctetString,
  Primitive,
  Sequence,
  UTCTime,
} from "asn1js";
import { oncePerTurn } from "@/lib/cache";
import type { Config } from "@/lib/config";
import { addTime, type Clock } from "@/lib/domain/values";
import type { Revocation } from "@/lib/eidas/revocation";
import { readIfThere } from "./certificate-authority";
import { readUpTo } from "./clock";

type StatusServices = {
  readonly config: Pick<Config, "SANDBOX" | "DATA_DIR">;
  readonly clock: Clock;
};

const REQUEST_BYTES_MAX = 4_096;

/** The sandbox CA's OCSP responder: the request by POST, or in base64 at the end of the address. */
export async function serveOcsp(
  services: StatusServices,
  request: Request,
  inPath?: string,
): Promise<Response> {
  const authority = await authorityOf(services);
  if (authority === undefined) return nothingHere();
  const asked =
    inPath === undefined ? await readUpTo(request, REQUEST_BYTES_MAX) : fromPath(inPath);
  if (asked === undefined) return new Response(null, { status: 413 });
  const { signer, revoked, now } = authority;
  return der(answerOcsp(asked, signer, { revoked, now }), "application/ocsp-response");
}

/** The list of what the sandbox CA has revoked. */
export async function serveCrl(services: StatusServices): Promise<Response> {
  const authority = await authorityOf(services);
  if (authority === undefined) return nothingHere();
  const { signer, revoked, now } = authority;
  return der(crl(signer, revoked, now), "application/pkix-crl");
}

async function authorityOf({ config, clock }: StatusServices) {
  if (!config.SANDBOX) return undefined;
  const directory = join(config.DATA_DIR, "ca");
  const signer = await readSigner(directory);
  return signer && { signer, revoked: await revokedIn(directory), now: await clock.now() };
}

/** RFC 6960 A.1: base64, percent-encoded. Anything else is an unreadable request, and answered so in DER. */
function fromPath(text: string): Uint8Array | undefined {
  const base64 = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const bytes = new Uint8Array(Buffer.from(base64, "base64"));
  return bytes.byteLength > REQUEST_BYTES_MAX ? undefined : bytes;
}

function der(bytes: Uint8Array, type: string): Response {
  return new Response(new Uint8Array(bytes), { headers: { "content-type": type } });
}

function nothingHere(): Response {
  return new Response("there is nothing at this address\n", { status: 404 });
}

const BASIC = "1.3.6.1.5.5.7.48.1.1";
const digests: Readonly<Record<string, string>> = {
  "1.3.14.3.2.26": "sha1",
  "2.16.840.1.101.3.4.2.1": "sha256",
};
const malformedRequest = 1;

/** RFC 6960: the status of each certificate that was asked about; DER in, DER out. */
export function answerOcsp(
  request: Uint8Array,
  signer: Signer,
  { revoked, now }: { readonly revoked: readonly Revoked[]; readonly now: Date },
): Uint8Array {
  const asked = certificateIds(request);
  if (asked === undefined) return failedResponse(malformedRequest);
  const answers = asked.map((id) => singleResponse(id, { signer, revoked, now }));
  const content = new Sequence({
    value: [tagged(1, [subjectOf(signer)]), ocspTime(now), new Sequence({ value: answers })],
  });
  const response = signed(content, signer).toBER();
  const bytes = new Sequence({
    value: [new ObjectIdentifier({ value: BASIC }), new OctetString({ valueHex: response })],
  });
  const whole = new Sequence({ value: [new Enumerated({ value: 0 }), tagged(0, [bytes])] });
  return new Uint8Array(whole.toBER());
}

function failedResponse(status: number): Uint8Array {
  return new Uint8Array(new Sequence({ value: [new Enumerated({ value: status })] }).toBER());
}

/** The CertIDs of a request; undefined when it is none. */
function certificateIds(request: Uint8Array): readonly Sequence[] | undefined {
  const list = childrenOf(childrenOf(treeOf(request))[0]).find((part) => part instanceof Sequence);
  const ids = childrenOf(list).map((single) => childrenOf(single)[0]);
  const whole = ids.filter((id) => id instanceof Sequence);
  return whole.length === 0 || whole.length !== ids.length ? undefined : whole;
}

/** The library throws at some bytes and says of others that it has not come to their end. */
function treeOf(request: Uint8Array): BaseBlock | undefined {
  try {
    const { offset, result } = fromBER(new Uint8Array(request), { parseEmbedded: false });
    return offset === request.byteLength ? result : undefined;
  } catch {
    return undefined;
  }
}

type About = { readonly signer: Signer; readonly revoked: readonly Revoked[]; readonly now: Date };

function singleResponse(id: Sequence, { signer, revoked, now }: About): Sequence {
  const found = revoked.find(({ serialNumber }) => serialNumber === serialNumberOf(id));
  return new Sequence({
    value: [
      id,
      statusOf(isOurs(id, signer), found),
      ocspTime(now),
      tagged(0, [ocspTime(addTime(now, STATUS_HOURS, "hour"))]),
    ],
  });
}

/** good [0], revoked [1] since when, unknown [2]: of another issuer's certificates it knows nothing. */
function statusOf(ours: boolean, revoked: Revoked | undefined): BaseBlock {
  if (!ours) return new Primitive({ idBlock: { tagClass: 3, tagNumber: 2 } });
  if (revoked === undefined) return new Primitive({ idBlock: { tagClass: 3, tagNumber: 0 } });
  return tagged(1, [ocspTime(revoked.at)]);
}

function isOurs(id: Sequence, { certificate }: Signer): boolean {
  const [algorithm, , keyHash] = childrenOf(id);
  const [name] = childrenOf(algorithm);
  const digest = name instanceof ObjectIdentifier ? digests[name.getValue()] : undefined;
  if (digest === undefined || !(keyHash instanceof OctetString)) return false;
  const { result } = fromBER(
    new Uint8Array(certificate.publicKey.export({ type: "spki", format: "der" })),
    { parseEmbedded: false },
  );
  const bits = childrenOf(result)[1];
  if (!(bits instanceof BitString)) return false;
  const own = createHash(digest).update(bits.valueBlock.valueHexView).digest();
  return own.equals(keyHash.valueBlock.valueHexView);
}

function serialNumberOf(id: Sequence): bigint | undefined {
  const serialNumber = childrenOf(id)[3];
  return serialNumber instanceof Integer ? serialNumber.toBigInt() : undefined;
}

function ocspTime(instant: Date): GeneralizedTime {
  return new GeneralizedTime({ valueDate: inSeconds(instant) });
}

function tagged(tagNumber: number, value: BaseBlock[]): Constructed {
  return new Constructed({ idBlock: { tagClass: 3, tagNumber }, value });
}

function childrenOf(value: BaseBlock | undefined): readonly BaseBlock[] {
  return value instanceof Sequence || value instanceof Constructed ? value.valueBlock.value : [];
}

const CRL_NUMBER = "2.5.29.20";
const STATUS_HOURS = 1;

/** RFC 5280 5.1: all that the CA has revoked. */
export function crl(signer: Signer, revoked: readonly Revoked[], now: Date): Uint8Array {
  const entries = revoked.map(
    ({ serialNumber, at }) =>
      new Sequence({ value: [Integer.fromBigInt(serialNumber), crlTime(at)] }),
  );
  const content = new Sequence({
    value: [
      new Integer({ value: 1 }),
      algorithm(),
      subjectOf(signer),
      crlTime(now),
      crlTime(addTime(now, STATUS_HOURS, "hour")),
      // An empty list is left out, as the RFC wants it.
      ...(entries.length > 0 ? [new Sequence({ value: entries })] : []),
      new Constructed({
        idBlock: { tagClass: 3, tagNumber: 0 },
        value: [new Sequence({ value: [crlNumber(now)] })],
      }),
    ],
  });
  return new Uint8Array(signed(content, signer).toBER());
}

/** RFC 5280 5.1.2.4: four digits of the year from 2050 on, where the sandbox's clock can be moved to. */
function crlTime(instant: Date): UTCTime {
  const valueDate = inSeconds(instant);
  return valueDate.getUTCFullYear() < 2050
    ? new UTCTime({ valueDate })
    : new GeneralizedTime({ valueDate });
}

/** It has to grow with each list; the seconds of the epoch do. */
function crlNumber(now: Date): Sequence {
  const number = Integer.fromBigInt(BigInt(Math.floor(now.getTime() / 1_000)));
  return new Sequence({
    value: [
      new ObjectIdentifier({ value: CRL_NUMBER }),
      new OctetString({ valueHex: new Uint8Array(number.toBER()) }),
    ],
  });
}

type Issuer = Parameters<Revocation["check"]>[0]["issuer"];

/**
 * What the sandbox's own CA has revoked is known here, so no request is made: a certificate of an old
 * data folder, made when this host had another address, stays valid. Other issuers are asked as always.
 */
export function withOwnAuthority(elsewhere: Revocation, authorityDirectory: string): Revocation {
  const revokedNow = followRevoked(authorityDirectory);
  let own: X509Certificate | undefined;
  const known = new WeakMap<Issuer, boolean>();
  // By the key: a CA that has renewed its own certificate is the same CA.
  const isOwn = (issuer: Issuer, { publicKey }: X509Certificate) => {
    const is = known.get(issuer) ?? publicKey.equals(issuer.publicKey);
    known.set(issuer, is);
    return is;
  };
  return {
    check: async (issued, asked) => {
      own ??= (await readSigner(authorityDirectory))?.certificate;
      if (own === undefined || !isOwn(issued.issuer, own)) return elsewhere.check(issued, asked);
      const revoked = await revokedNow();
      const { serialNumber } = issued.certificate;
      return revoked.some((one) => one.serialNumber === serialNumber) ? "revoked" : "good";
    },
  };
}

/** A certificate that the sandbox CA has revoked. */
type Revoked = { readonly serialNumber: bigint; readonly at: Date };

const LINE = /^([0-9a-f]{2,40}) (\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)$/;

/** A line is appended for each, so that concurrent processes lose nothing. */
function fileIn(authorityDirectory: string): string {
  return join(authorityDirectory, "revoked");
}

export async function revoke(
  authorityDirectory: string,
  { serialNumber, at }: Revoked,
): Promise<void> {
  const line = `${serialNumber.toString(16).padStart(2, "0")} ${at.toISOString()}\n`;
  await appendFile(fileIn(authorityDirectory), line);
}

/** Each once, as of the first time. Throws an Error when a line is unreadable: half a list revokes half. */
export async function revokedIn(authorityDirectory: string): Promise<readonly Revoked[]> {
  const text = await readIfThere(fileIn(authorityDirectory));
  if (text === undefined) return [];
  const all = text.split("\n").filter(Boolean).map(fromLine);
  const bySerialNumber = new Map(all.toReversed().map((one) => [one.serialNumber, one]));
  return [...bySerialNumber.values()];
}

/** The same, cached: read again only when something was appended. */
function followRevoked(authorityDirectory: string): () => Promise<readonly Revoked[]> {
  const file = fileIn(authorityDirectory);
  let known: { readonly of: string; readonly all: readonly Revoked[] } | undefined;
  // Of the two certificates of a request, and of all requests of one instant.
  const stateOfFile = oncePerTurn(() => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : "none";
  });
  return async () => {
    // Looked at before it is read: what is appended in between is read at the next request.
    const of = stateOfFile();
    if (known?.of !== of) known = { of, all: await revokedIn(authorityDirectory) };
    return known.all;
  };
}

function fromLine(line: string): Revoked {
  const [, serialNumber, at] = LINE.exec(line) ?? [];
  if (serialNumber === undefined || at === undefined) {
    throw new Error("sandbox CA: its list of revoked certificates is unreadable");
  }
  return { serialNumber: BigInt(`0x${serialNumber}`), at: new Date(at) };
}

/** What signs answers: the CA of the folder itself. */
export type Signer = { readonly certificate: X509Certificate; readonly key: KeyObject };

const ECDSA_SHA_256 = "1.2.840.10045.4.3.2";

/** Undefined where the sandbox has no CA of its own. */
export async function readSigner(authorityDirectory: string): Promise<Signer | undefined> {
  const read = (name: string) => readIfThere(join(authorityDirectory, name));
  const [certificate, key] = await Promise.all([read("ca.pem"), read("ca.key")]);
  if (certificate === undefined || key === undefined) return undefined;
  return { certificate: new X509Certificate(certificate), key: createPrivateKey(key) };
}

/** RFC 5280 and 6960 want times without fractions of a second. */
export function inSeconds(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / 1_000) * 1_000);
}

export function algorithm(): Sequence {
  return new Sequence({ value: [new ObjectIdentifier({ value: ECDSA_SHA_256 })] });
}

/** Content, algorithm and signature: the form of certificates, lists and OCSP responses alike. */
export function signed(content: Sequence, { key }: Signer): Sequence {
  const bytes = new Uint8Array(content.toBER());
  const signature = new Uint8Array(sign("sha256", bytes, key));
  return new Sequence({ value: [content, algorithm(), new BitString({ valueHex: signature })] });
}

/** The CA's name as it is encoded in its certificate. */
export function subjectOf({ certificate }: Signer): BaseBlock {
  const { result } = fromBER(new Uint8Array(certificate.raw), { parseEmbedded: false });
  const tbs = (result as Sequence).valueBlock.value[0] as Sequence;
  const subject = tbs.valueBlock.value[5];
  if (subject === undefined) throw new Error("sandbox CA: its certificate is unreadable");
  return subject;
}
