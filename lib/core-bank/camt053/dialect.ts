import { StatementError } from "./statement-error";
import type { XmlDocument } from "./xml-tree";

/** Where the two versions of the message keep the same thing. */
export type Dialect = {
  readonly statusCode: readonly string[];
  /** From `Dbtr` or `Cdtr`. */
  readonly partyName: readonly string[];
  /** From a `FinInstnId`. */
  readonly bic: string;
};

const NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:";
const dialects: Readonly<Record<string, Dialect>> = {
  [`${NAMESPACE}camt.053.001.02`]: { statusCode: ["Sts"], partyName: ["Nm"], bic: "BIC" },
  [`${NAMESPACE}camt.053.001.08`]: {
    statusCode: ["Sts", "Cd"],
    partyName: ["Pty", "Nm"],
    bic: "BICFI",
  },
};

export function dialectOf({ root, namespace }: XmlDocument): Dialect {
  const dialect = Object.hasOwn(dialects, namespace) ? dialects[namespace] : undefined;
  if (dialect === undefined || root.name !== "Document") {
    throw new StatementError(
      `line ${root.line}, /${root.name}: camt.053.001.02 and camt.053.001.08 are read, this is ${namespace.replace(NAMESPACE, "")}`,
    );
  }
  return dialect;
}
