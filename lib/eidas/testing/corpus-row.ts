import { Extension } from "@/lib/sandbox/x509";
import type { TrustAnchors } from "../trust";
import type { Changes, Issuing } from "./issuing";

/** A certificate, how it comes to be, what it is shown as, and what the bank says of it. */
export type CorpusCertificate = {
  readonly name: string;
  readonly as: "QWAC" | "QSealC";
  readonly make: (issuing: Issuing) => Made | Promise<Made>;
  readonly verdict: Verdict;
};

/** The DER, with the issuers to believe where they are not those of everybody else. */
export type Made = Uint8Array | { readonly der: Uint8Array; readonly anchors: TrustAnchors };

export type Verdict = "accepted" | { readonly code: string; readonly text: string };

/** Issued by the believed CA from a good QWAC's parts, with these changes. */
export function qwac(name: string, changes: Changes, verdict: Verdict): CorpusCertificate {
  return { name, as: "QWAC", make: (issuing) => issuing.qwac(changes), verdict };
}

/** The same from a good QSealC's parts, for the TPP that the good QWAC names. */
export function qseal(name: string, changes: Changes, verdict: Verdict): CorpusCertificate {
  return { name, as: "QSealC", make: (issuing) => issuing.qseal(changes), verdict };
}

export function invalid(text: string): Verdict {
  return { code: "CERTIFICATE_INVALID", text };
}

export function outOfPeriod(text: string): Verdict {
  return { code: "CERTIFICATE_EXPIRED", text };
}

export const unreadable = invalid("certificate is unreadable");

export function extension(id: string, critical: boolean, hex: string): Extension {
  return new Extension(id, critical, Buffer.from(hex, "hex"));
}
