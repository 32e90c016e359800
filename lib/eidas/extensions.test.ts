import { Boolean as Asn1Boolean, ObjectIdentifier, OctetString, Sequence } from "asn1js";
import { expect, it } from "vitest";
import { readExtensions } from "./extensions";

it("C8: an extension of more parts than three is unreadable", () => {
  const content = new OctetString({ valueHex: Uint8Array.of(5, 0) });
  const parts = [
    new ObjectIdentifier({ value: "2.5.29.32" }),
    new Asn1Boolean({ value: true }),
    content,
  ];
  const reading = (...more: readonly OctetString[]) =>
    readExtensions(new Sequence({ value: [new Sequence({ value: [...parts, ...more] })] }));
  expect(reading().get("2.5.29.32")).toEqual(Uint8Array.of(5, 0));
  expect(() => reading(content)).toThrow("unreadable");
});
