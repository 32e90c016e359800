import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Boolean as Asn1Boolean,
  type BaseBlock,
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
import { addTime } from "@/lib/domain/values";
import { guardedFetch } from "@/lib/outbound/guarded-fetch";
import { loadCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import {
  algorithm,
  inSeconds,
  readSigner,
  type Signer,
  signed,
} from "@/lib/sandbox/certificate-status";
import { qwacParts } from "@/lib/sandbox/tpp-certificates";
import {
  type CertificateParts,
  certificatePem,
  distinguishedName,
  ExtendedKeyUsageExtension,
  Extension,
  type Issuer,
  issueCertificate,
  KeyUsageFlags,
  KeyUsagesExtension,
  makeEcKeys,
  privateKeyPem,
  X509Certificate,
} from "@/lib/sandbox/x509";
import { type Certificate, readCertificate, subjectOf } from "../certificate";
import { certificateId } from "../ocsp";
import { type Revocation, type RevocationMode, revocation } from "../revocation";
import type { FetchStatus, Issued, LookUpFault } from "../status-answer";

/** PEM files of a signer of answers. */
type SignerFiles = { readonly certificate: string; readonly key: string };

export type TestIssuer = Awaited<ReturnType<typeof startIssuer>>;

/** A CA in a folder of its own, whose files OpenSSL can use, and TPP certificates of it. */
export async function startIssuer(now: Date) {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-issuer-"));
  const authority = await loadCertificateAuthority(join(folder, "ca"), now);
  const tppKeys = await makeEcKeys();
  const own = { certificate: join(folder, "ca/ca.pem"), key: join(folder, "ca/ca.key") };

  async function writeSigner(name: string, pem: string, keys: CryptoKeyPair) {
    const files = { certificate: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) };
    await writeFile(files.certificate, pem);
    await writeFile(files.key, await privateKeyPem(keys.privateKey));
    return files;
  }

  const signer = await readSigner(join(folder, "ca"));
  if (signer === undefined) throw new Error("no CA");

  return {
    folder,
    authority,
    signer,
    own,
    certificate: read(authority.certificatePem),

    tpp: async (): Promise<Certificate> => {
      const request = { id: "PSDRO-NBR-1", name: "Tpp", roles: ["PSP_AI"], now } as const;
      const parts = qwacParts(request, tppKeys.publicKey);
      return read(certificatePem(await issueCertificate(authority, parts)));
    },

    /** A certificate for answering in the CA's name, or one with a defect. */
    responder: async (
      name: string,
      changes: Partial<CertificateParts> & { readonly issuer?: Issuer } = {},
    ): Promise<SignerFiles> => {
      const keys = await makeEcKeys();
      const { issuer = authority, ...changed } = changes;
      const parts = { ...responderParts(keys, now), ...changed };
      return writeSigner(name, certificatePem(await issueCertificate(issuer, parts)), keys);
    },

    close: () => rm(folder, { recursive: true, force: true }),
  };
}

export const responderExtensions = {
  keyUsage: new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
  extendedKeyUsage: new ExtendedKeyUsageExtension(["1.3.6.1.5.5.7.3.9"]),
  noCheck: new Extension("1.3.6.1.5.5.7.48.1.5", false, Uint8Array.of(5, 0)),
};

/** The certificate as if it named these addresses: they are known only when somebody listens there. */
export function naming(
  certificate: Certificate,
  { ocsp = [], crl = [] }: { readonly ocsp?: readonly string[]; readonly crl?: readonly string[] },
): Certificate {
  return { ...certificate, ocspUrls: ocsp, crlUrls: crl };
}

function responderParts({ publicKey }: CryptoKeyPair, now: Date): CertificateParts {
  return {
    subject: distinguishedName(["C", "RO"], ["CN", "Responder"]),
    publicKey,
    notBefore: addTime(now, -1, "hour"),
    notAfter: addTime(now, 30, "day"),
    extensions: responderExtensions,
  };
}

function read(pem: string): Certificate {
  return readCertificate(new Uint8Array(new X509Certificate(pem).rawData));
}

type Addresses = Parameters<typeof naming>[1];

/** Asks over the network as the bank does, of these sources on loopback. */
export function asking(
  mode: RevocationMode,
  places: Addresses,
  millisecondsMax = 10_000,
): {
  readonly revocation: Revocation;
  readonly faults: readonly LookUpFault[];
  readonly naming: (certificate: Certificate) => Certificate;
} {
  const faults: LookUpFault[] = [];
  const urls = [...(places.ocsp ?? []), ...(places.crl ?? [])];
  const allowedOrigins = urls.map((url) => new URL(url).origin);
  const fetch: FetchStatus = guardedFetch({ allowedOrigins, millisecondsMax });
  return {
    revocation: revocation({ mode, fetch, onFault: (fault) => faults.push(fault) }),
    faults,
    naming: (certificate) => naming(certificate, places),
  };
}

export const OCSP = "http://ocsp.example/";
export const LIST = "http://lists.example/ca.crl";

