import { expect, it } from "vitest";
import { refusalInText, stepsInText } from "./steps-in-text";

const refusal = { status: 401, code: "SIGNATURE_INVALID", text: "no\u001b[2J", path: "Digest" };

it("a step is its verdict, the bank's words and what it saw; nothing of it moves the terminal", () => {
  const text = stepsInText([
    {
      title: "Digest",
      facts: [
        { label: "Sent", value: "x\u001b[31m" },
        { label: "Expected", value: "y" },
      ],
      verdict: { kind: "failed", refusal },
    },
    {
      title: "Signing string",
      facts: [{ label: "Text", value: "a↵\nb\u0007", block: true }],
      verdict: { kind: "not judged", because: "No seal." },
    },
  ]);
  expect(text.split("\n")).toEqual([
    "1. Digest: FAILED",
    "   401 SIGNATURE_INVALID (Digest): no [2J",
    "   Sent      x [31m",
    "   Expected  y",
    "",
    "2. Signing string: not judged. No seal.",
    "   Text",
    "     a↵",
    "     b ",
  ]);
});

it("a refusal without a path is told without one", () => {
  const { path: _, ...plain } = refusal;
  expect(refusalInText({ ...plain, text: "no" })).toBe("401 SIGNATURE_INVALID: no");
});
