import { BUILT_MODULES } from "./build-stamp";

/** What the PSU's pages bring along for comfort; see `own-scripts.ts`. */
const SOURCE = "lib/psu/browser/psu.ts";

/** Makes one small script of it, for browsers of the last years. Throws with what is wrong in it. */
export async function buildBrowserModules(root: string): Promise<void> {
  // Only a build needs it, and not every start is one.
  const { build } = await import("esbuild");
  await build({
    absWorkingDir: root,
    entryPoints: [SOURCE],
    outdir: BUILT_MODULES,
    bundle: true,
    minify: true,
    format: "esm",
    target: ["chrome109", "firefox115", "safari16"],
    logLevel: "silent",
  });
}
