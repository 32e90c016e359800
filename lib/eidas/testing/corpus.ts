import { acceptedAtTheEdge, acceptedCertificates } from "./corpus-accepted";
import { oddlyEncoded } from "./corpus-encoding";
import { purposes, weak } from "./corpus-keys";
import { unfitNames } from "./corpus-names";
import { outOfPeriodCertificates } from "./corpus-periods";
import type { CorpusCertificate } from "./corpus-row";
import { unfitStatements } from "./corpus-statements";
import { strangers } from "./corpus-strangers";

/** Certificates good and bad by what they are about, each with its verdict. */
export const corpus: Readonly<Record<string, readonly CorpusCertificate[]>> = {
  "a certificate that is in order": acceptedCertificates,
  "C3: a certificate at the ends of its period": [...acceptedAtTheEdge, ...outOfPeriodCertificates],
  "C4: a stranger's certificate": strangers,
  "C4, C8: what a certificate's key is for": purposes,
  "C8: the type of a certificate and its PSD2 statement": unfitStatements,
  "C9, C13: whom a certificate names": unfitNames,
  "C10: how a certificate is written": oddlyEncoded,
  "C11: cryptography of yesterday": weak,
};
