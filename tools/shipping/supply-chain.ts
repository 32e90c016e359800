import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";

/**
 * `npm run supply-chain`: the SBOM (CycloneDX) names every package with its hash, those of development marked; and
 * the registry has signed every package that is installed. Without an answer of the registry it says so.
 */
const root = path.join(import.meta.dirname, "../..");
const npm = (...args: readonly string[]) =>
  spawnSync("npm", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });

const bom = z.object({
  bomFormat: z.literal("CycloneDX"),
  components: z.array(
    z.object({
      purl: z.string().startsWith("pkg:npm/"),
      hashes: z.array(z.object({ alg: z.string(), content: z.string() })).min(1),
    }),
  ),
});
const manifest = z.object({ dependencies: z.record(z.string(), z.string()) });
const audit = z.union([
  z.object({ invalid: z.array(z.unknown()), missing: z.array(z.unknown()) }),
  z.object({ error: z.object({ code: z.string(), summary: z.string() }) }),
]);
const NO_ANSWER =
  /^(E(AI_AGAIN|CONN[A-Z]+|HOSTUNREACH|NOTFOUND|TIMEDOUT)|ERR_SOCKET_TIMEOUT|E5\d\d)$/;

const { components } = bom.parse(JSON.parse(npm("sbom", "--sbom-format=cyclonedx").stdout));
const { dependencies } = manifest.parse(
  JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")),
);
const named = new Set(components.map(({ purl }) => decodeURIComponent(purl)));
const unnamed = Object.entries(dependencies).filter(
  ([name, version]) => !named.has(`pkg:npm/${name}@${version}`),
);
console.log(`SBOM: ${components.length} packages`);
if (unnamed.length > 0) fail(`the SBOM leaves out ${unnamed.map(([name]) => name).join(", ")}`);

// Its keys come from sigstore, and the retries of npm take a minute.
const { stdout } = npm("audit", "signatures", "--json", "--fetch-retries=1");
const said = audit.parse(JSON.parse(stdout));
if ("error" in said) {
  if (!NO_ANSWER.test(said.error.code)) fail(`npm audit signatures: ${said.error.summary}`);
  else console.log(`No signature is verified, there is no answer: ${said.error.summary}`);
} else if (said.invalid.length + said.missing.length > 0) fail(stdout);
else console.log("Signatures: every package is signed by the registry");

function fail(text: string): void {
  console.error(text);
  process.exitCode = 1;
}
