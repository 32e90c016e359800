import { beforeAll, expect, it } from "vitest";
import { Extension } from "@/lib/sandbox/x509";
import { checkQwac } from "../qwac";
import { type Changes, type Issuing, now, startIssuing } from "./issuing";
import { refusal } from "./refusal";

/** What makes a good QWAC unfit, and the sentence that tells its TPP. */
export type UnfitCase = readonly [name: string, changes: Changes, text: string];

let issuing: Issuing;

/** For the whole file: certificates of a believed issuer. */
export function issueForTests(): void {
  beforeAll(async () => {
    issuing = await startIssuing();
  });
}

export function currentIssuing(): Issuing {
  return issuing;
}

export function told(der: Uint8Array) {
  return refusal(() => checkQwac(der, issuing.anchors, now));
}

/** Each is issued by the believed CA and differs from a good QWAC in one point. */
export function refusesEach(cases: readonly UnfitCase[]): void {
  it.each(cases)("%s", async (_name, changes, text) => {
    const der = await issuing.qwac(changes);
    expect(told(der)).toEqual({ code: "CERTIFICATE_INVALID", text });
  });
}

export function extension(id: string, critical: boolean, hex: string): Extension {
  return new Extension(id, critical, Buffer.from(hex, "hex"));
}
