import { Set as Asn1Set, Null, ObjectIdentifier, Sequence, Utf8String } from "asn1js";
import { expect, it } from "vitest";
import { readDistinguishedName } from "./distinguished-name";

it("C9: an attribute of more parts than type and value is unreadable", () => {
  const parts = [new ObjectIdentifier({ value: "2.5.4.10" }), new Utf8String({ value: "TPP" })];
  const reading = (...more: readonly Null[]) => {
    const attribute = new Sequence({ value: [...parts, ...more] });
    return readDistinguishedName(new Sequence({ value: [new Asn1Set({ value: [attribute] })] }));
  };
  expect(reading()).toEqual([[{ type: "2.5.4.10", value: "TPP" }]]);
  expect(() => reading(new Null())).toThrow("unreadable");
});
