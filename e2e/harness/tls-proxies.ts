import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const DOCUMENTED = join(import.meta.dirname, "../../docs/proxy");
/** Where Debian puts them; these folders need not be on the PATH. */
const SYSTEM = ["/usr/sbin", "/usr/local/sbin"];
const START_PATIENCE = 60_000;

export const tlsProxies = ["nginx", "haproxy"] as const;
export type TlsProxy = (typeof tlsProxies)[number];

export type Place = {
  readonly folder: string;
  /** Where TPPs find the proxy, and where the proxy finds the bank. */
  readonly port: number;
  readonly bankPort: number;
  readonly secret: string;
  /** PEM: the proxy's certificate and key in one file, and the issuers whose names it tells. */
  readonly certificate: string;
  readonly issuers: string;
};

/** The program, when it is installed. */
export function programOf(proxy: TlsProxy): string | undefined {
  const folders = [...(process.env["PATH"]?.split(delimiter) ?? []), ...SYSTEM];
  return folders.map((folder) => join(folder, proxy)).find(isProgram);
}

/** Runs a proxy with its documented configuration until the function that comes back is called. */
export async function startProxy(proxy: TlsProxy, place: Place): Promise<() => Promise<void>> {
  const program = programOf(proxy);
  if (program === undefined) throw new Error(`${proxy} is not installed`);
  const folder = join(place.folder, proxy);
  mkdirSync(folder, { recursive: true });
  const args = { nginx: nginxArguments, haproxy: haproxyArguments }[proxy](folder, place);
  const child = spawn(program, args, {
    env: { ...process.env, PROXY_SECRET: place.secret },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const gone = once(child, "exit");
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4_000);
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await gone;
  };
  if (await answers(child, place.port)) return stop;
  await stop();
  throw new Error(`${proxy} did not start:\n${said}`);
}

/** The part for a site within the least that nginx wants around it. */
function nginxArguments(folder: string, place: Place): readonly string[] {
  const site = documented("nginx.conf", [
    ["server 127.0.0.1:8443;", `server 127.0.0.1:${place.bankPort};`],
    ["listen 443 ssl;", `listen localhost:${place.port} ssl;`],
    ["/etc/nginx/xs2a.pem", place.certificate],
    ["/etc/nginx/xs2a.key", place.certificate],
    ["the value of PROXY_SECRET", place.secret],
  ]);
  const kept = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const paths = kept.map((name) => `${name}_temp_path ${join(folder, name)};`);
  const all = [
    // As root it would give its work to a user who cannot read a test's folder.
    ...(process.getuid?.() === 0 ? ["user root;"] : []),
    "daemon off;",
    `pid ${join(folder, "pid")};`,
    "worker_processes 1;",
    "events {}",
    `http { access_log off; ${paths.join(" ")}\n${site}}`,
  ];
  return ["-p", folder, "-e", "stderr", "-c", written(folder, "nginx.conf", all.join("\n"))];
}

function haproxyArguments(folder: string, place: Place): readonly string[] {
  const text = documented("haproxy.cfg", [
    ["server one 127.0.0.1:8443", `server one 127.0.0.1:${place.bankPort}`],
    ["bind :443", `bind localhost:${place.port}`],
    ["/etc/haproxy/xs2a.pem", place.certificate],
    ["/etc/haproxy/issuers.pem", place.issuers],
  ]);
  return ["-db", "-f", written(folder, "haproxy.cfg", text)];
}

type Change = readonly [documented: string, here: string];

/** What is tried is what is documented: only what a bank has to set as well is different here. */
function documented(name: string, changes: readonly Change[]): string {
  return changes.reduce(
    (text, [from, to]) => {
      if (text.split(from).length !== 2) throw new Error(`docs/proxy/${name}: not once: ${from}`);
      return text.replace(from, () => to);
    },
    readFileSync(join(DOCUMENTED, name), "utf8"),
  );
}

function written(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

async function answers(child: ChildProcess, port: number): Promise<boolean> {
  const end = Date.now() + START_PATIENCE;
  while (Date.now() < end && child.exitCode === null && child.signalCode === null) {
    const socket = connect({ port, host: "localhost" });
    const connected = once(socket, "connect").then(
      () => true,
      () => false,
    );
    const isOpen = await connected;
    socket.destroy();
    if (isOpen) return true;
    await sleep(20);
  }
  return false;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
