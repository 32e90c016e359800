import path from "node:path";
import type { Metafile, Plugin } from "esbuild";
import { filesBelow } from "./build-stamp";
import { isOfTppHost } from "./tpp-paths";

/** As deep below the root as the sources are: both find the root, and the migrations, two folders up. */
export const BUILT_SERVER = ".next/drawbridge";
/** What a process runs, by the name of its file. */
function programs(root: string): Readonly<Record<string, string>> {
  return {
    current: 'export * from "./lib/server/current";',
    start: 'import { runLauncher } from "./lib/server/start"; await runLauncher();',
    tpp: tppProgram(routeFiles(root)),
    web: 'import { runBrowserHost } from "./lib/server/web-process"; await runBrowserHost();',
  };
}

/**
 * Makes modules of the sources, which so need no compiler: the launcher and the two hosts, one of them with its route
 * files and without Next. Throws with what is wrong.
 */
export async function buildServer(root: string): Promise<void> {
  // Only a build needs it, and not every start is one.
  const { build } = await import("esbuild");
  // Each by itself: what two have in common would else be loaded whole by both.
  for (const [name, contents] of Object.entries(programs(root))) {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: [name],
      outdir: BUILT_SERVER,
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
function routeFiles(root: string): readonly (readonly [string, string])[] {
  const files = filesBelow(root, "app").filter((file) => file.endsWith("/route.ts"));
  return files
    .map((file) => {
      const folders = path.posix.dirname(file).split("/").slice(1);
      return [`/${folders.filter((name) => !name.startsWith("(")).join("/")}`, file] as const;
    })
    .filter(([address]) => isOfTppHost(address));
}

function tppProgram(files: readonly (readonly [string, string])[]): string {
  const run = 'import { runTppHost } from "./lib/server/tpp-process";';
  const imports = files.map(([, file], at) => `import * as r${at} from "./${file}";`);
  const entries = files.map(([address], at) => `${JSON.stringify(address)}: r${at},`);
  return [run, ...imports, "await runTppHost({", ...entries, "});"].join("\n");
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
