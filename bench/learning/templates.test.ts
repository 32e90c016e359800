import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { templatesOf } from "./templates";

const at = Date.parse("2026-11-21T10:00:00.000Z");
const instant = (seconds: number) => new Date(at + seconds * 1_000).toISOString();

/** Two recordings a minute apart, each with an id of its own. */
function recorded(texts: (id: string, requestId: string, second: number) => (string | null)[]) {
  return [0, 60].map((second) => {
    const requestId = randomUUID();
    return { requestId, at: at + second * 1_000, texts: texts(randomUUID(), requestId, second) };
  });
}

const one = { literals: ["", ""], slots: [0] };

describe("what the limit makes anew", () => {
  it("is nothing where all recordings are the same", () => {
    const { slots, templates } = templatesOf(recorded(() => ["valid", null, instant(0)]));
    expect(slots).toEqual([]);
    expect(templates).toEqual(["valid", null, instant(0)]);
  });

  it("is an id, the same wherever the same one stood", () => {
    const { slots, templates } = templatesOf(recorded((id) => [id, `{"self":"/v1/${id}"}`]));
    expect(slots).toEqual([{ kind: "uuid" }]);
    expect(templates).toEqual([one, { literals: ['{"self":"/v1/', '"}'], slots: [0] }]);
  });

  it("is the request's own id where it is the request's, in whatever case", () => {
    const { slots } = templatesOf(recorded((_, requestId) => [requestId.toUpperCase()]));
    expect(slots).toEqual([{ kind: "request-id" }]);
  });

  it("is an instant, as far from now as it was", () => {
    const { slots } = templatesOf(recorded((_, __, second) => [instant(second + 900)]));
    expect(slots).toEqual([{ kind: "instant", offset: 900_000 }]);
  });

  it("is random text of the same length and characters", () => {
    const texts = [
      ["0f", "aZ-_"],
      ["a1", "b0xQ"],
    ] as const;
    const recordings = texts.map((two) => ({ requestId: randomUUID(), at, texts: two }));
    expect(templatesOf(recordings).slots).toEqual([
      { kind: "random", length: 2, encoding: "hex" },
      { kind: "random", length: 4, encoding: "base64url" },
    ]);
  });

  it("leaves in the text what is the same beside what differs", () => {
    const kept = randomUUID();
    const { templates } = templatesOf(recorded((id) => [`${kept}/${id}`]));
    expect(templates).toEqual([{ literals: [`${kept}/`, ""], slots: [0] }]);
  });

  it.each([
    ["a sentence", "it is now 3 o'clock", "it is now 4 o'clock"],
    ["texts of different lengths", "a", "bc"],
    ["a number", "1.5", "2.5"],
  ])("cannot be %s that differs", (_, some, other) => {
    const recordings = [some, other].map((text) => ({ requestId: "none", at, texts: [text] }));
    expect(() => templatesOf(recordings)).toThrow("cannot make anew");
  });

  it("cannot be a value that is sometimes null", () => {
    const recordings = ["a", null].map((text) => ({ requestId: "none", at, texts: [text] }));
    expect(() => templatesOf(recordings)).toThrow("sometimes null");
  });
});
