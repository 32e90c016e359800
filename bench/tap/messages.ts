/** A message of PostgreSQL's wire protocol 3; a client's first one has no type. */
export type Message = { readonly type: string; readonly body: Buffer };

const STARTUP = "startup";
const LENGTH_BYTES = 4;

/** Cuts one side's stream into messages, whatever pieces it comes in. */
export function messages(
  side: "client" | "server",
  onMessage: (message: Message) => void,
): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let started = side === "server";

  return (chunk) => {
    rest = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const typeBytes = started ? 1 : 0;
      if (rest.byteLength < typeBytes + LENGTH_BYTES) return;
      // The length counts itself, and not the type.
      const end = typeBytes + rest.readInt32BE(typeBytes);
      if (rest.byteLength < end) return;
      const type = started ? rest.toString("latin1", 0, 1) : STARTUP;
      onMessage({ type, body: rest.subarray(typeBytes + LENGTH_BYTES, end) });
      rest = rest.subarray(end);
      started = true;
    }
  };
}

/** Reads a message's fields one after the other. */
export function fields(body: Buffer) {
  let at = 0;
  return {
    text: (): string => {
      const end = body.indexOf(0, at);
      const text = body.toString("utf8", at, end);
      at = end + 1;
      return text;
    },
    int16: (): number => {
      at += 2;
      return body.readInt16BE(at - 2);
    },
    int32: (): number => {
      at += 4;
      return body.readInt32BE(at - 4);
    },
    bytes: (length: number): Buffer => {
      at += length;
      return body.subarray(at - length, at);
    },
  };
}
