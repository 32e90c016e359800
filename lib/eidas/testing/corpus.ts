import { addTime } from "@/lib/domain/values";
import { authorityParts, makeCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { psd2Statement, qsealParts, qwacParts, writtenRole } from "@/lib/sandbox/tpp-certificates";
import {
  distinguishedName,
  KeyUsageFlags,
  KeyUsagesExtension,
  makeEcKeys,
  Name,
  SubjectAlternativeNameExtension,
} from "@/lib/sandbox/x509";
import {
  type CorpusCertificate,
  extension,
  invalid,
  type Made,
  oddlyEncoded,
  ofRsa,
  outOfPeriod,
  purposes,
  qseal,
  qwac,
  underPolicy,
  unfitStatements,
  weak,
} from "./corpus-fields";
import {
  type Changes,
  type Issuing,
  issueDer,
  notTrusted,
  now,
  pem,
  qcExtension,
  request,
} from "./issuing";

const accepted = "accepted";
const statement = psd2Statement([writtenRole("PSP_AI")], "National Bank of Romania", "RO-NBR");
const usage = (flags: KeyUsageFlags) => ({
  extensions: { keyUsage: new KeyUsagesExtension(flags, true) },
});

const named = (...attributes: Attributes): Changes => ({
  subject: distinguishedName(...attributes),
});
const ID = "2.5.4.97";
const wildcard = new SubjectAlternativeNameExtension([{ type: "dns", value: "*.tpp.example" }]);

/** What differs between issuers that are all right. */
const acceptedCertificates: readonly CorpusCertificate[] = [
  qwac("as the sandbox issues it", {}),
  qwac("with no extended key usage, which means any purpose", { without: "extendedKeyUsage" }),
  qwac("without a dNSName", { without: "subjectAltName" }),
  qwac("with a wildcard for dNSName", { extensions: { subjectAltName: wildcard } }),
  qwac("of a name beyond ASCII", named(["O", "Bancă & Țară"], [ID, request.id])),
  qwac(
    "of an authority with a short name of 8 letters, and a number with signs in it",
    named(["O", "TPP"], [ID, "PSDPL-PFSAPFSA-12/3.A"]),
  ),
  qwac("with the PSD2 statement in place of the list, under the policy of QWACs for PSD2", {
    extensions: qcExtension(statement),
  }),
  qwac(
    "with the PSD2 statement in place of the list, under the former policy of QWACs",
    underPolicy("0.4.0.194112.1.4"),
  ),
  qwac("with a serial number of 20 octets", { serialNumber: `5a${"ff".repeat(19)}` }),
  qwac("with an unknown extension, not critical", {
    extensions: { other: extension("1.2.3.4", false, "0500") },
  }),
  qwac("that ends beyond 2050", { notAfter: new Date("2051-06-30T23:59:59Z") }),
  withEcKey("QWAC"),
  withEcKey("QSealC"),
  ofRsa("signed with RSASSA-PSS and SHA-256", "pssSha256"),
  qseal("as the sandbox issues its seal", {}),
  qseal("for digitalSignature alone", usage(KeyUsageFlags.digitalSignature)),
  qseal("for nonRepudiation alone", usage(KeyUsageFlags.nonRepudiation)),
  qseal(
    "with the PSD2 statement in place of the list, under the policy of seals in a device",
    underPolicy("0.4.0.194112.1.3"),
  ),
];

/** RTS art. 30: each end of the period belongs to it. */
const acceptedAtTheEdge: readonly CorpusCertificate[] = [
  qwac("C3: in the first second of its period", { notBefore: now }),
  qwac("C3: in the last second of its period", { notAfter: now }),
  qseal("C3: a seal in the last second of its period", { notAfter: now }),
  qseal("C3: a seal of a day", { notAfter: addTime(now, 1, "day") }),
];

const unusable = (attribute: string) =>
  invalid(
    `certificate has an unusable ${attribute}: it is empty, has more than 256 characters or one that is none to see`,
  );
const several = invalid("certificate has more than one organizationIdentifier");
const noIdentifier = invalid("certificate has no organizationIdentifier");

const identifiers: readonly CorpusCertificate[] = [
  qwac(
    "C9: organizationIdentifier twice",
    named(["O", "TPP"], [ID, "PSDRO-NBR-1"], [ID, "PSDRO-NBR-2"]),
    several,
  ),
  qwac(
    "C9: a second organizationIdentifier in a multi-valued name",
    { subject: new Name([{ O: ["TPP"], [ID]: ["PSDRO-NBR-2"] }, { [ID]: ["PSDRO-NBR-1"] }]) },
    several,
  ),
  qwac(
    "C9: the only organizationIdentifier in a multi-valued name",
    { subject: new Name([{ O: ["TPP"], [ID]: ["PSDRO-NBR-1"] }]) },
    invalid("organizationIdentifier is part of a multi-valued name"),
  ),
  qwac("C9: no organizationIdentifier", named(["O", "TPP"]), noIdentifier),
  qwac(
    "C9: organizationIdentifier in the printed subject only",
    named(["O", "TPP"], ["CN", "x, organizationIdentifier=PSDRO-NBR-1"]),
    noIdentifier,
  ),
  qwac(
    "C9: organizationIdentifier with a line break",
    named(["O", "TPP"], [ID, "PSDRO-NBR-1\n2"]),
    unusable("organizationIdentifier"),
  ),
  ...[
    "PSDRO-NBR-",
    "PSDRO-N-1",
    "PSDRO-NBRNBRNBR-1",
    "psdro-nbr-1",
    "VATRO-1234567",
    "PSDRO-NBR-1 2",
    "PSDRO-NBR-ă",
    "x PSDRO-NBR-1",
  ].map((id) =>
    qwac(
      `C9: organizationIdentifier ${id}`,
      named(["O", "TPP"], [ID, id]),
      invalid(`organizationIdentifier ${id} is not of the form PSDRO-NBR-1234567`),
    ),
  ),
];

const organisations: readonly CorpusCertificate[] = [
  qwac(
    "C9: no organizationName",
    named([ID, request.id]),
    invalid("certificate has no organizationName"),
  ),
  qwac(
    "C9: organizationName twice",
    named(["O", "A"], ["O", "B"], [ID, request.id]),
    invalid("certificate has more than one organizationName"),
  ),
  qwac(
    "C9: organizationName with a line break",
    named(["O", `TPP\n${ID}=PSDRO-NBR-1`], [ID, request.id]),
    unusable("organizationName"),
  ),
  qwac(
    "C9: organizationName whose letters are shown in another order",
    named(["O", "TPP \u202eLRS knaB"], [ID, "PSDRO-NBR-1"]),
    unusable("organizationName"),
  ),
  qwac(
    "C9: organizationName empty",
    named(["O", ""], [ID, request.id]),
    unusable("organizationName"),
  ),
  qwac(
    "C9: organizationName endless",
    named(["O", "A".repeat(257)], [ID, request.id]),
    unusable("organizationName"),
  ),
  // a.b with a zero octet in place of its full stop.
  qwac(
    "C9: dNSName with a zero octet",
    { extensions: { subjectAltName: extension("2.5.29.17", false, "30058203610062") } },
    invalid("certificate has an unusable dNSName: a?b"),
  ),
];

const seals: readonly CorpusCertificate[] = [
  qseal(
    "C13: a seal of another TPP",
    named(["O", "Other SRL"], [ID, "PSDRO-NBR-7654321"]),
    invalid(
      "certificate belongs to another TPP, PSDRO-NBR-7654321, than the client certificate, PSDRO-NBR-1234567",
    ),
  ),
  qseal(
    "C13: a seal of a TPP with the same number at another authority",
    named(["O", "Example TPP SRL"], [ID, "PSDDE-BAFIN-1234567"]),
    invalid(
      "certificate belongs to another TPP, PSDDE-BAFIN-1234567, than the client certificate, PSDRO-NBR-1234567",
    ),
  ),
  qseal("C9: a seal without organizationIdentifier", named(["O", "TPP"]), noIdentifier),
];

const unfitNames = [...identifiers, ...organisations, ...seals];

const clock = "the bank's clock says 2027-03-01T12:00:00Z";
const over = outOfPeriod(`certificate was valid until 2027-03-01T11:59:59Z, ${clock}`);
const early = outOfPeriod(`certificate is not valid before 2027-03-01T12:00:01Z, ${clock}`);
const aSecondAgo = addTime(now, -1, "second");
const inASecond = addTime(now, 1, "second");

const outOfPeriodCertificates: readonly CorpusCertificate[] = [
  qwac("C3: expired a second ago", { notAfter: aSecondAgo }, over),
  qwac("C3: valid in a second", { notBefore: inASecond }, early),
  qwac("C3: expired before it began", { notBefore: inASecond, notAfter: aSecondAgo }, early),
  qseal("C3: a seal that expired a second ago", { notAfter: aSecondAgo }, over),
  qseal("C3: a seal that is valid in a second", { notBefore: inASecond }, early),
];

/** Who presents a certificate of an untrusted CA learns that, and nothing else that is wrong. */
const unknownIssuer = (
  name: string,
  make: CorpusCertificate["make"],
  as: CorpusCertificate["as"] = "QWAC",
): CorpusCertificate => ({ name, as, make, verdict: notTrusted });

const unknownIssuers: readonly CorpusCertificate[] = [
  unknownIssuer("C4: self-signed", selfSigned),
  unknownIssuer("C4: self-signed, and with two organisations", selfSignedAndUnfit),
  unknownIssuer("C4: of an unknown CA with the name of ours", ofNamesake),
  unknownIssuer("C4: of an unknown CA with the name of ours, and expired", ofNamesakeAndExpired),
  unknownIssuer("C4: with our CA's name and key identifier, signed with another key", forged),
  unknownIssuer("C4: signed by a TPP's certificate", leafOfLeaf),
  unknownIssuer("C4: another CA's own certificate", anotherAuthority),
  unknownIssuer("C10: with 17 000 octets in one extension", oversized),
  unknownIssuer("C10: a good one with an octet after it", async ({ qwac }) =>
    Buffer.concat([await qwac(), Buffer.of(0)]),
  ),
  unknownIssuer("C10: a good one without its last octet", async ({ qwac }) =>
    (await qwac()).subarray(0, -1),
  ),
  unknownIssuer("C10: a good one as PEM", async ({ qwac }) => Buffer.from(pem(await qwac()))),
  unknownIssuer("C10: no octets", () => new Uint8Array()),
  unknownIssuer("C10: a text", () => Buffer.from("certificate")),
  unknownIssuer(
    "C4: a seal with our CA's name, signed with another key",
    sealOfUnknownIssuer,
    "QSealC",
  ),
];

/** Certificates good and bad by what they are about, each with its verdict. */
export const corpus: Readonly<Record<string, readonly CorpusCertificate[]>> = {
  "a certificate that is in order": acceptedCertificates,
  "C3: a certificate at the ends of its period": [...acceptedAtTheEdge, ...outOfPeriodCertificates],
  "C4: a stranger's certificate": unknownIssuers,
  "C4, C8: what a certificate's key is for": purposes,
  "C8: the type of a certificate and its PSD2 statement": unfitStatements,
  "C9, C13: whom a certificate names": unfitNames,
  "C10: how a certificate is written": oddlyEncoded,
  "C11: cryptography of yesterday": weak,
};

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

type Attributes = Parameters<typeof distinguishedName>;

function selfSigned({ keys }: Issuing): Promise<Made> {
  const parts = qwacParts(request, keys.publicKey);
  return issueDer({ name: parts.subject, keys }, parts);
}

function selfSignedAndUnfit({ keys }: Issuing): Promise<Made> {
  const subject = distinguishedName(["O", "A"], ["O", "B"]);
  return issueDer({ name: subject, keys }, { ...qwacParts(request, keys.publicKey), subject });
}

async function ofNamesake({ keys }: Issuing): Promise<Made> {
  return issueDer(await makeCertificateAuthority(now), qwacParts(request, keys.publicKey));
}

async function ofNamesakeAndExpired({ keys }: Issuing): Promise<Made> {
  const parts = qwacParts(request, keys.publicKey);
  return issueDer(await makeCertificateAuthority(now), { ...parts, notAfter: parts.notBefore });
}

/** Name and key identifier are the CA's; only the signature tells. */
async function forged({ authority: { name, keys: own }, keys }: Issuing): Promise<Made> {
  const { privateKey } = await makeEcKeys();
  const issuer = { name, keys: { privateKey, publicKey: own.publicKey } };
  return issueDer(issuer, qwacParts(request, keys.publicKey));
}

async function leafOfLeaf({ keys }: Issuing): Promise<Made> {
  const { subject } = qwacParts(request, keys.publicKey);
  const { publicKey } = await makeEcKeys();
  return issueDer({ name: subject, keys }, qwacParts(request, publicKey));
}

async function anotherAuthority(): Promise<Made> {
  const name = distinguishedName(["CN", "Another CA"]);
  const keys = await makeEcKeys();
  return issueDer({ name, keys }, authorityParts(name, keys, now));
}

function oversized({ qwac }: Issuing): Promise<Made> {
  return qwac({ extensions: qcExtension(Buffer.alloc(17_000, 0x30)) });
}

function sealOfUnknownIssuer({ authority: { name }, keys }: Issuing): Promise<Made> {
  return issueDer({ name, keys }, qsealParts(request, keys.publicKey));
}
