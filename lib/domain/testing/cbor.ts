export type Cbor =
  | number
  | string
  | Uint8Array
  | readonly Cbor[]
  | ReadonlyMap<number | string, Cbor>;

/** RFC 8949, as far as authenticators need it: whole numbers, texts, bytes, lists and maps. */
export function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") {
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  }
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.byteLength), value]);
  if (value instanceof Map) {
    const pairs = [...value].flatMap(([key, inside]: [Cbor, Cbor]) => [cbor(key), cbor(inside)]);
    return Buffer.concat([head(5, value.size), ...pairs]);
  }
  const list = [...(value as readonly Cbor[])];
  return Buffer.concat([head(4, list.length), ...list.map(cbor)]);
}

function head(type: number, count: number): Buffer {
  const kind = type << 5;
  if (count < 24) return Buffer.from([kind + count]);
  if (count < 256) return Buffer.from([kind + 24, count]);
  return Buffer.from([kind + 25, count >> 8, count & 0xff]);
}
