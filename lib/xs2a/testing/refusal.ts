import { X509Certificate } from "node:crypto";
import { expect } from "vitest";
import { readCertificate } from "@/lib/eidas/certificate";
import { certificatesOf } from "./tpp";

export const own = await certificatesOf();
export const seal = readCertificate(new X509Certificate(own.qsealPem).raw);
export const invalid = (text = "") => ({
  status: 401,
  faults: [{ code: "SIGNATURE_INVALID", text: expect.stringContaining(text) }],
});
export const thrown = (call: () => unknown) => {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
};
