import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * `npm run chart:try`: helm lints the chart and renders it with two sets of values, a bank's smallest and one with all
 * that is optional; what comes of it is compared with what was reviewed. `-- --write` takes it as it is. What a bank could
 * get wrong without noticing has to be refused.
 */
const folder = path.join(import.meta.dirname, "../../deploy/helm");
const chart = path.join(folder, "drawbridge");
const isWriting = process.argv.includes("--write");
const helm = (...args: readonly string[]) => execFileSync("helm", args, { encoding: "utf8" });
// Helm alone takes the cluster for an old one.
const release = ["template", "bank", chart, "--namespace", "xs2a", "--kube-version", "1.30.0"];
const valuesOf = (name: string) => path.join(folder, "snapshots", `${name}.values.yaml`);
const [, version = "none"] = /^version: (.+)$/m.exec(helm("show", "chart", chart)) ?? [];

for (const name of ["smallest", "whole"]) {
  const values = valuesOf(name);
  console.log(helm("lint", "--strict", chart, "--values", values).trim());
  // A release changes nothing but the version, which may be a part of an address.
  const rendered = helm(...release, "--values", values)
    .replaceAll(`drawbridge-${version}`, "drawbridge-VERSION")
    .replaceAll(`version: "${version}"`, 'version: "VERSION"')
    .replaceAll(`drawbridge:${version}"`, 'drawbridge:VERSION"');
  const file = path.join(folder, "snapshots", `${name}.yaml`);
  if (isWriting) writeFileSync(file, rendered);
  else if (readFileSync(file, "utf8") !== rendered) {
    console.error(
      `${path.relative(process.cwd(), file)} differs; see it with -- --write and git diff`,
    );
    process.exitCode = 1;
  } else console.log(`${name}: as reviewed`);
}

for (const [given, said] of [
  ["tpp.replica=2", "replica"],
  ["networkPolicies.database.to=[]", "networkPolicies.database.to is empty"],
  ["networkPolicies.bank.to=[]", "networkPolicies.bank.to is empty"],
] as const) {
  const args = [...release, "--values", valuesOf("smallest"), "--set-json", given];
  const { status, stderr } = spawnSync("helm", args, { encoding: "utf8" });
  if (status !== 0 && stderr.includes(said)) continue;
  console.error(`${given} is not refused`);
  process.exitCode = 1;
}
