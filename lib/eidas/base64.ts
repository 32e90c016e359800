/** Bytes of a padded base64 text in its one canonical form; `undefined` for anything else. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}
