import { describe, expect, it } from "vitest";
import { type GuideName, guideFiles, readGuide } from "./guides";

const hosts = { WEB_URL: "https://online.bank.example", XS2A_URL: "https://xs2a.bank.example" };
const names = Object.keys(guideFiles) as GuideName[];
const samples = names.flatMap((name) =>
  readGuide(name, hosts).parts.flatMap((part) => (part.kind === "sample" ? [part] : [])),
);

describe("a guide", () => {
  it.each(names)("%s has a title, and this bank's addresses", (name) => {
    const { title, parts } = readGuide(name, hosts);
    expect(title).toMatch(/^\w/);
    const text = parts.map((part) => (part.kind === "text" ? part.markdown : "")).join("\n");
    expect(text).not.toMatch(/localhost:(3000|8443)|^- \[\w+\]\(.*#\w+\)$/m);
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
