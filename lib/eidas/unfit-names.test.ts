import { describe } from "vitest";
import { distinguishedName } from "@/lib/sandbox/issue-certificate";
import { Name } from "@/lib/sandbox/x509";
import { type Changes, request } from "./testing/issuing";
import { extension, issueForTests, refusesEach, type UnfitCase } from "./testing/unfit";

issueForTests();

type Attributes = Parameters<typeof distinguishedName>;
const named = (...attributes: Attributes): Changes => ({
  subject: distinguishedName(...attributes),
});
const ID = "2.5.4.97";

describe("the organizationIdentifier", () => {
  const several = "certificate has more than one organizationIdentifier";
  refusesEach([
    ["C9: twice", named(["O", "TPP"], [ID, "PSDRO-NBR-1"], [ID, "PSDRO-NBR-2"]), several],
    [
      "C9: a second one in a multi-valued name",
      { subject: new Name([{ O: ["TPP"], [ID]: ["PSDRO-NBR-2"] }, { [ID]: ["PSDRO-NBR-1"] }]) },
      several,
    ],
    [
      "C9: the only one in a multi-valued name",
      { subject: new Name([{ O: ["TPP"], [ID]: ["PSDRO-NBR-1"] }]) },
      "organizationIdentifier is part of a multi-valued name",
    ],
    ["C9: missing", named(["O", "TPP"]), "certificate has no organizationIdentifier"],
    [
      "C9: in the printed subject only",
      named(["O", "TPP"], ["CN", "x, organizationIdentifier=PSDRO-NBR-1"]),
      "certificate has no organizationIdentifier",
    ],
    [
      "C9: with a line break",
      named(["O", "TPP"], [ID, "PSDRO-NBR-1\n2"]),
      "certificate has an unusable organizationIdentifier",
    ],
    ...[
      "PSDRO-NBR-",
      "PSDRO-N-1",
      "PSDRO-NBRNBRNBR-1",
      "psdro-nbr-1",
      "VATRO-1234567",
      "PSDRO-NBR-1 2",
      "PSDRO-NBR-ă",
      "x PSDRO-NBR-1",
    ].map(
      (id): UnfitCase => [
        `C9: ${id}`,
        named(["O", "TPP"], [ID, id]),
        "organizationIdentifier is not a PSD2 identifier",
      ],
    ),
  ]);
});

describe("the organizationName", () => {
  const unusable = "certificate has an unusable organizationName";
  refusesEach([
    ["C9: missing", named([ID, request.id]), "certificate has no organizationName"],
    [
      "C9: twice",
      named(["O", "A"], ["O", "B"], [ID, request.id]),
      "certificate has more than one organizationName",
    ],
    ["C9: with a line break", named(["O", `TPP\n${ID}=PSDRO-NBR-1`], [ID, request.id]), unusable],
    ["C9: empty", named(["O", ""], [ID, request.id]), unusable],
    ["C9: endless", named(["O", "A".repeat(257)], [ID, request.id]), unusable],
  ]);
});

describe("the dNSName", () => {
  // a.b with a zero octet in place of its full stop.
  const subjectAltName = extension("2.5.29.17", false, "30058203610062");
  refusesEach([
    [
      "C9: with a zero octet",
      { extensions: { subjectAltName } },
      "certificate has an unusable dNSName",
    ],
  ]);
});
