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
  const reader = request.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.byteLength;
    // Left, and not cancelled: to give it up would cost the connection, perhaps before the answer.
    if (length > bytesMax) return undefined;
    chunks.push(part.value);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
