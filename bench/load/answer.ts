export type Answer = {
  readonly status: number;
  /** The header lines as they came, without the status line. */
  readonly head: string;
  readonly body: Buffer;
};

const HEAD_END = "\r\n\r\n";

/** Undefined until it is whole. */
export function answerIn(received: Buffer): Answer | undefined {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const start = headEnd + HEAD_END.length;
  const statusLine = received.indexOf("\r\n");
  const head = received.toString("latin1", Math.min(statusLine + 2, headEnd), headEnd);
  const status = Number(received.toString("latin1", 9, 12));
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  const body =
    length === undefined ? chunked(received.subarray(start)) : whole(received, start, length);
  return body && { status, head, body };
}

function whole(received: Buffer, start: number, length: string): Buffer | undefined {
  const end = start + Number(length);
  return received.byteLength < end ? undefined : received.subarray(start, end);
}

/** RFC 9112 7.1, without trailers. */
function chunked(received: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = received.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(received.toString("latin1", at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (received.byteLength < next) return undefined;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(received.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
}
