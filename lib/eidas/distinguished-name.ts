import { Set as Asn1Set } from "asn1js";
import { type Asn1, elements, objectId, unreadable } from "./asn1";
import { text } from "./asn1-text";
import { CertificateFault } from "./certificate-fault";
import { certificateLimits } from "./limits";

/** One attribute of a name: its object identifier and its text as it stands, never escaped. */
export type NameAttribute = { readonly type: string; readonly value: string };
/** More than one attribute makes it a multi-valued RDN. */
export type RelativeName = readonly NameAttribute[];
export type DistinguishedName = readonly RelativeName[];

export const attributeTypes = {
  commonName: "2.5.4.3",
  organizationName: "2.5.4.10",
  organizationIdentifier: "2.5.4.97",
} as const;

export function readDistinguishedName(value: Asn1): DistinguishedName {
  return elements(value).map((relative) => {
    if (!(relative instanceof Asn1Set)) throw unreadable();
    return relative.valueBlock.value.map(readAttribute);
  });
}

/**
 * The value of an attribute that identifies somebody. Twice in one name, it could be read as
 * either; a printed name could hide a second one, which is why this never looks at printed names.
 */
export function singleAttribute(
  name: DistinguishedName,
  attribute: keyof typeof attributeTypes,
): string | undefined {
  const found = name.flat().filter(({ type }) => type === attributeTypes[attribute]);
  if (found.length > 1) throw new CertificateFault(`certificate has more than one ${attribute}`);
  const value = found[0]?.value;
  if (value === undefined) return undefined;
  if (!isPlainText(value)) throw unusable(`certificate has an unusable ${attribute}`);
  return value;
}

/**
 * Text that can be shown, logged and stored: some, not too long, and no line break, other control or
 * mark that turns the writing round, so that a person reads it as it is compared.
 */
export function isPlainText(value: string): boolean {
  return (
    value.length > 0 &&
    value.length <= certificateLimits.nameCharactersMax &&
    !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(value)
  );
}

export function unusable(what: string): CertificateFault {
  const { nameCharactersMax } = certificateLimits;
  const text = `${what}: it is empty, has more than ${nameCharactersMax} characters or one that is none to see`;
  return new CertificateFault(text);
}

function readAttribute(value: Asn1): NameAttribute {
  const [type, content, ...more] = elements(value);
  if (more.length > 0) throw unreadable();
  return { type: objectId(type), value: text(content) };
}
