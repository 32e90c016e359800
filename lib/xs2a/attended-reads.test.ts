import { describe, expect, it } from "vitest";
import { newConsentId, type TppId } from "@/lib/domain/values";
import { attendedReads } from "./attended-reads";

const tppId = "PSDRO-NBR-1" as TppId;
const HOUR_MS = 3_600_000;

/** What is found of a TPP whose consents, one after the other, are read from these addresses. */
function watched() {
  const found: { readonly tppId: TppId; readonly consents: number }[] = [];
  let milliseconds = 0;
  const { note } = attendedReads(
    (one) => found.push(one),
    () => milliseconds,
  );
  const read = (count: number, addressOf: (nth: number) => string, of = tppId) => {
    for (let nth = 0; nth < count; nth += 1) {
      note({ tppId: of, consentId: newConsentId(), address: addressOf(nth) });
    }
  };
  return { found, note, read, pass: (more: number) => (milliseconds += more) };
}

const one = () => "81.196.12.34";
const another = (nth: number) => `81.197.${nth}.1`;

describe("B4: attended reads of a hundred consents", () => {
  it("that name one address for most of them are found, once an hour of each TPP", () => {
    const { found, read, pass } = watched();
    read(49, another);
    read(50, one);
    expect(found).toEqual([]);
    read(500, one);
    expect(found).toEqual([{ tppId, consents: 51 }]);
    read(100, one, "PSDRO-NBR-2" as TppId);
    pass(HOUR_MS);
    read(100, one);
    expect(found.map((each) => each.consents)).toEqual([51, 100, 100]);
  });

  it.each([
    ["for half of them", (nth: number) => (nth % 2 === 0 ? one() : another(nth))],
    ["for each another", another],
    ["for each another network of IPv6", (nth: number) => `2a02:2f00:0:${nth.toString(16)}::1`],
  ])("that name one address %s are not", (_what, addressOf) => {
    const { found, read } = watched();
    read(200, addressOf);
    expect(found).toEqual([]);
  });

  it("that name addresses of one network of IPv6 are found", () => {
    const { found, read } = watched();
    read(100, (nth) => `2a02:2f00::${nth.toString(16)}`);
    expect(found).toHaveLength(1);
  });

  it("are not many reads of few consents, nor fewer than a hundred in an hour", () => {
    const { found, note, read, pass } = watched();
    const consentId = newConsentId();
    for (let nth = 0; nth < 200; nth += 1) note({ tppId, consentId, address: one() });
    read(98, one);
    pass(HOUR_MS);
    read(99, one);
    expect(found).toEqual([]);
  });
});
