import { statSync } from "node:fs";
import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { oncePerTurn } from "@/lib/once-per-turn";

/** A certificate of the sandbox CA that it no longer stands by. */
export type Revoked = { readonly serialNumber: bigint; readonly at: Date };

const LINE = /^([0-9a-f]{2,40}) (\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)$/;

/** Appended to, a line each, so that processes beside each other lose nothing of one another. */
function fileIn(authorityDirectory: string): string {
  return join(authorityDirectory, "revoked");
}

export async function revoke(
  authorityDirectory: string,
  { serialNumber, at }: Revoked,
): Promise<void> {
  const line = `${serialNumber.toString(16).padStart(2, "0")} ${at.toISOString()}\n`;
  await appendFile(fileIn(authorityDirectory), line);
}

/** Each once, as of the first time. Throws an Error when a line is unreadable: half a list revokes half. */
export async function revokedIn(authorityDirectory: string): Promise<readonly Revoked[]> {
  const text = await readFile(fileIn(authorityDirectory), "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  });
  const all = text.split("\n").filter(Boolean).map(fromLine);
  const bySerialNumber = new Map(all.toReversed().map((one) => [one.serialNumber, one]));
  return [...bySerialNumber.values()];
}

/** The same for whoever asks at each request: read again only when something was appended. */
export function followRevoked(authorityDirectory: string): () => Promise<readonly Revoked[]> {
  const file = fileIn(authorityDirectory);
  let known: { readonly of: string; readonly all: readonly Revoked[] } | undefined;
  // Of the two certificates of a request, and of all requests of one instant.
  const stateOfFile = oncePerTurn(() => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : "none";
  });
  return async () => {
    // Looked at before it is read: what is appended in between is read at the next request.
    const of = stateOfFile();
    if (known?.of !== of) known = { of, all: await revokedIn(authorityDirectory) };
    return known.all;
  };
}

function fromLine(line: string): Revoked {
  const [, serialNumber, at] = LINE.exec(line) ?? [];
  if (serialNumber === undefined || at === undefined) {
    throw new Error("sandbox CA: its list of revoked certificates is unreadable");
  }
  return { serialNumber: BigInt(`0x${serialNumber}`), at: new Date(at) };
}
