import { createPrivateKey, type KeyObject, sign, X509Certificate } from "node:crypto";
import { statSync } from "node:fs";
import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type BaseBlock,
  BitString,
  Constructed,
  Enumerated,
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
import { elements, readDer } from "@/lib/eidas/asn1";
import { subjectOf } from "@/lib/eidas/certificate";
import { issuerHashes, OCSP_BASIC, readCertificateId } from "@/lib/eidas/ocsp";
import type { Revocation } from "@/lib/eidas/revocation";
import { readIfThere, replaceFile } from "@/lib/files";
import { readUpTo } from "@/lib/read-body";

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
    inPath === undefined ? await readUpTo(request.body, REQUEST_BYTES_MAX) : fromPath(inPath);
  if (asked === undefined) return new Response(null, { status: 413 });
  const { signer, revoked, now } = authority;
  return der(answerOcsp(asked, signer, { revoked, now }), "application/ocsp-response");
}

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

const malformedRequest = 1;

/** RFC 6960: the status of each certificate that was asked about; DER in, DER out. */
export function answerOcsp(
  request: Uint8Array,
  signer: Signer,
  { revoked, now }: { readonly revoked: readonly Revoked[]; readonly now: Date },
): Uint8Array {
  const asked = certificateIds(request);
  if (asked.length === 0) return encoded(sequence(new Enumerated({ value: malformedRequest })));
  const until = tagged(0, ocspTime(addTime(now, STATUS_HOURS, "hour")));
  const answers = asked.map((id) =>
    sequence(id, statusOf(id, signer, revoked), ocspTime(now), until),
  );
  const content = sequence(
    tagged(1, subjectOf(signer.certificate)),
    ocspTime(now),
    sequence(...answers),
  );
  const response = new OctetString({ valueHex: encoded(signed(content, signer)) });
  const bytes = sequence(new ObjectIdentifier({ value: OCSP_BASIC }), response);
  return encoded(sequence(new Enumerated({ value: 0 }), tagged(0, bytes)));
}

/** The CertIDs of a request; none when it is unreadable. */
function certificateIds(request: Uint8Array): readonly BaseBlock[] {
  try {
    const [tbsRequest] = elements(readDer(request));
    const list = elements(tbsRequest).find((part) => part instanceof Sequence);
    const ids = elements(list).flatMap((single) => elements(single).slice(0, 1));
    ids.forEach(readCertificateId);
    return ids;
  } catch {
    // Not only a CertificateFault: at some bytes the library itself throws.
    return [];
  }
}

/** good [0], revoked [1] since when, unknown [2]: of another issuer's certificates it knows nothing. */
function statusOf(id: BaseBlock, { certificate }: Signer, revoked: readonly Revoked[]): BaseBlock {
  const { digest, keyHash, serialNumber } = readCertificateId(id);
  const own = digest === undefined ? undefined : issuerHashes(certificate.raw, digest).keyHash;
  if (own === undefined || !Buffer.from(own).equals(keyHash)) {
    return new Primitive({ idBlock: { tagClass: 3, tagNumber: 2 } });
  }
  const found = revoked.find((one) => one.serialNumber === serialNumber);
  if (found === undefined) return new Primitive({ idBlock: { tagClass: 3, tagNumber: 0 } });
  return tagged(1, ocspTime(found.at));
}

function ocspTime(instant: Date): GeneralizedTime {
  return new GeneralizedTime({ valueDate: inSeconds(instant) });
}

function sequence(...value: BaseBlock[]): Sequence {
  return new Sequence({ value });
}

function tagged(tagNumber: number, value: BaseBlock): Constructed {
  return new Constructed({ idBlock: { tagClass: 3, tagNumber }, value: [value] });
}

function encoded(value: BaseBlock): Uint8Array<ArrayBuffer> {
  return new Uint8Array(value.toBER());
}

const CRL_NUMBER = "2.5.29.20";
const STATUS_HOURS = 1;

/** RFC 5280 5.1: all that the CA has revoked. */
export function crl(signer: Signer, revoked: readonly Revoked[], now: Date): Uint8Array {
  const entries = revoked.map(({ serialNumber, at }) =>
    sequence(Integer.fromBigInt(serialNumber), crlTime(at)),
  );
  const content = sequence(
    new Integer({ value: 1 }),
    algorithm(),
    subjectOf(signer.certificate),
    crlTime(now),
    crlTime(addTime(now, STATUS_HOURS, "hour")),
    // An empty list is left out, as the RFC wants it.
    ...(entries.length > 0 ? [sequence(...entries)] : []),
    tagged(0, sequence(crlNumber(now))),
  );
  return encoded(signed(content, signer));
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
  const value = new OctetString({ valueHex: encoded(number) });
  return sequence(new ObjectIdentifier({ value: CRL_NUMBER }), value);
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
      return revoked.has(issued.certificate.serialNumber) ? "revoked" : "good";
    },
  };
}

type Revoked = { readonly serialNumber: bigint; readonly at: Date };

const LINE = /^([0-9a-f]{2,40}) (\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)$/;

/** Anybody may order revoked certificates. Beyond it the older half is forgotten: those certificates are good again. */
export const revokedMax = 2_000;

/** A line is appended for each, so that concurrent processes lose nothing. */
function fileIn(authorityDirectory: string): string {
  return join(authorityDirectory, "revoked");
}

export async function revoke(
  authorityDirectory: string,
  { serialNumber, at }: Revoked,
): Promise<void> {
  const line = `${serialNumber.toString(16).padStart(2, "0")} ${at.toISOString()}\n`;
  const file = fileIn(authorityDirectory);
  await appendFile(file, line);
  const lines = (await readFile(file, "utf8")).split(/(?<=\n)/);
  if (lines.length <= revokedMax) return;
  await replaceFile(file, lines.slice(-revokedMax / 2).join(""));
}

/** Each once, as of the first time. Throws an Error when a line is unreadable: half a list revokes half. */
export async function revokedIn(authorityDirectory: string): Promise<readonly Revoked[]> {
  const text = await readIfThere(fileIn(authorityDirectory));
  if (text === undefined) return [];
  const all = text.split("\n").filter(Boolean).map(fromLine);
  const bySerialNumber = new Map(all.toReversed().map((one) => [one.serialNumber, one]));
  return [...bySerialNumber.values()];
}

/** Their serial numbers, cached: read again only when something was appended. */
function followRevoked(authorityDirectory: string): () => Promise<ReadonlySet<bigint>> {
  const file = fileIn(authorityDirectory);
  let known: { readonly of: string; readonly all: ReadonlySet<bigint> } | undefined;
  // Of the two certificates of a request, and of all requests of one instant.
  const stateOfFile = oncePerTurn(() => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : "none";
  });
  return async () => {
    // Looked at before it is read: what is appended in between is read at the next request.
    const of = stateOfFile();
    if (known?.of !== of) {
      const revoked = await revokedIn(authorityDirectory);
      known = { of, all: new Set(revoked.map(({ serialNumber }) => serialNumber)) };
    }
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
  return sequence(new ObjectIdentifier({ value: ECDSA_SHA_256 }));
}

/** Content, algorithm and signature: the form of certificates, lists and OCSP responses alike. */
export function signed(content: Sequence, { key }: Signer): Sequence {
  const valueHex = new Uint8Array(sign("sha256", encoded(content), key));
  return sequence(content, algorithm(), new BitString({ valueHex }));
}
