import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tarOf } from "./tar";

it("an archive is what tar takes apart: names, contents and rights", () => {
  const folder = mkdtempSync(join(tmpdir(), "drawbridge-tar-"));
  const at = new Date("2026-11-20T10:00:00Z");
  const contents = { "a/empty": "", "a/whole": "x".repeat(512), "text.pem": "ăîș\n" };
  const files = Object.entries(contents).map(([name, content]) => {
    return { name, content, mode: name.startsWith("a/") ? 0o644 : 0o600 } as const;
  });
  execFileSync("tar", ["-x", "-C", folder], { input: tarOf(files, at) });
  for (const { name, content, mode } of files) {
    const { mode: own, mtime } = statSync(join(folder, name));
    expect([name, own & 0o777, mtime]).toEqual([name, mode, at]);
    expect(readFileSync(join(folder, name), "utf8")).toBe(content);
  }
  rmSync(folder, { recursive: true });
  expect(() => tarOf([{ name: "x".repeat(101), content: "", mode: 0o600 }], at)).toThrow("long");
});
