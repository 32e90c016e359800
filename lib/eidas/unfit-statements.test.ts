import { describe, expect, it } from "vitest";
import { objectId, sequence } from "@/lib/sandbox/der";
import {
  psd2Statement,
  qcCompliance,
  qcType,
  type WrittenRole,
  writtenRole,
} from "@/lib/sandbox/qc-statements-encode";
import { CertificatePolicyExtension } from "@/lib/sandbox/x509";
import { type Changes, qcExtension } from "./testing/issuing";
import { currentIssuing, issueForTests, refusesEach, told } from "./testing/unfit";

issueForTests();

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

const notWeb = "certificate is not of QcType web";
const twice = "certificate has a qcStatement twice";

describe("the type of a QWAC", () => {
  refusesEach([
    ["C8: no qcStatements", { without: "qcStatements" }, "certificate has no qcStatements"],
    ["C8: no QcType", listing(qcCompliance(), psd2(ai)), notWeb],
    ["C8: QcType esign", listing(qcCompliance(), qcType("esign"), psd2(ai)), notWeb],
    [
      "C8: QcTypes web and eseal",
      listing(qcCompliance(), qcType("web", "eseal"), psd2(ai)),
      notWeb,
    ],
    [
      "C8: a QcType twice",
      listing(qcCompliance(), qcType("eseal"), qcType("web"), psd2(ai)),
      twice,
    ],
    ["C8: a bare statement, policy of seals", underPolicy("0.4.0.194112.1.1"), notWeb],
    ["C8: a bare statement, policy of no type", underPolicy("2.5.29.32.0"), notWeb],
    [
      "C8: not declared as qualified",
      listing(qcType("web"), psd2(ai)),
      "certificate has no QcCompliance statement",
    ],
  ]);

  it("C8: a QSealC is no QWAC", async () => {
    expect(told(await currentIssuing().qseal())?.text).toBe(notWeb);
  });
});

describe("the PSD2 statement", () => {
  refusesEach([
    ["C8: missing", listing(qcCompliance(), qcType("web")), "certificate has no PSD2 statement"],
    ["C8: twice", listing(qcCompliance(), qcType("web"), psd2(ai), psd2(ai)), twice],
    [
      "C8: without content",
      stating(sequence(objectId("0.4.0.19495.2"))),
      "certificate is unreadable",
    ],
    [
      "C8: the identifier of PSP_AI with the name of PSP_PI",
      stating(psd2({ id: ai.id, name: "PSP_PI" })),
      "PSD2 role identifier and name disagree",
    ],
    [
      "C8: an unknown role",
      stating(psd2({ id: "0.4.0.19495.1.5", name: "PSP_XX" })),
      "PSD2 statement has an unknown role",
    ],
    ["C8: a role twice", stating(psd2(ai, ai)), "PSD2 statement has a role twice"],
    ["C8: no role", stating(psd2()), "PSD2 statement has no role"],
    [
      "C8: a line break in nCAName",
      stating(psd2Statement([ai], "A\nB", "RO-NBR")),
      "PSD2 statement has an unusable nCAName",
    ],
    [
      "C8: an empty nCAId",
      stating(psd2Statement([ai], "A", "")),
      "PSD2 statement has an unusable nCAId",
    ],
  ]);
});
