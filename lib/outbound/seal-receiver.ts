import { createSocket } from "node:dgram";
import { appendFile } from "node:fs/promises";
import { hostname } from "node:os";
import { fileURLToPath } from "node:url";
import type { Seal } from "@/lib/domain/events";

const MILLISECONDS_MAX = 5_000;
/** Facility 13, log audit, and severity 5, notice (RFC 5424 6.2.1). */
const PRIORITY = 13 * 8 + 5;

/**
 * Where seals are kept besides the database, so that who can change that cannot change its history unseen: a file, which
 * gets a line of JSON for each (`file:`), a syslog server (`syslog:`, RFC 5424 over UDP), or a web server that takes a
 * POST (`https:`). Throws when a seal was not taken; of UDP that is not known.
 */
export function sealReceiver(address: string): (seal: Seal) => Promise<void> {
  const url = new URL(address);
  if (url.protocol === "file:") {
    const path = fileURLToPath(url);
    return (seal) => appendFile(path, `${JSON.stringify(seal)}\n`, { mode: 0o600, flush: true });
  }
  return url.protocol === "syslog:"
    ? (seal) => sendToSyslog(url, seal)
    : (seal) => postSeal(address, seal);
}

function sendToSyslog({ hostname: host, port }: URL, seal: Seal): Promise<void> {
  const text = `<${PRIORITY}>1 - ${hostname()} drawbridge - event-seal - ${JSON.stringify(seal)}`;
  const socket = createSocket(host.startsWith("[") ? "udp6" : "udp4");
  return new Promise((resolve, reject) => {
    const done = (error: Error | null) => {
      socket.close();
      if (error === null) resolve();
      else reject(error);
    };
    socket.once("error", done);
    socket.send(text, port === "" ? 514 : Number(port), host.replace(/^\[|\]$/g, ""), done);
  });
}

async function postSeal(address: string, seal: Seal): Promise<void> {
  const response = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(seal),
    redirect: "manual",
    signal: AbortSignal.timeout(MILLISECONDS_MAX),
  });
  response.body?.cancel().catch(() => undefined);
  if (!response.ok) throw new Error(`the receiver of seals answered ${response.status}`);
}
