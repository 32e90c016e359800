const ALGORITHM = { name: "HMAC", hash: "SHA-256" } as const;

/** base64url of the text's HMAC under the secret. */
export async function keyedSignature(secret: string, text: string): Promise<string> {
  const signature = await crypto.subtle.sign("HMAC", await keyOf(secret), bytesOf(text));
  return Buffer.from(signature).toString("base64url");
}

/** Constant in time. */
export async function isKeyedSignature(
  secret: string,
  text: string,
  signature: string | null,
): Promise<boolean> {
  if (signature === null) return false;
  const bytes = Buffer.from(signature, "base64url");
  return crypto.subtle.verify("HMAC", await keyOf(secret), bytes, bytesOf(text));
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function keyOf(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytesOf(secret), ALGORITHM, false, ["sign", "verify"]);
}