export const nothing = () => Promise.reject(new Error("no answer"));

/** An issuer, two certificates that name the same two places, and what those places can say. */
export async function startStubs(now: Date) {
  const issuer = await startIssuer(now);
  const { signer } = issuer;
  const places = { ocsp: [OCSP], crl: [LIST] };
  const certificate = async () => naming(await issuer.tpp(), places);
  const issued = (one: Certificate) => ({ certificate: one, issuer: issuer.certificate });
  const answerOf =
    (one: Certificate, said: Omit<Answer, "issued">, when = now) =>
    async () =>
      ocspAnswer(signer, { answers: [{ issued: issued(one), ...said }], now: when });
  return {
    issuer,
    issued,
    tpp: await certificate(),
    other: await certificate(),
    goodOf: (one: Certificate, when: Date, seconds = 3_600) =>
      answerOf(one, { nextUpdate: addTime(when, seconds, "second") }, when),
    revokedOf: (one: Certificate) => answerOf(one, { status: revokedStatus(now) }),
    unknownOf: (one: Certificate) => answerOf(one, { status: unknownStatus() }),
    listOf: (when: Date, ...serialNumbers: readonly bigint[]) => {
      const entries = serialNumbers.map((serialNumber) => ({ serialNumber }));
      return async () => signedList(signer, { now: when, entries });
    },
    bank: (mode: RevocationMode = "hard") => bankWith(issuer, mode, now),
  };
}

/** A bank that asks these places, each of which answers as it is told to at the time. */
function bankWith(issuer: TestIssuer, mode: RevocationMode, now: Date) {
  const asked: string[] = [];
  const faults: LookUpFault[] = [];
  const accepted: Certificate[] = [];
  const answers: Record<string, () => Promise<Uint8Array>> = {};
  const fetch: FetchStatus = async ({ url }) => {
    asked.push(url);
    return (answers[url] ?? nothing)();
  };
  const { check } = revocation({
    mode,
    fetch,
    onFault: (fault) => faults.push(fault),
    onUnknownAccepted: (certificate) => accepted.push(certificate),
  });
  return {
    asked,
    faults,
    /** Each certificate that was told to be accepted although its status is unknown. */
    accepted,
    answers,
    check,
    verdict: (certificate: Certificate, when = now, hard = false) =>
      check({ certificate, issuer: issuer.certificate }, { hard, now: when }),
  };
}

