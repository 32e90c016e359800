import type { Sealing } from "./sealing";

/** A signed request, how it is made, and what the bank says of it. */
export type CorpusSignature = {
  readonly name: string;
  readonly sealing: Sealing;
  readonly verdict: "accepted" | Refused;
};

export type Refused = {
  readonly status: 400 | 401;
  readonly code: string;
  readonly text: string;
  readonly path: string;
};

export const BODY = '{"word":"yes"}';

export function accepted(name: string, sealing: Sealing): CorpusSignature {
  return { name, sealing, verdict: "accepted" };
}

/** 401 SIGNATURE_INVALID at the header Signature. */
export function refused(name: string, sealing: Sealing, text: string): CorpusSignature {
  return faulty(name, sealing, { code: "SIGNATURE_INVALID", text, path: "Signature" });
}

/** What a signature that does not verify is told, and the usual mistake behind it. */
export function mistaken(name: string, sealing: Sealing, mistake: string): CorpusSignature {
  return refused(name, sealing, `${failed}: ${mistake}`);
}

export const failed = "signature does not verify with the key of the certificate";

export function faulty(
  name: string,
  sealing: Sealing,
  fault: Omit<Refused, "status">,
  status: Refused["status"] = 401,
): CorpusSignature {
  return { name, sealing, verdict: { status, ...fault } };
}
