/** Never a page and never an endpoint: Next answers it with the not-found page. */
export const noSuchPage = "/no-such-page";
/** The catch-all route of the TPP host answers it: certificate first, then 404 as tppMessages. */
export const noSuchResource = "/open-banking/unknown";

/**
 * The path of a request target, decoded; undefined for what two readers could read in two ways
 * (absolute form, empty or dot segments, backslashes, broken escapes, an escaped slash).
 */
export function plainPath(target: string): string | undefined {
  const [path = ""] = target.split("?", 1);
  if (!path.startsWith("/") || /\/\/|%2f|%5c|[\\#]/i.test(path)) return undefined;
  const decoded = decode(path);
  if (decoded === undefined || /\p{Cc}/u.test(decoded)) return undefined;
  return decoded.split("/").some((part) => part === "." || part === "..") ? undefined : decoded;
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
