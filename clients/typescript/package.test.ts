import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const user = mkdtempSync(join(tmpdir(), "drawbridge-package-"));
const installed = join(user, "node_modules/@drawbridge/xs2a");

/** As somebody has it who installs the tarball. */
beforeAll(() => {
  mkdirSync(installed, { recursive: true });
  const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", user], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  });
  const tarball = join(user, packed.trim().split("\n").at(-1) ?? "none");
  execFileSync("tar", ["-xzf", tarball, "-C", installed, "--strip-components=1"]);
  writeFileSync(join(user, "package.json"), '{ "type": "module" }');
  symlinkSync(join(ROOT, "node_modules/@types"), join(user, "node_modules/@types"));
});
afterAll(() => rmSync(user, { recursive: true }));

it("the package is one module and its types, and needs no other package", () => {
  const { dependencies, peerDependencies } = JSON.parse(
    readFileSync(join(installed, "package.json"), "utf8"),
  );
  expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
  const code = readFileSync(join(installed, "dist/index.js"), "utf8");
  const imports = [...code.matchAll(/^import .* from "([^"]+)";$/gm)].map(([, name]) => name);
  expect(imports).not.toEqual([]);
  expect(imports.filter((name) => !name?.startsWith("node:"))).toEqual([]);
});

it("the program in its README is one for the package as it is installed", () => {
  const readme = readFileSync(join(installed, "README.md"), "utf8");
  const [, program = "none"] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  const run = compiled(program);
  expect(() => run("no-such-folder")).toThrow("no-such-folder/qwac.pem");
});

it("the example's program does nothing for a command that it does not know", () => {
  const program = readFileSync(join(ROOT, "examples/tpp/typescript/tpp.ts"), "utf8");
  const run = compiled(program);
  expect(() => run("no-such-folder", "pay")).toThrow("no-such-folder/qwac.pem");
  for (const args of [[], ["acounts"], ["pay", "20.00"]])
    expect(() => run("no-such-folder", ...args)).toThrow("CERTIFICATES accounts|pay");
});

function compiled(program: string) {
  writeFileSync(join(user, "program.ts"), program);
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const strict = "--strict --module nodenext --target es2023 --types node program.ts";
  execFileSync(process.execPath, [compiler, ...strict.split(" ")], { cwd: user, stdio: "pipe" });
  return (...args: readonly string[]) =>
    execFileSync(process.execPath, ["program.js", ...args], { cwd: user, stdio: "pipe" });
}
