import { join } from "node:path";
import type { Config } from "@/lib/config";
import type { Clock } from "@/lib/domain/clock";
import { crl } from "./crl";
import { answerOcsp } from "./ocsp";
import { revokedIn } from "./revoked-file";
import { readSigner } from "./signing";

type StatusHouse = { readonly config: Pick<Config, "SANDBOX" | "DATA_DIR">; readonly clock: Clock };

const REQUEST_BYTES_MAX = 4_096;

/** The sandbox CA's OCSP responder: the request by POST, or in base64 at the end of the address. */
export async function serveOcsp(
  house: StatusHouse,
  request: Request,
  inPath?: string,
): Promise<Response> {
  const authority = await authorityOf(house);
  if (authority === undefined) return nothingHere();
  const asked = inPath === undefined ? await readBytes(request) : fromPath(inPath);
  if (asked === undefined) return new Response(null, { status: 413 });
  const { signer, revoked, now } = authority;
  return der(answerOcsp(asked, signer, { revoked, now }), "application/ocsp-response");
}

/** The list of what the sandbox CA has revoked. */
export async function serveCrl(house: StatusHouse): Promise<Response> {
  const authority = await authorityOf(house);
  if (authority === undefined) return nothingHere();
  const { signer, revoked, now } = authority;
  return der(crl(signer, revoked, now), "application/pkix-crl");
}

async function authorityOf({ config, clock }: StatusHouse) {
  if (!config.SANDBOX) return undefined;
  const directory = join(config.DATA_DIR, "ca");
  const signer = await readSigner(directory);
  return signer && { signer, revoked: await revokedIn(directory), now: await clock.now() };
}

/** RFC 6960 A.1: base64, percent-encoded. What is neither is an unreadable request, and told so in DER. */
function fromPath(text: string): Uint8Array | undefined {
  const base64 = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const bytes = new Uint8Array(Buffer.from(base64, "base64"));
  return bytes.byteLength > REQUEST_BYTES_MAX ? undefined : bytes;
}

async function readBytes({ body }: Request): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > REQUEST_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function der(bytes: Uint8Array, type: string): Response {
  return new Response(new Uint8Array(bytes), { headers: { "content-type": type } });
}

function nothingHere(): Response {
  return new Response("there is nothing at this address\n", { status: 404 });
}
