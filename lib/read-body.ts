/** Of a request of the Web, or of one that is read in the same way. */
export type Body = { readonly getReader: () => { readonly read: () => Promise<Part> } };
type Part =
  | { readonly done: false; readonly value: Uint8Array }
  | { readonly done: true; readonly value?: unknown };

/** The whole body; undefined as soon as it is longer than `bytesMax`, so that no caller can fill the memory. */
export async function readUpTo(
  body: Body | null,
  bytesMax: number,
): Promise<Buffer<ArrayBuffer> | undefined> {
  if (body === null) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.byteLength;
    // Not cancelled: that would close the connection, perhaps before the answer is sent.
    if (length > bytesMax) return undefined;
    chunks.push(part.value);
  }
  return Buffer.concat(chunks, length);
}
