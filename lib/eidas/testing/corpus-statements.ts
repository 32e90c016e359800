import { objectId, sequence } from "@/lib/sandbox/der";
import {
  psd2Statement,
  qcCompliance,
  qcType,
  type WrittenRole,
  writtenRole,
} from "@/lib/sandbox/qc-statements-encode";
import { CertificatePolicyExtension } from "@/lib/sandbox/x509";
import { type CorpusCertificate, invalid, qseal, qwac, unreadable } from "./corpus-row";
import { type Changes, qcExtension } from "./issuing";

const ai = writtenRole("PSP_AI");
const psd2 = (...roles: readonly WrittenRole[]) => psd2Statement(roles, "Authority", "RO-NBR");
const listing = (...all: readonly Uint8Array[]): Changes => ({
  extensions: qcExtension(sequence(...all)),
});
/** A list that is good up to its PSD2 statement. */
const stating = (statement: Uint8Array): Changes =>
  listing(qcCompliance(), qcType("web"), statement);
const underPolicy = (policy: string): Changes => ({
  extensions: {
    ...qcExtension(psd2(ai)),
    certificatePolicies: new CertificatePolicyExtension([policy]),
  },
});
const notWeb = (own: string) => invalid(`certificate is not of QcType web but of ${own}`);
const notSeal = (own: string) => invalid(`certificate is not of QcType eseal but of ${own}`);
const noStatements = invalid("certificate has no qcStatements");

const types: readonly CorpusCertificate[] = [
  qwac("C8: no qcStatements", { without: "qcStatements" }, noStatements),
  qwac("C8: no QcType", listing(qcCompliance(), psd2(ai)), notWeb("none")),
  qwac("C8: QcType esign", listing(qcCompliance(), qcType("esign"), psd2(ai)), notWeb("esign")),
  qwac(
    "C8: QcTypes web and eseal",
    listing(qcCompliance(), qcType("web", "eseal"), psd2(ai)),
    notWeb("web and eseal"),
  ),
  qwac(
    "C8: a QcType twice",
    listing(qcCompliance(), qcType("eseal"), qcType("web"), psd2(ai)),
    invalid("certificate has the qcStatement 0.4.0.1862.1.6 twice"),
  ),
  qwac("C8: a bare statement, policy of seals", underPolicy("0.4.0.194112.1.1"), notWeb("eseal")),
  qwac("C8: a bare statement, policy of no type", underPolicy("2.5.29.32.0"), notWeb("none")),
  qwac(
    "C8: not declared as qualified",
    listing(qcType("web"), psd2(ai)),
    invalid("certificate has no QcCompliance statement"),
  ),
  {
    name: "C8: a QSealC in place of a QWAC",
    as: "QWAC",
    make: (issuing) => issuing.qseal(),
    verdict: notWeb("eseal"),
  },
  {
    name: "C8: a QWAC in place of a QSealC",
    as: "QSealC",
    make: (issuing) => issuing.qwac(),
    verdict: notSeal("web"),
  },
  qseal("C8: a seal without qcStatements", { without: "qcStatements" }, noStatements),
  qseal(
    "C8: a person's signature in place of a seal",
    listing(qcCompliance(), qcType("esign"), psd2(ai)),
    notSeal("esign"),
  ),
  qseal(
    "C8: a seal without PSD2 statement",
    listing(qcCompliance(), qcType("eseal")),
    invalid("certificate has no PSD2 statement"),
  ),
];

const unusable = (what: string) =>
  invalid(
    `PSD2 statement has an unusable ${what}: it is empty, has more than 256 characters or one that is none to see`,
  );

const statements: readonly CorpusCertificate[] = [
  qwac(
    "C8: no PSD2 statement",
    listing(qcCompliance(), qcType("web")),
    invalid("certificate has no PSD2 statement"),
  ),
  qwac(
    "C8: the PSD2 statement twice",
    listing(qcCompliance(), qcType("web"), psd2(ai), psd2(ai)),
    invalid("certificate has the qcStatement 0.4.0.19495.2 twice"),
  ),
  qwac(
    "C8: a PSD2 statement without content",
    stating(sequence(objectId("0.4.0.19495.2"))),
    unreadable,
  ),
  qwac(
    "C8: the identifier of PSP_AI with the name of PSP_PI",
    stating(psd2({ id: ai.id, name: "PSP_PI" })),
    invalid(
      "PSD2 role identifier and name disagree: 0.4.0.19495.1.3 is PSP_AI, its name is PSP_PI",
    ),
  ),
  qwac(
    "C8: an unknown role",
    stating(psd2({ id: "0.4.0.19495.1.5", name: "PSP_XX" })),
    invalid("PSD2 statement has an unknown role: 0.4.0.19495.1.5"),
  ),
  qwac("C8: a role twice", stating(psd2(ai, ai)), invalid("PSD2 statement has a role twice")),
  qwac("C8: no role", stating(psd2()), invalid("PSD2 statement has no role")),
  qwac(
    "C8: a line break in nCAName",
    stating(psd2Statement([ai], "A\nB", "RO-NBR")),
    unusable("nCAName"),
  ),
  qwac("C8: an empty nCAId", stating(psd2Statement([ai], "A", "")), unusable("nCAId")),
];

export const unfitStatements = [...types, ...statements];
