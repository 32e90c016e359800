import { describe, expect, it } from "vitest";
import { endPages } from "./end-pages";
import { endedReason, endedReasons } from "./ended-reason";
import { outcomes } from "./outcome";
import { english } from "./texts/english";

/** Every text there is, by its place in the catalogue. */
function entries(catalogue: object, path = ""): readonly (readonly [string, unknown])[] {
  return Object.entries(catalogue).flatMap(([name, value]) =>
    typeof value === "object" ? entries(value, `${path}${name}.`) : [[`${path}${name}`, value]],
  );
}

describe("the texts in English", () => {
  it.each(entries(english).filter(([, text]) => typeof text === "string"))("%s", (_path, text) => {
    expect(text).toMatch(/\S/);
  });

  it("have one for every outcome, ended page and ended reason", () => {
    expect(Object.keys(english.outcomes).sort()).toEqual(Object.keys(outcomes).sort());
    expect(Object.keys(english.ends).sort()).toEqual([...endPages].sort());
    expect(Object.keys(english.alone).sort()).toEqual([...endedReasons, "not-found"].sort());
  });

  it("warn before the last try", () => {
    expect(english.outcomes["wrong-code"].text(1)).toMatch(/One try is left/);
    expect(english.outcomes["wrong-credentials"].text(2)).toMatch(/2 tries are left/);
  });
});

describe("the reason of an ended request", () => {
  it("is one of the closed list", () => {
    expect(endedReasons.map(endedReason)).toEqual(endedReasons);
  });
  it.each([undefined, "", "<script>", "constructor", ["fault"]])(
    "%j says no more than gone",
    (text) => {
      expect(endedReason(text)).toBe("gone");
    },
  );
});
