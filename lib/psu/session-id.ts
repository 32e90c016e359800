/** What the browser's cookie holds, sealed; it is kept nowhere else. */
export function newSessionId(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
}

/** What the session's row is known by. */
export async function sessionHash(id: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(id));
  return Buffer.from(digest).toString("hex");
}
