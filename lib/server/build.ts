import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Metafile, Plugin } from "esbuild";
import { takeLock } from "./lock-file";
import { isOfTppHost } from "./tpp-paths";

const waitMs = 200;

/**
 * Builds the application unless the build at hand is of these very sources. Of several servers that
 * start at once one builds and the others wait for it. Throws with the build's output.
 */
export async function buildWhenNeeded(root: string, signal: AbortSignal): Promise<void> {
  const stamp = buildStamp(root);
  if (await isBuilt(root, stamp)) return;
  // Next empties its folder when it begins to build, but for what it has in its cache.
  const lock = path.join(root, ".next", "cache", "drawbridge.lock");
  await mkdir(path.dirname(lock), { recursive: true });
  let unlock = await takeLock(lock);
  while (typeof unlock !== "function") {
    await sleep(waitMs, undefined, { signal });
    unlock = await takeLock(lock);
  }
  try {
    if (await isBuilt(root, stamp)) return;
    console.log("Building once, about half a minute…");
    await rm(stampFile(root), { force: true });
    await buildBrowserModules(root).catch(asBuildError);
    await packClient(root, signal);
    await nextBuild(root, signal);
    await buildServer(root).catch(asBuildError);
    await writeFile(stampFile(root), stamp);
  } finally {
    await unlock();
  }
}

/** Whether the build at hand is of these very sources. */
export async function isBuilt(root: string, stamp = buildStamp(root)): Promise<boolean> {
  return (await readFile(stampFile(root), "utf8").catch(() => undefined)) === stamp;
}

function stampFile(root: string): string {
  return path.join(root, BUILT_SERVER, "stamp");
}

function nextBuild(root: string, signal: AbortSignal): Promise<void> {
  const next = createRequire(import.meta.url).resolve("next/dist/bin/next");
  return runNode([next, "build"], root, signal);
}

/** The TPP's package, which `npm install` takes from the portal. */
async function packClient(root: string, signal: AbortSignal): Promise<void> {
  const client = path.join(root, "clients/typescript");
  const dist = path.join(root, ".next/cache/client");
  await runNode(["--import", "tsx", path.join(client, "build.ts"), dist], root, signal);
  const files = [
    ...["package.json", "README.md"].map((name) => [name, path.join(client, name)] as const),
    ...readdirSync(dist).map((name) => [`dist/${name}`, path.join(dist, name)] as const),
  ].map(([name, file]) => {
    return { name: `package/${name}`, data: readFileSync(file), attrs: { mode: "644" } };
  });
  // Only a build needs it, and not every start is one.
  const { createTarGzip } = await import("nanotar");
  const archive = await createTarGzip(files);
  await writeFile(path.join(root, BUILT_MODULES, "drawbridge-xs2a.tgz"), archive);
}

function runNode(args: readonly string[], root: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, fail) => {
    const child = spawn(process.execPath, args, { cwd: root, signal });
    const output: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => output.push(chunk));
    child.on("error", fail);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else fail(new BuildError(Buffer.concat(output).toString()));
    });
  });
}

function asBuildError(error: Error): never {
  throw new BuildError(error.message);
}

/** Its message is all that the build said. */
export class BuildError extends Error {
  override readonly name = "BuildError";
}

/** As deep below the root as the sources are: both find the root, and the migrations, two folders up. */
export const BUILT_SERVER = ".next/drawbridge";
type Programs = Readonly<Record<string, string>>;

/** What a process runs, by the name of its file. */
export function serverPrograms(root: string): Programs {
  return {
    current: 'export * from "./lib/server/build-is-current";',
    lists: 'import { runTrustedLists } from "./lib/server/trusted-lists"; await runTrustedLists();',
    start: 'import { runLauncher } from "./lib/server/launcher"; await runLauncher();',
    tpp: tppProgram(routeFiles(root)),
    web: 'import { runBrowserHost } from "./lib/server/web-process"; await runBrowserHost();',
  };
}

/**
 * Makes modules of the sources, which so need no compiler: the launcher and the two hosts, one of them with its route
 * files and without Next. Throws with what is wrong.
 */
export function buildServer(root: string): Promise<void> {
  return buildPrograms(root, serverPrograms(root), BUILT_SERVER);
}

export async function buildPrograms(
  root: string,
  programs: Programs,
  outdir: string,
): Promise<void> {
  // Only a build needs it, and not every start is one.
  const { build } = await import("esbuild");
  // Each by itself: what two have in common would else be loaded whole by both.
  for (const [name, contents] of Object.entries(programs)) {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: [name],
      outdir,
      outExtension: { ".js": ".mjs" },
      plugins: [generated(name, contents, root), externalPackages],
      bundle: true,
      splitting: true,
      metafile: true,
      format: "esm",
      platform: "node",
      target: "node20",
      logLevel: "silent",
    });
    if (name === "tpp") checkWithoutFramework(metafile);
  }
}

