/** A cookie that only our pages read back: HttpOnly and SameSite=Lax always. */
export type Cookie = {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly secure: boolean;
  /** Without it the cookie lasts as long as the browser. */
  readonly seconds?: number;
};

export function setCookie({ name, value, path, secure, seconds }: Cookie): string {
  const parts = [`${name}=${value}`, `Path=${path}`, "HttpOnly", "SameSite=Lax"];
  if (secure) parts.push("Secure");
  if (seconds !== undefined) parts.push(`Max-Age=${seconds}`);
  return parts.join("; ");
}

export function readCookie(header: string, name: string): string | undefined {
  const start = `${name}=`;
  return header
    .split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(start))
    ?.slice(start.length);
}

export function isSecure(webUrl: string): boolean {
  return webUrl.startsWith("https:");
}
