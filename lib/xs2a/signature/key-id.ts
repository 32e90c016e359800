import type { Certificate } from "@/lib/eidas/certificate";
import { shown } from "@/lib/eidas/shown";
import { issuerText, namesIssuer, percentDecoded } from "./issuer-name";
import { signatureInvalid } from "./signature-invalid";

// No two runs of blanks meet in them: a long one is read once.
const KEY_ID = /^\s*SN\s*=([^,]+),\s*CA\s*=(.+)$/is;
const ISSUER_FIRST = /^\s*CA\s*=(.+),\s*SN\s*=([^,]+)$/is;
const NAME_CHARACTERS_MAX = 150;

type Named = Pick<Certificate, "serialNumber" | "issuer" | "subject">;

/** What named a certificate last: its TPP writes the same with each request. */
const understood = new WeakMap<Named, string>();

/**
 * keyId names the certificate that came along, by serial number and issuer. Real TPPs write both in
 * many ways: hexadecimal in either case, with leading zeros or colons, or decimal; the issuer in
 * either order, percent-encoded or not. It is the number and the name that have to be the same. Header
 * values come as Latin-1, names are sent in UTF-8.
 * Rejects with 401 SIGNATURE_INVALID.
 */
export function checkKeyId(
  header: string,
  seal: Named,
  qwac?: Pick<Certificate, "serialNumber">,
): void {
  if (understood.get(seal) === header) return;
  const keyId = inUtf8(header);
  const { serial, name } = parts(keyId) ?? parts(percentDecoded(keyId)) ?? {};
  const issuer = shown(issuerText(seal.issuer), NAME_CHARACTERS_MAX);
  if (serial === undefined || name === undefined) {
    const form = `SN=${hexadecimal(seal.serialNumber)},CA=${issuer}`;
    throw signatureInvalid(`keyId ${shown(keyId)} is not of the form ${form}`);
  }
  checkSerial(serial.trim(), seal, qwac);
  if (namesIssuer(name, seal.issuer)) {
    understood.set(seal, header);
    return;
  }
  throw signatureInvalid(
    namesIssuer(name, seal.subject)
      ? `keyId names the subject of the certificate, its issuer is ${issuer}`
      : `keyId names the issuer ${shown(name.trim(), NAME_CHARACTERS_MAX)}, the certificate has ${issuer}`,
  );
}

function parts(keyId: string): { readonly serial: string; readonly name: string } | undefined {
  const [, serial, name] = KEY_ID.exec(keyId) ?? [];
  if (serial !== undefined && name !== undefined) return { serial, name };
  const [, issuer, number] = ISSUER_FIRST.exec(keyId) ?? [];
  return issuer === undefined || number === undefined
    ? undefined
    : { serial: number, name: issuer };
}

/** As it came where it is no UTF-8. */
function inUtf8(header: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(header, "latin1"));
  } catch {
    return header;
  }
}

function checkSerial(
  serial: string,
  { serialNumber }: Named,
  qwac: Pick<Certificate, "serialNumber"> | undefined,
): void {
  if (names(serial, serialNumber)) return;
  const of = qwac && names(serial, qwac.serialNumber) ? ", that of the client certificate" : "";
  const decimal = /^\d+$/.test(serial) ? `, in decimal ${serialNumber}` : "";
  throw signatureInvalid(
    `keyId names serial ${shown(serial)}${of}, the certificate has ${hexadecimal(serialNumber)}${decimal}`,
  );
}

function names(serial: string, serialNumber: bigint): boolean {
  const digits = serial.replace(/^0x/i, "").replace(/[:\s]/g, "");
  const inHexadecimal = /^[0-9a-f]{1,64}$/i.test(digits) && BigInt(`0x${digits}`) === serialNumber;
  const inDecimal = /^\d{1,64}$/.test(digits) && BigInt(digits) === serialNumber;
  return inHexadecimal || inDecimal;
}

function hexadecimal(serialNumber: bigint): string {
  return serialNumber.toString(16).toUpperCase();
}