function checkWithoutFramework({ outputs }: Metafile): void {
  const imports = Object.values(outputs).flatMap((output) => output.imports);
  const framework = imports.filter(({ path: name }) =>
    /^(next|next-auth|react|react-dom)(\/|$)/.test(name),
  );
  if (framework.length === 0) return;
  throw new Error(`the TPP host imports ${framework.map(({ path: name }) => name).join(", ")}`);
}

/** By the path that their folders stand for: a folder in parentheses only groups others. */
function routeFiles(root: string): RouteFileList {
  const files = filesBelow(root, "app").filter((file) => file.endsWith("/route.ts"));
  return files
    .map((file) => {
      const folders = path.posix.dirname(file).split("/").slice(1);
      return [`/${folders.filter((name) => !name.startsWith("(")).join("/")}`, file] as const;
    })
    .filter(([address]) => isOfTppHost(address));
}

type RouteFileList = readonly (readonly [address: string, file: string])[];

function tppProgram(files: RouteFileList): string {
  return [
    'import { bankRoutes } from "./lib/bank-api/routes";',
    'import { runTppHost } from "./lib/server/tpp-process";',
    ...files.map(([, file], at) => `import * as r${at} from "./${file}";`),
    `const files = {${files.map(([address], at) => `${JSON.stringify(address)}: r${at}`).join(", ")}};`,
    "await runTppHost(files, bankRoutes);",
  ].join("\n");
}

/** Of many small files each, which take longer to find than to read. */
const INLINED = /^(zod|drizzle-orm|jose|ibantools)(\/|$)/;

/** The other packages stay modules of their own: some of them tell their classes by their names. */
const externalPackages: Plugin = {
  name: "packages",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[^./]/ }, ({ path: name, kind }) => {
      const own = kind === "entry-point" || name.startsWith("@/") || INLINED.test(name);
      return own ? undefined : { external: true };
    });
  },
};

function generated(name: string, contents: string, resolveDir: string): Plugin {
  const namespace = "drawbridge";
  return {
    name: namespace,
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: new RegExp(`^${name}$`) }, ({ kind }) =>
        kind === "entry-point" ? { path: name, namespace } : undefined,
      );
      onLoad({ filter: /.*/, namespace }, () => ({ contents, resolveDir, loader: "ts" }));
    },
  };
}

/** What the pages of PSUs and of developers bring along for comfort; see `browser-host.ts`. */
const BROWSER_MODULES = ["lib/psu/browser/psu.ts", "components/browser/copy-code.ts"];

/** Makes a small script of each, for browsers of the last years. Throws with what is wrong in it. */
async function buildBrowserModules(root: string): Promise<void> {
  // Only a build needs it, and not every start is one.
  const { build } = await import("esbuild");
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(
      BROWSER_MODULES.map((source) => [path.basename(source, ".ts"), source]),
    ),
    outdir: BUILT_MODULES,
    bundle: true,
    minify: true,
    format: "esm",
    target: ["chrome109", "firefox115", "safari16"],
    logLevel: "silent",
  });
}

const sources = [
  "app",
  "clients/typescript/README.md",
  "clients/typescript/build.ts",
  "clients/typescript/package.json",
  "clients/typescript/src",
  "components",
  "drizzle",
  "instrumentation.ts",
  "lib",
  "next.config.ts",
  "package-lock.json",
  "postcss.config.mjs",
  "public",
  "tsconfig.json",
];

/** What the build itself puts below `public/`. */
const BUILT_MODULES = "public/built";

/**
 * Names the sources a build is made of by their contents: it needs no git and sees unsaved work. A start
 * waits for it, and has nothing else to do: to read a thousand files without turns takes a third of the time.
 */
export function buildStamp(root: string): string {
  const hash = createHash("sha256").update(process.version);
  for (const source of sources) {
    for (const file of filesBelow(root, source)) {
      if (file.startsWith(`${BUILT_MODULES}/`)) continue;
      const content = readFileSync(path.join(root, file));
      hash.update(`\0${file}\0${content.byteLength}\0`).update(content);
    }
  }
  return hash.digest("hex");
}

/** Files as paths from the root, in an order that is the same everywhere; what is not there has none. */
export function filesBelow(root: string, source: string): readonly string[] {
  const entries = entriesOf(path.join(root, source));
  if (entries === "a file") return [source];
  const found: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const inside = `${source}/${entry.name}`;
    if (entry.isDirectory()) found.push(...filesBelow(root, inside));
    else if (!/\.test\.tsx?$/.test(entry.name)) found.push(inside);
  }
  return found;
}

function entriesOf(folder: string): readonly Dirent[] | "a file" {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOTDIR" ? "a file" : [];
  }
}