/** A server on loopback that answers as told, and counts how often it was asked. */
export async function startSource(answer: RequestListener) {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/status`,
    asked: () => asked,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

export const answering =
  (bytes: Uint8Array, status = 200): RequestListener =>
  (_request, response) => {
    response.writeHead(status).end(bytes);
  };

export type Answer = {
  readonly issued: Issued;
  readonly status?: BaseBlock;
  readonly thisUpdate?: BaseBlock;
  readonly nextUpdate?: Date;
  readonly extensions?: BaseBlock;
};

type Response = {
  readonly answers: readonly Answer[];
  readonly now: Date;
  readonly extensions?: BaseBlock;
  readonly certificates?: readonly BaseBlock[];
  readonly type?: string;
};

/** A response as an issuer would sign it that writes odd things: good for an hour by default. */
export function ocspAnswer(signer: Signer, response: Response): Uint8Array {
  const { answers, now, extensions, certificates, type = "1.3.6.1.5.5.7.48.1.1" } = response;
  const content = new Sequence({
    value: [
      tagged(1, [subjectOf(signer.certificate)]),
      time(now),
      new Sequence({ value: answers.map((answer) => single(answer, now)) }),
      ...(extensions === undefined ? [] : [tagged(1, [extensions])]),
    ],
  });
  const basic = signed(content, signer);
  if (certificates !== undefined) {
    basic.valueBlock.value.push(tagged(0, [new Sequence({ value: [...certificates] })]));
  }
  const octets = new OctetString({ valueHex: basic.toBER() });
  const bytes = new Sequence({ value: [new ObjectIdentifier({ value: type }), octets] });
  return whole(0, tagged(0, [bytes]));
}

/** Only that it did not succeed. */
export function ocspFailure(status: number): Uint8Array {
  return whole(status);
}

export const revokedStatus = (at: Date): BaseBlock => tagged(1, [time(at)]);
const time = (instant: Date): BaseBlock => new GeneralizedTime({ valueDate: inSeconds(instant) });

export function extensions(
  id: string,
  critical: boolean,
  content: ArrayBuffer | Uint8Array<ArrayBuffer> = Uint8Array.of(5, 0),
): BaseBlock {
  const flag = critical ? [new Asn1Boolean({ value: true })] : [];
  const octets = new OctetString({ valueHex: content });
  const extension = [new ObjectIdentifier({ value: id }), ...flag, octets];
  return new Sequence({ value: [new Sequence({ value: extension })] });
}

export function tagged(tagNumber: number, value: BaseBlock[]): Constructed {
  return new Constructed({ idBlock: { tagClass: 3, tagNumber }, value });
}

function single(answer: Answer, now: Date): Sequence {
  const good = new Primitive({ idBlock: { tagClass: 3, tagNumber: 0 } });
  const { issued, status = good, thisUpdate = time(now), extensions } = answer;
  const { nextUpdate = addTime(now, 1, "hour") } = answer;
  return new Sequence({
    value: [
      certificateId(issued),
      status,
      thisUpdate,
      tagged(0, [time(nextUpdate)]),
      ...(extensions === undefined ? [] : [tagged(1, [extensions])]),
    ],
  });
}

function whole(status: number, ...rest: BaseBlock[]): Uint8Array {
  return new Uint8Array(
    new Sequence({ value: [new Enumerated({ value: status }), ...rest] }).toBER(),
  );
}

function unknownStatus(): BaseBlock {
  return new Primitive({ idBlock: { tagClass: 3, tagNumber: 2 } });
}

type ListEntry = {
  readonly serialNumber: bigint;
  /** RFC 5280 5.3.1, e.g. 6 for certificateHold. */
  readonly reason?: number;
  readonly extensions?: BaseBlock;
};

type List = {
  readonly now: Date;
  readonly entries?: readonly ListEntry[];
  readonly name?: BaseBlock;
  /** For an hour when not given; null leaves the end out. */
  readonly nextUpdate?: Date | null;
  readonly extensions?: BaseBlock;
  /** What comes after all of it. */
  readonly more?: readonly BaseBlock[];
};

/** A list as an issuer would sign it that writes odd things. */
export function signedList(signer: Signer, list: List): Uint8Array {
  const { now, entries = [], name = subjectOf(signer.certificate), extensions, more = [] } = list;
  const { nextUpdate = addTime(now, 1, "hour") } = list;
  const parts = [
    new Integer({ value: 1 }),
    algorithm(),
    name,
    new UTCTime({ valueDate: now }),
    ...(nextUpdate === null ? [] : [new UTCTime({ valueDate: nextUpdate })]),
    ...(entries.length === 0
      ? []
      : [new Sequence({ value: entries.map((one) => entry(one, now)) })]),
    ...(extensions === undefined ? [] : [tagged(0, [extensions])]),
    ...more,
  ];
  return new Uint8Array(signed(new Sequence({ value: parts }), signer).toBER());
}

function entry({ serialNumber, reason, extensions: given }: ListEntry, now: Date): Sequence {
  const said = reason === undefined ? given : reasonCode(reason);
  return new Sequence({
    value: [
      Integer.fromBigInt(serialNumber),
      new UTCTime({ valueDate: now }),
      ...(said === undefined ? [] : [said]),
    ],
  });
}

function reasonCode(reason: number): BaseBlock {
  return extensions("2.5.29.21", false, new Enumerated({ value: reason }).toBER());
}

export const hasOpenssl = existsSync("/usr/bin/openssl");

/** What OpenSSL prints. Throws an Error when it fails. */
export function openssl(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("openssl", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`openssl ${args[0]}: ${stderr}`);
  return stdout + stderr;
}

/** An entry of OpenSSL's own register of certificates: valid, or revoked for a reason. */
export type Entry = { readonly certificate: Certificate; readonly revoked?: string };

export async function writeIndex(file: string, entries: readonly Entry[]): Promise<void> {
  const lines = entries.map(({ certificate: { serialNumber }, revoked }) => {
    const serial = serialNumber.toString(16).toUpperCase();
    const state = revoked === undefined ? "V\t351231235959Z\t" : `R\t351231235959Z\t${revoked}`;
    return `${state}\t${serial.padStart(serial.length + (serial.length % 2), "0")}\tunknown\t/CN=Tpp\n`;
  });
  await writeFile(file, lines.join(""));
}

type Responder = {
  readonly url: string;
  readonly stop: () => Promise<void>;
};

/** `openssl ocsp` as a responder on a free port. */
export async function startResponder(
  issuer: TestIssuer,
  entries: readonly Entry[],
  { signer = issuer.own, options = ["-nmin", "60"] }: ResponderOptions = {},
): Promise<Responder> {
  const index = join(issuer.folder, `index-${crypto.randomUUID()}.txt`);
  await writeIndex(index, entries);
  const signing = ["-rsigner", signer.certificate, "-rkey", signer.key];
  const known = ["-index", index, "-CA", issuer.own.certificate];
  const child = spawn("openssl", ["ocsp", "-port", "0", ...known, ...signing, ...options]);
  const port = await portOf(child);
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: async () => {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}

type ResponderOptions = { readonly signer?: SignerFiles; readonly options?: readonly string[] };

/** It says where it listens: `ACCEPT [::]:41771 PID=17901`. */
function portOf({ stdout, stderr }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    for (const stream of [stdout, stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        said += chunk.toString();
        const port = /ACCEPT \S+:(\d+)/.exec(said)?.[1];
        if (port !== undefined) resolve(port);
      });
    }
    stderr?.on("end", () => reject(new Error(`openssl ocsp ended: ${said}`)));
  });
}
