import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { aspspProfile } from "@/lib/testing-profile";
import { type GuideName, guideFiles, programs, readGuide, readProgram } from "./guides";

const config = { WEB_URL: "https://online.bank.example", XS2A_URL: "https://xs2a.bank.example" };
const bank = { config, profile: aspspProfile };
const names = Object.keys(guideFiles) as GuideName[];
const samples = names.flatMap((name) =>
  readGuide(name, bank).parts.flatMap((part) => (part.kind === "sample" ? [part] : [])),
);

it.each(Object.keys(programs) as (keyof typeof programs)[])(
  "the program %s calls this bank, and no sandbox of its reader's machine",
  (name) => {
    expect(readProgram(name, bank)).not.toMatch(/localhost:(3000|8443)/);
  },
);

describe("a guide", () => {
  it.each(names)("%s has a title, and this bank's addresses", (name) => {
    const { title, parts } = readGuide(name, bank);
    expect(title).toMatch(/^\w/);
    const text = parts.map((part) => (part.kind === "text" ? part.markdown : "")).join("\n");
    expect(text).not.toMatch(/localhost:(3000|8443)|^- \[\w+\]\(.*#\w+\)$/m);
  });

  const linesOf = (profile: typeof aspspProfile) =>
    names.flatMap((name) => {
      const local = { WEB_URL: "http://localhost:3000", XS2A_URL: "https://localhost:8443" };
      const { parts } = readGuide(name, { config: local, profile });
      return parts.flatMap((part) => (part.kind === "text" ? part.markdown.split("\n") : []));
    });

  it("says in its file what the demo bank's profile says", () => {
    const files = names.map((name) => readFileSync(guideFiles[name], "utf8")).join("\n");
    const shown = linesOf(aspspProfile);
    expect(shown.filter((line) => !files.includes(line))).toEqual([]);
  });

  it("shows each figure of the profile of the bank that it is read at, and changes nothing else", () => {
    const ninefold = <Part extends object>(part: Part) =>
      Object.fromEntries(
        Object.entries(part).map(([key, one]) => [key, typeof one === "number" ? one * 9 : one]),
      ) as Part;
    const { accountConsent, fundsConfirmation, oauth, payments, request, sca, staff } =
      aspspProfile;
    const changed = linesOf({
      ...ninefold(aspspProfile),
      ...{ accountConsent: ninefold(accountConsent), sca: ninefold(sca), oauth: ninefold(oauth) },
      ...{ payments: ninefold(payments), request: ninefold(request), staff: ninefold(staff) },
      fundsConfirmation: ninefold(fundsConfirmation),
    });
    const numbersOf = (lines: readonly string[]) =>
      lines.flatMap((line) =>
        (line.match(/\d[\d,]*/g) ?? []).map((text) => Number(text.replace(/,/g, ""))),
      );
    const shown = numbersOf(changed);
    const moved = numbersOf(linesOf(aspspProfile)).flatMap((said, at) =>
      said === shown[at] ? [] : [[said, (shown[at] ?? 0) / said] as const],
    );
    expect(new Set(moved.map(([, times]) => times))).toEqual(new Set([9]));
    expect(moved.map(([said]) => said).toSorted((a, b) => a - b)).toEqual([
      ...[4, 5, 5, 10, 10, 15, 15, 15, 15, 15, 15, 24, 24, 24, 24, 24, 24, 24, 24, 30, 30],
      ...[60, 60, 60, 90, 100, 165, 165, 165, 180, 180, 180, 5_000, 60_000],
    ]);
  });

  it("shows the sections of the programs that e2e/campaigns/examples.spec.ts runs, and no others", () => {
    const files = ["java/Tpp.java", "python/tpp.py", "typescript/tpp.ts"];
    const shown = [...new Set(samples.map(({ file }) => file))].toSorted();
    expect(shown).toEqual(files.map((file) => `examples/tpp/${file}`));
    const python = samples.find(({ code }) => code.startsWith("def call("));
    expect(python?.code).toMatch(/^ {4}content = .*\n[\s\S]*\n {4}return answer$/m);
    expect(python?.code).not.toContain("region");
  });
});
