import { describe, expect, it } from "vitest";
import { type OrderTexts, readOrder } from "./certificate-order";

const sound: OrderTexts = { id: "PSDRO-NBR-1234567", name: "Example TPP", roles: ["PSP_AI"] };
const read = (texts: Partial<OrderTexts> = {}) => readOrder({ ...sound, ...texts });

describe("an order for certificates", () => {
  it("needs organisation and roles, and is for two years", () => {
    const { id, name, roles } = sound;
    expect(read()).toEqual({ order: { organisation: { id, name, roles }, days: 730 } });
  });

  it("may name the authority, the domain, the days and a defect; what is empty is not given", () => {
    const empty = { authorityId: "", authorityName: " ", domain: "", days: "", defect: "", in: "" };
    expect(read(empty)).toEqual(read());
    const full = read({
      authorityId: "DE-BAFIN",
      authorityName: " BaFin ",
      domain: "TPP.example",
      days: "90",
      defect: "expired",
      in: "qseal",
    });
    expect(full).toEqual({
      order: {
        organisation: {
          ...sound,
          authorityId: "DE-BAFIN",
          authorityName: "BaFin",
          domain: "tpp.example",
        },
        days: 90,
        defect: { defect: "expired", in: "qseal" },
      },
    });
  });

  it("a defect is in the QWAC where it makes sense there, else in the seal", () => {
    const place = (defect: string) => read({ defect });
    expect(place("expired")).toMatchObject({ order: { defect: { in: "qwac" } } });
    expect(place("other-organisation")).toMatchObject({ order: { defect: { in: "qseal" } } });
    // A TLS library would not send such a QWAC.
    expect(place("sha1")).toMatchObject({ order: { defect: { in: "qseal" } } });
  });

  it.each<readonly [keyof OrderTexts, Partial<OrderTexts>, string]>([
    ["id", { id: "1234567" }, "must be of the form PSDRO-NBR-1234567"],
    ["id", { id: "PSDRO-NBR-1 2" }, "must be of the form PSDRO-NBR-1234567"],
    ["name", { name: " " }, "must be a name of at most 64 characters, without line breaks"],
    ["name", { name: "A\nB" }, "must be a name of at most 64 characters, without line breaks"],
    [
      "name",
      { name: "A".repeat(65) },
      "must be a name of at most 64 characters, without line breaks",
    ],
    ["roles", { roles: [] }, "must be some of PSP_AI, PSP_PI, PSP_IC, PSP_AS"],
    ["roles", { roles: ["PSP_XX"] }, "PSP_XX is no PSD2 role"],
    ["roles", { roles: ["PSP_AI", "PSP_AI"] }, "names a role twice"],
    ["authorityId", { authorityId: "NBR" }, "must be of the form RO-NBR"],
    ["domain", { domain: "tpp example" }, "must be a host name, as in tpp.example"],
    ["domain", { domain: "https://tpp.example" }, "must be a host name, as in tpp.example"],
    ["days", { days: "0" }, "must be a number of days from 1 to 3650"],
    ["days", { days: "3651" }, "must be a number of days from 1 to 3650"],
    ["days", { days: "1.5" }, "must be a number of days from 1 to 3650"],
    ["defect", { defect: "nonsense" }, "nonsense is not in the list of defects"],
    ["in", { defect: "expired", in: "tls" }, "is qwac or qseal"],
    [
      "in",
      { defect: "other-organisation", in: "qwac" },
      "the defect other-organisation makes no sense in a qwac",
    ],
  ])("%s: %j is refused", (field, texts, text) => {
    expect(read(texts)).toEqual({ faults: [{ field, text }] });
  });
});
