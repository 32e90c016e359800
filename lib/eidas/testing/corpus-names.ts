import { distinguishedName } from "@/lib/sandbox/issue-certificate";
import { Name } from "@/lib/sandbox/x509";
import { type CorpusCertificate, extension, invalid, qseal, qwac } from "./corpus-row";
import { type Changes, request } from "./issuing";

type Attributes = Parameters<typeof distinguishedName>;
const named = (...attributes: Attributes): Changes => ({
  subject: distinguishedName(...attributes),
});
const ID = "2.5.4.97";
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

export const unfitNames = [...identifiers, ...organisations, ...seals];
