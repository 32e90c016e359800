import { Boolean as Asn1Boolean, type BaseBlock } from "asn1js";
import { elements, explicit, objectId } from "../asn1";
import { StatusFault } from "./status";

/**
 * deltaCRLIndicator and issuingDistributionPoint, which RFC 5280 5.2.4 and 5.2.5 want to be critical:
 * where an issuer forgot that, a number missing from such a list still means nothing.
 */
const alwaysCritical = new Set(["2.5.29.27", "2.5.29.28"]);

/**
 * What an issuer marks critical and is not understood here changes what the statement says (RFC 5280
 * 5.2): a list that is cut, or speaks for another issuer, says so in this way. None is understood.
 */
export function checkNoneCritical(tagged: BaseBlock | undefined, number: 0 | 1): void {
  if (tagged === undefined) return;
  for (const extension of elements(explicit(tagged, number))) {
    const [name, critical] = elements(extension);
    const id = objectId(name);
    const marked = critical instanceof Asn1Boolean && critical.getValue();
    if (marked || alwaysCritical.has(id)) throw new StatusFault(`has the critical extension ${id}`);
  }
}
