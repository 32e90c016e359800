import { describe, expect, it } from "vitest";
import { now, tpp } from "./testing/samples";
import { type Tpp, upsertTpp } from "./tpp";

/** Whom the register was told to keep. */
async function kept(knownTpp?: Tpp): Promise<readonly Tpp[]> {
  const told: Tpp[] = [];
  const tppRegister = {
    remember: async (met: Tpp) => {
      told.push(met);
    },
    find: async () => undefined,
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
    ["roles", { roles: ["PSP_AS"] }],
    ["id", { id: "PSDRO-NBR-7" as Tpp["id"] }],
  ])("again when its certificate has another %s", async (_what, change) => {
    expect(await kept({ ...tpp, ...change })).toEqual([tpp]);
  });

  it("and left alone while its certificate says the same", async () => {
    expect(await kept({ ...tpp, roles: [...tpp.roles] })).toEqual([]);
  });
});
