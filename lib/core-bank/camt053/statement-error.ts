import { placeOf, type XmlElement } from "./xml-element";

/** Why a file is refused, in one sentence that names the place. Nothing of it is in the ledger then. */
export class StatementError extends Error {
  override readonly name = "StatementError";
}

export function refuse(place: XmlElement, reason: string): never {
  throw new StatementError(`line ${place.line}, ${placeOf(place)}: ${reason}`);
}
