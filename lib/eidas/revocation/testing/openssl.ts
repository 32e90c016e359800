import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Certificate } from "../../certificate";
import type { SignerFiles, TestIssuer } from "./issuer";

export const hasOpenssl = existsSync("/usr/bin/openssl");

/** What OpenSSL prints. Throws an Error when it fails. */
export function openssl(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("openssl", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`openssl ${args[0]}: ${stderr}`);
  return stdout + stderr;
}

/** An entry of OpenSSL's own register of certificates: valid, or revoked for a reason. */
export type Entry = { readonly certificate: Certificate; readonly revoked?: string };

export async function writeIndex(file: string, entries: readonly Entry[]): Promise<void> {
  const lines = entries.map(({ certificate: { serialNumber }, revoked }) => {
    const serial = serialNumber.toString(16).toUpperCase();
    const state = revoked === undefined ? "V\t351231235959Z\t" : `R\t351231235959Z\t${revoked}`;
    return `${state}\t${serial.padStart(serial.length + (serial.length % 2), "0")}\tunknown\t/CN=Tpp\n`;
  });
  await writeFile(file, lines.join(""));
}

export type Responder = {
  readonly url: string;
  readonly stop: () => Promise<void>;
};

/** `openssl ocsp` as a responder on a free port. */
export async function startResponder(
  issuer: TestIssuer,
  entries: readonly Entry[],
  { signer = issuer.own, options = ["-nmin", "60"] }: ResponderOptions = {},
): Promise<Responder> {
  const index = join(issuer.folder, `index-${crypto.randomUUID()}.txt`);
  await writeIndex(index, entries);
  const signing = ["-rsigner", signer.certificate, "-rkey", signer.key];
  const known = ["-index", index, "-CA", issuer.own.certificate];
  const child = spawn("openssl", ["ocsp", "-port", "0", ...known, ...signing, ...options]);
  const port = await portOf(child);
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: async () => {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}

type ResponderOptions = { readonly signer?: SignerFiles; readonly options?: readonly string[] };

/** It says where it listens: `ACCEPT [::]:41771 PID=17901`. */
function portOf({ stdout, stderr }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    for (const stream of [stdout, stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        said += chunk.toString();
        const port = /ACCEPT \S+:(\d+)/.exec(said)?.[1];
        if (port !== undefined) resolve(port);
      });
    }
    stderr?.on("end", () => reject(new Error(`openssl ocsp ended: ${said}`)));
  });
}
