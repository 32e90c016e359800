import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { build } from "esbuild";

/** `npm pack` runs it: one module for Node, and its types, in dist/ or the folder that is named. */
const here = import.meta.dirname;
const dist = resolve(process.argv[2] ?? join(here, "dist"));
rmSync(dist, { recursive: true, force: true });

await build({
  entryPoints: [join(here, "src/index.ts")],
  outfile: join(dist, "index.js"),
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  logLevel: "warning",
});

const typescript = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));
execFileSync(process.execPath, [join(typescript, "bin/tsc"), "-p", here, "--outDir", dist], {
  stdio: "inherit",
});

// Node's resolution of modules, which TypeScript follows for those who use them, knows no name without an ending.
for (const name of readdirSync(dist).filter((file) => file.endsWith(".d.ts"))) {
  const file = join(dist, name);
  writeFileSync(
    file,
    readFileSync(file, "utf8").replaceAll(/((?:from |import\()"\.\/\w[\w-]*)"/g, '$1.js"'),
  );
}
