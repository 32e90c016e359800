/**
 * The body, or undefined when it is longer than `bytesMax`: reading stops there, so that nobody can
 * fill the memory.
 */
export async function readBody(
  request: Request,
  bytesMax: number,
): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get("content-length") ?? 0) > bytesMax) return undefined;
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
