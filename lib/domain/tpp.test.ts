import { describe, expect, it } from "vitest";
import { now, tpp as sample } from "./testing/samples";
import { type Tpp, upsertTpp } from "./tpp";

const tpp: Tpp = { ...sample, roles: ["PSP_PI", "PSP_AI"] };

/** Whom the register was told to keep. */
async function kept(knownTpp?: Tpp): Promise<readonly Tpp[]> {
  const told: Tpp[] = [];
  const tppRegister = {
    remember: async (met: Tpp) => {
      told.push(met);
    },
    find: async () => undefined,
    hasQwacFor: async () => false,
  };
  await upsertTpp({ tppRegister }, { tpp, knownTpp, now });
  return told;
}

describe("a TPP is kept on record", () => {
  it("at its first request to this bank", async () => {
    expect(await kept()).toEqual([tpp]);
  });

  it.each<readonly [string, Partial<Tpp>]>([
    ["name", { name: "Former name" }],
    ["authority", { authorityName: "Another authority" }],
    ["authority's id", { authorityId: "DE-BAFIN" }],
    ["role", { roles: ["PSP_AI", "PSP_AS"] }],
    ["number of roles", { roles: ["PSP_AI", "PSP_PI", "PSP_IC"] }],
    ["id", { id: "PSDRO-NBR-7" as Tpp["id"] }],
  ])("again when its certificate has another %s", async (_what, change) => {
    expect(await kept({ ...tpp, ...change })).toEqual([tpp]);
  });

  it("and left alone while its certificate says the same, its roles in any order", async () => {
    expect(await kept({ ...tpp, roles: tpp.roles.toReversed() })).toEqual([]);
  });
});
