import { after } from "@/lib/domain/clock";
import { distinguishedName } from "@/lib/sandbox/issue-certificate";
import { makeEcKeys } from "@/lib/sandbox/key-pairs";
import { psd2Statement, writtenRole } from "@/lib/sandbox/qc-statements-encode";
import {
  CertificatePolicyExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
} from "@/lib/sandbox/x509";
import { type CorpusCertificate, extension, qseal, qwac } from "./corpus-row";
import { now, qcExtension, request, signedByRsa } from "./issuing";

const accepted = "accepted";
const statement = psd2Statement([writtenRole("PSP_AI")], "National Bank of Romania", "RO-NBR");
const usage = (flags: KeyUsageFlags) => ({
  extensions: { keyUsage: new KeyUsagesExtension(flags, true) },
});

/** What differs between issuers that are all right. */
export const acceptedCertificates: readonly CorpusCertificate[] = [
  qwac("as the sandbox issues it", {}, accepted),
  qwac(
    "with no extended key usage, which means any purpose",
    { without: "extendedKeyUsage" },
    accepted,
  ),
  qwac("without a dNSName", { without: "subjectAltName" }, accepted),
  qwac(
    "with a wildcard for dNSName",
    {
      extensions: {
        subjectAltName: new SubjectAlternativeNameExtension([
          { type: "dns", value: "*.tpp.example" },
        ]),
      },
    },
    accepted,
  ),
  qwac(
    "of a name beyond ASCII",
    { subject: distinguishedName(["O", "Bancă & Țară"], ["2.5.4.97", request.id]) },
    accepted,
  ),
  qwac(
    "of an authority with a short name of 8 letters, and a number with signs in it",
    { subject: distinguishedName(["O", "TPP"], ["2.5.4.97", "PSDPL-PFSAPFSA-12/3.A"]) },
    accepted,
  ),
  qwac(
    "with the PSD2 statement in place of the list, under the policy of QWACs for PSD2",
    { extensions: qcExtension(statement) },
    accepted,
  ),
  qwac(
    "with the PSD2 statement in place of the list, under the former policy of QWACs",
    {
      extensions: {
        ...qcExtension(statement),
        certificatePolicies: new CertificatePolicyExtension(["0.4.0.194112.1.4"]),
      },
    },
    accepted,
  ),
  qwac("with a serial number of 20 octets", { serialNumber: `5a${"ff".repeat(19)}` }, accepted),
  qwac(
    "with an extension nobody here knows, not critical",
    { extensions: { other: extension("1.2.3.4", false, "0500") } },
    accepted,
  ),
  qwac("that ends beyond 2050", { notAfter: new Date("2051-06-30T23:59:59Z") }, accepted),
  withEcKey("QWAC"),
  withEcKey("QSealC"),
  {
    name: "signed with RSASSA-PSS and SHA-256",
    as: "QWAC",
    make: (issuing) => signedByRsa(issuing, "pssSha256"),
    verdict: accepted,
  },
  qseal("as the sandbox issues its seal", {}, accepted),
  qseal("for digitalSignature alone", usage(KeyUsageFlags.digitalSignature), accepted),
  qseal("for nonRepudiation alone", usage(KeyUsageFlags.nonRepudiation), accepted),
  qseal(
    "with the PSD2 statement in place of the list, under the policy of seals in a device",
    {
      extensions: {
        ...qcExtension(statement),
        certificatePolicies: new CertificatePolicyExtension(["0.4.0.194112.1.3"]),
      },
    },
    accepted,
  ),
];

/** RTS art. 30: each end of the period belongs to it. */
export const acceptedAtTheEdge: readonly CorpusCertificate[] = [
  qwac("C3: in the first second of its period", { notBefore: now }, accepted),
  qwac("C3: in the last second of its period", { notAfter: now }, accepted),
  qseal("C3: a seal in the last second of its period", { notAfter: now }, accepted),
  qseal("C3: a seal of a day", { notAfter: after(now, 1, "day") }, accepted),
];

function withEcKey(as: CorpusCertificate["as"]): CorpusCertificate {
  return {
    name: `with an EC key on P-256, as ${as}`,
    as,
    make: async (issuing) => {
      const { publicKey } = await makeEcKeys();
      return as === "QWAC" ? issuing.qwac({ publicKey }) : issuing.qseal({ publicKey });
    },
    verdict: accepted,
  };
}
