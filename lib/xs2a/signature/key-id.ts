import type { Certificate } from "@/lib/eidas/certificate";
import { issuerAttributes, parseIssuerText } from "./issuer-name";
import { signatureInvalid } from "./signature-invalid";

const KEY_ID = /^\s*SN\s*=\s*([^,]+?)\s*,\s*CA\s*=\s*(.+)$/is;

/**
 * keyId names the certificate that came along, by serial number and issuer. Real TPPs write both in
 * many ways: hexadecimal in either case, with leading zeros or colons, or decimal; the issuer in
 * either order, percent-encoded or not. It is the number and the name that have to be the same.
 * Rejects with 401 SIGNATURE_INVALID.
 */
export function checkKeyId(
  keyId: string,
  { serialNumber, issuer }: Pick<Certificate, "serialNumber" | "issuer">,
): void {
  const [, serial, name] = KEY_ID.exec(keyId) ?? [];
  if (serial === undefined || name === undefined) {
    throw signatureInvalid("keyId is not SN=serial,CA=issuer");
  }
  if (!names(serial, serialNumber)) {
    const own = serialNumber.toString(16).toUpperCase();
    throw signatureInvalid(`keyId names serial ${serial.slice(0, 70)}, the certificate has ${own}`);
  }
  const wanted = issuerAttributes(issuer);
  const given = parseIssuerText(name);
  if (given === undefined || given.join("\n") !== wanted.join("\n")) {
    throw signatureInvalid("keyId names another issuer than the certificate has");
  }
}

function names(serial: string, serialNumber: bigint): boolean {
  const digits = serial.replace(/^0x/i, "").replaceAll(":", "");
  const hexadecimal = /^[0-9a-f]{1,64}$/i.test(digits) && BigInt(`0x${digits}`) === serialNumber;
  const decimal = /^\d{1,64}$/.test(digits) && BigInt(digits) === serialNumber;
  return hexadecimal || decimal;
}
