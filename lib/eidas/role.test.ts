import { expect, it } from "vitest";
import type { TppId } from "@/lib/domain/identifiers";
import type { Psd2Role } from "@/lib/domain/tpp/tpp";
import { checkRole } from "./role";
import { refusal } from "./testing/refusal";

const all = ["PSP_AS", "PSP_PI", "PSP_AI", "PSP_IC"] as const satisfies readonly Psd2Role[];
const tppWith = (...roles: readonly Psd2Role[]) => ({
  id: "PSDRO-NBR-1" as TppId,
  name: "TPP",
  authorityName: "National Bank of Romania",
  authorityId: "RO-NBR",
  roles,
});

it.each(all)("C7: %s opens what is open to it, and nothing else", (own) => {
  for (const role of all) {
    const text = `the certificate lacks ${role}; it has ${own}`;
    const expected = role === own ? undefined : { code: "ROLE_INVALID", text };
    expect(refusal(() => checkRole(tppWith(own), role))).toEqual(expected);
  }
});

it("C7: a TPP with several roles has each of them", () => {
  const tpp = tppWith("PSP_PI", "PSP_IC");
  expect(refusal(() => checkRole(tpp, "PSP_IC"))).toBeUndefined();
  expect(refusal(() => checkRole(tpp, "PSP_AI"))?.code).toBe("ROLE_INVALID");
});
