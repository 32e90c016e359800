/** The few DER types that qcStatements are made of. Lengths above 65 535 octets do not occur. */

export function sequence(...items: readonly Uint8Array[]): Uint8Array {
  return tagged(0x30, Buffer.concat(items));
}

export function utf8(text: string): Uint8Array {
  return tagged(0x0c, Buffer.from(text, "utf8"));
}

/** An object identifier in dotted form. */
export function objectId(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return tagged(0x06, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)));
}

function tagged(tag: number, content: Uint8Array): Uint8Array {
  return Buffer.concat([Uint8Array.from([tag, ...length(content.byteLength)]), content]);
}

function length(octets: number): readonly number[] {
  if (octets < 0x80) return [octets];
  return octets < 0x100 ? [0x81, octets] : [0x82, octets >> 8, octets & 0xff];
}

function base128(arc: number): readonly number[] {
  const digits = [arc & 0x7f];
  for (let rest = arc >> 7; rest > 0; rest >>= 7) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}
