import { createPrivateKey } from "node:crypto";
import { Rejection } from "@/lib/domain/errors";
import { unlessFaulty } from "@/lib/eidas/certificate-fault";
import { readSignatureCertificate } from "@/lib/eidas/qwac-qsealc";
import { checkDigest } from "@/lib/xs2a/signature";
import type { Presented } from "./context";
import { headerOf, type RawRequest, readRawRequest } from "./raw-request";

/** What a person hands over; what is left empty is not given. */
export type Paste = {
  readonly request: Uint8Array;
  /** The QWAC in PEM, for a request without Client-Cert. */
  readonly certificate?: string | undefined;
  /** The instant to judge it by, in ISO 8601. */
  readonly at?: string | undefined;
};

export type PasteField = keyof Paste;
export type PasteFault = {
  readonly field: PasteField;
  readonly text: string;
  /** Fields that must not be shown or sent anywhere again. */
  readonly forget?: readonly PasteField[];
};

type ReadPaste =
  | { readonly presented: Presented; readonly at: Date | undefined }
  | { readonly fault: PasteFault };

const BYTES_MAX = 65_536;
const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

/** The request to explain, or what is wrong with what was handed over. */
export function readPaste(paste: Paste): ReadPaste {
  const { request } = paste;
  const unfit = tooLong(paste) ?? privateKey(paste);
  if (unfit !== undefined) return { fault: unfit };
  const [certificate, at] = [given(paste.certificate), given(paste.at)];
  if (Buffer.from(request).toString("latin1").trim() === "") {
    return fault("request", "Paste a request.");
  }
  const read = readRawRequest(request);
  if ("fault" in read) return fault("request", read.fault);
  const missing = missingBody(read.request);
  if (missing !== undefined) return fault("request", missing);
  const pem = certificate === undefined ? undefined : (PEM.exec(certificate)?.[0] ?? certificate);
  const qwac = pem === undefined ? undefined : unlessFaulty(() => readSignatureCertificate(pem));
  if (qwac === undefined && pem !== undefined)
    return fault("certificate", "That is no certificate in PEM.");
  const instant = at === undefined ? undefined : new Date(at);
  if (at !== undefined && (!INSTANT.test(at) || Number.isNaN(instant?.getTime()))) {
    return fault("at", "That is no instant, as in 2027-05-20T10:00:00Z.");
  }
  return { presented: { request: bodyAsSent(read.request), qwac }, at: instant };
}

const fields = ["request", "certificate", "at"] as const satisfies readonly PasteField[];

/** What a field holds, as bytes; none where it was left out. */
function bytesOf(paste: Paste, field: PasteField): Buffer {
  const content = paste[field];
  return content === undefined ? Buffer.alloc(0) : Buffer.from(content);
}

function tooLong(paste: Paste): PasteFault | undefined {
  const bytes = fields.reduce((sum, field) => sum + bytesOf(paste, field).byteLength, 0);
  if (bytes <= BYTES_MAX) return undefined;
  return { field: "request", text: `That is more than ${BYTES_MAX} bytes.`, forget: fields };
}

function privateKey(paste: Paste): PasteFault | undefined {
  const forget = fields.filter((field) =>
    holdsPrivateKey(bytesOf(paste, field).toString("latin1")),
  );
  const [field] = forget;
  if (field === undefined) return undefined;
  const text =
    "That holds a private key. It was not read any further and is not kept, but a key that has been pasted is no secret any more: make another.";
  return { field, text, forget };
}

/** A server waits for the rest: such a request has been sent whole, and was not copied whole. */
function missingBody(request: RawRequest): string | undefined {
  const length = headerOf(request, "content-length") ?? "0";
  if (!/^\d+$/.test(length) || Number(length) === 0) return undefined;
  if (Buffer.from(request.body).toString("latin1").trim() !== "") return undefined;
  return `The body is missing, of which Content-Length says ${length} bytes: paste it below the headers and a blank line.`;
}

function given(text: string | undefined): string | undefined {
  return text?.trim() || undefined;
}

function fault(field: PasteField, text: string): ReadPaste {
  return { fault: { field, text } };
}

/**
 * The request with the body that was sent. Whatever a request is copied through adds a last line
 * break, and a form turns every line break into CR LF: of the bodies it may have been, the one that
 * the Digest is over, else one of the length that Content-Length says, else the one without the
 * line breaks at its end.
 */
export function bodyAsSent(request: RawRequest): RawRequest {
  const [usual, ...others] = candidates(request.body);
  const all = [usual, ...others];
  const length = Number(headerOf(request, "content-length"));
  const body =
    all.find((one) => isDigested(headerOf(request, "digest"), one)) ??
    all.find((one) => one.byteLength === length) ??
    usual;
  return { ...request, body };
}

function candidates(body: Uint8Array): readonly [Uint8Array, ...Uint8Array[]] {
  const exact = Buffer.from(body).toString("latin1");
  const unix = exact.replaceAll("\r\n", "\n");
  const whole = [exact, unix, unix.replaceAll("\n", "\r\n")];
  const bytes = (text: string) => Buffer.from(text, "latin1");
  const withoutEnd = whole.map((text) => bytes(text.replace(/[\r\n]+$/, "")));
  return [bytes(unix.replace(/\n+$/, "")), ...withoutEnd, ...whole.map(bytes)];
}

function isDigested(digest: string | undefined, body: Uint8Array): boolean {
  if (digest === undefined) return false;
  try {
    checkDigest(digest, body);
    return true;
  } catch (error) {
    if (error instanceof Rejection) return false;
    throw error;
  }
}

const MARK = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/;
/** Base64 of `-----BEGIN`, as in a key file that was encoded once more. */
const ENCODED = /LS0tLS1CRUdJTi[A-Za-z0-9+/=]*/g;
/** As a header carries DER. */
const LONG = /[A-Za-z0-9+/]{80,}={0,2}/g;
/** The private part of a JWK. */
const JWK_PART = /"d"\s*:\s*"[\w-]{20,}"/;
const forms = ["pkcs8", "pkcs1", "sec1"] as const;

/** Whether a private key has been pasted by mistake: in PEM, as base64 of PEM or DER, or as a JWK. */
function holdsPrivateKey(text: string): boolean {
  const encoded = [...text.matchAll(ENCODED)].map(([base64]) =>
    Buffer.from(base64, "base64").toString("latin1"),
  );
  return (
    [text, ...encoded].some((one) => MARK.test(one)) ||
    JWK_PART.test(text) ||
    [...text.matchAll(LONG)].some(([base64]) => isPrivateKey(Buffer.from(base64, "base64")))
  );
}

function isPrivateKey(key: Buffer): boolean {
  return forms.some((type) => {
    try {
      createPrivateKey({ key, format: "der", type });
      return true;
    } catch {
      return false;
    }
  });
}
