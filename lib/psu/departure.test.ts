import { describe, expect, it } from "vitest";
import { departurePath, readDeparture } from "./departure";
import type { PsuHouse } from "./house";
import { seal } from "./sealed";

const config = {
  SESSION_SECRET: "a secret of at least thirty-two characters",
} as PsuHouse["config"];
const house = { config };
const location = "https://tpp.example/cb?code=x&state=y";

async function sealedOf(departure: { location: string; tppName: string }): Promise<string> {
  const path = await departurePath(house, departure);
  return path.split("/").at(-1) ?? "nothing";
}

describe("the page that leads on to the TPP", () => {
  it("P15: is the bank's own, so that a form's chain of redirects ends there", async () => {
    const path = await departurePath(house, { location, tppName: "Example TPP" });
    expect(path).toMatch(/^\/authorise\/leaving\/[\w.-]+$/);
    expect(path).not.toContain("tpp.example");
  });

  it("leads where the bank said", async () => {
    const departure = { location, tppName: "Example TPP" };
    expect(await readDeparture(house, await sealedOf(departure))).toEqual(departure);
  });

  it.each([undefined, "", "https://evil.example/", ["a", "b"], location])(
    "O12: leads nowhere by the word of a caller: %j",
    async (to) => expect(await readDeparture(house, to)).toBeUndefined(),
  );

  it("O12: leads nowhere by a text sealed for something else, or altered", async () => {
    const content = { location, tppName: "Example TPP" };
    const other = await seal(config.SESSION_SECRET, "psu-way-back", content, 60);
    expect(await readDeparture(house, other)).toBeUndefined();
    const sealed = await sealedOf(content);
    const [head = "", ...rest] = sealed.split(".");
    const tag = String(rest.pop());
    const altered = [head, ...rest, `${tag.startsWith("A") ? "B" : "A"}${tag.slice(1)}`].join(".");
    expect(await readDeparture(house, altered)).toBeUndefined();
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "tpp:cb"])(
    "O12: never leads to %s",
    async (evil) => {
      const sealed = await sealedOf({ location: evil, tppName: "Example TPP" });
      expect(await readDeparture(house, sealed)).toBeUndefined();
    },
  );
});
