import type { HttpHead } from "../http";

/** A line of the signed text: the name of a covered header, and its value. */
export type SignedLine = readonly [name: string, value: string];

/**
 * The bytes that were signed: a line `name: value` for each covered header, in the order of the
 * list. Header values are taken as the bytes they were on the wire, which Node hands on as Latin-1.
 */
export function signingString(signed: readonly string[], request: HttpHead): Uint8Array {
  const lines = signedLines(signed, request).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(lines.join("\n"), "latin1");
}

export function signedLines(signed: readonly string[], request: HttpHead): readonly SignedLine[] {
  return signed.map((name) => {
    const value = name === "(request-target)" ? requestTarget(request) : request.headers.get(name);
    if (value === null) throw new Error(`covered headers are checked before: ${name}`);
    return [name, value];
  });
}

function requestTarget(request: HttpHead): string {
  const { pathname, search } = new URL(request.url);
  return `${request.method.toLowerCase()} ${pathname}${search}`;
}
