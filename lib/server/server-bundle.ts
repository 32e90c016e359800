import path from "node:path";
import type { Plugin } from "esbuild";
import { filesBelow } from "./build-stamp";
import { isOfTppHost } from "./tpp-paths";

/** As deep below the root as the sources are: both find the root, and the migrations, two folders up. */
export const BUILT_SERVER = ".next/drawbridge";
const ROUTES = "route-files";

/**
 * Makes modules of the sources: the TPP host's route files, for a listener that needs no framework to call
 * them, the server's start, which then needs no compiler, and its workers. Throws with what is wrong.
 */
export async function buildServer(root: string): Promise<void> {
  // Only a build needs it, and not every start is one.
  const { build } = await import("esbuild");
  const entry = routesModule(routeFiles(root));
  await build({
    absWorkingDir: root,
    entryPoints: [
      { in: ROUTES, out: "routes" },
      { in: "lib/server/start-built.ts", out: "start" },
      { in: "lib/server/worker.ts", out: "worker" },
    ],
    outdir: BUILT_SERVER,
    outExtension: { ".js": ".mjs" },
    plugins: [generated(entry, root), packages],
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "silent",
  });
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

function routesModule(files: readonly (readonly [string, string])[]): string {
  const imports = files.map(([, file], at) => `import * as r${at} from "./${file}";`);
  const entries = files.map(([address], at) => `${JSON.stringify(address)}: r${at},`);
  return [...imports, "export const routes = {", ...entries, "};"].join("\n");
}

/** Of many small files each, which take longer to find than to read. */
const INLINED = /^(zod|drizzle-orm|jose|ibantools)(\/|$)/;

/** The other packages stay modules of their own: some of them tell their classes by their names. */
const packages: Plugin = {
  name: "packages",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[^./]/ }, ({ path: name, kind }) => {
      const own = kind === "entry-point" || name.startsWith("@/") || INLINED.test(name);
      return own ? undefined : { external: true };
    });
  },
};

function generated(contents: string, resolveDir: string): Plugin {
  const namespace = "drawbridge";
  return {
    name: namespace,
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: new RegExp(`^${ROUTES}$`) }, () => ({ path: ROUTES, namespace }));
      onLoad({ filter: /.*/, namespace }, () => ({ contents, resolveDir, loader: "ts" }));
    },
  };
}
