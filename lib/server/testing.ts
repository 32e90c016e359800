import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import tls from "node:tls";
import { expect, onTestFinished } from "vitest";
import { makeCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { loadServerCertificate } from "@/lib/sandbox/server-certificate";
import { nextKeys } from "@/lib/sandbox/testing";
import { issueTppCertificates } from "@/lib/sandbox/tpp-certificates";
import { freePort } from "./embedded-database";
import { brokenTppRequest } from "./fault-answer";
import { type Host, listen } from "./listeners";
import { type ClientCertificate, type Handler, tppHost } from "./tpp-host";

/** Opens a host on a free loopback port for the length of a test, and yields the port. */
export async function openHost(
  host: Pick<Host, "handle" | "tls" | "broken"> & Partial<Pick<Host, "setting" | "limits">>,
): Promise<number> {
  const port = await freePort(0);
  const listener = await listen({ setting: "XS2A_PORT", loopbackOnly: true, ...host, port });
  onTestFinished(() => listener.close(0));
  return port;
}

/** Stands in for the application: says in JSON what of a request reached it. */
export const echo: Handler = async (request, response) => {
  const { method, url, headers, rawHeaders } = request;
  response.setHeader("content-type", "application/json");
  response.setHeader("x-powered-by", "Next.js");
  response.end(JSON.stringify({ method, url, headers, rawHeaders }));
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The TPP host over plain HTTP, with an application and a client certificate of the test's choice. */
export async function openTppHost(
  handle: Handler,
  certificate: ClientCertificate = () => undefined,
  more: Pick<Host, "limits"> = {},
): Promise<{ readonly port: number }> {
  const broken = brokenTppRequest;
  return { port: await openHost({ handle: tppHost(handle, certificate), broken, ...more }) };
}

/** Holds an answer against the standard's form of a refusal. */
export function expectFault(answer: RawAnswer, status: number, code: string): void {
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(answer.headers.get("x-request-id")).toMatch(uuid);
  expect(answer.headers.get("x-fapi-interaction-id")).toMatch(uuid);
  const text = expect.stringMatching(/.+/);
  expect(JSON.parse(answer.body)).toEqual({ tppMessages: [{ category: "ERROR", code, text }] });
}

type Target = {
  readonly port: number;
  /** With it the connection is TLS; the server's certificate is not looked at. */
  readonly tls?: tls.ConnectionOptions;
};

export type RawAnswer = {
  readonly status: number;
  readonly head: string;
  readonly headers: Headers;
  readonly body: string;
};

/** Sends bytes as they are and reads until the other side closes the connection. */
export async function sendRaw(target: Target, bytes: string): Promise<RawAnswer> {
  const options = { port: target.port, host: "127.0.0.1" };
  const socket =
    target.tls === undefined
      ? net.connect(options)
      : tls.connect({ ...options, rejectUnauthorized: false, ...target.tls });
  socket.write(bytes, "latin1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(socket, "close");
  return parse(Buffer.concat(chunks).toString());
}

/** One request with the given header lines, after which the connection is closed. */
export function get(
  target: Target,
  path: string,
  lines: readonly string[] = [],
  method = "GET",
): Promise<RawAnswer> {
  const head = [`${method} ${path} HTTP/1.1`, "Host: localhost", "Connection: close", ...lines];
  return sendRaw(target, `${head.join("\r\n")}\r\n\r\n`);
}

function parse(text: string): RawAnswer {
  const at = text.indexOf("\r\n\r\n");
  const head = text.slice(0, at);
  const [first = "", ...lines] = head.split("\r\n");
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return { status: Number(first.split(" ")[1]), head, headers, body: text.slice(at + 4) };
}

/** A TLS certificate for the TPP host and a QWAC for who calls it, of one CA. */
export async function makeTestCertificates() {
  const now = new Date();
  const authority = await makeCertificateAuthority(now);
  const folder = await mkdtemp(path.join(tmpdir(), "drawbridge-test-"));
  const file = path.join(folder, "tls.pem");
  const server = await loadServerCertificate(authority, { file, host: "localhost", now });
  await rm(folder, { recursive: true });
  const organisation = { id: "PSDRO-NBR-1234567", name: "Example TPP", roles: ["PSP_AI"] } as const;
  const request = { ...organisation, now, makeKeys: nextKeys };
  const { qwacPem, qwacKeyPem } = await issueTppCertificates(authority, request);
  return { server, client: { cert: qwacPem, key: qwacKeyPem } };
}

/** A new folder that goes with the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "drawbridge-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

type Mortal = {
  readonly pid: number;
  /** kill -9; resolves when the process is a zombie, and it stays one until the test is over. */
  readonly kill: () => Promise<void>;
};

/** A process, in the folder of the test, whose parent never waits for it. Linux only. */
export async function unreapedProcess(): Promise<Mortal> {
  const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"]);
  onTestFinished(() => void parent.kill());
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  const pid = Number(line.toString());
  // The shell would wait for its child; what it turns into does not.
  await shows(Number(parent.pid), "(sleep)");
  await shows(pid, "(sleep)");
  const kill = () => {
    process.kill(pid, "SIGKILL");
    return shows(pid, ") Z ");
  };
  return { pid, kill };
}

async function shows(pid: number, text: string): Promise<void> {
  while (!(await readFile(`/proc/${pid}/stat`, "utf8")).includes(text)) await sleep(5);
}
