/** Never a page and never an endpoint: Next answers it with the not-found page. */
export const noSuchPage = "/no-such-page";
/** The catch-all route of the TPP host answers it: certificate first, then 404 as tppMessages. */
export const noSuchResource = "/open-banking/unknown";

/**
 * RFC 6960 A.1: an OCSP request as base64 in the last segment, whose slashes have to be escaped. It
 * holds nothing that could be read as another path.
 */
const ocspRequest = /^\/sandbox\/ocsp\/(?:[A-Za-z0-9+=]|%2[BbFf]|%3[Dd])+$/;

/**
 * The path of a request target, decoded; undefined for what two readers could read in two ways
 * (absolute form, empty or dot segments, backslashes, broken escapes, an escaped slash).
 */
export function plainPath(target: string): string | undefined {
  const [path = ""] = target.split("?", 1);
  if (ocspRequest.test(path)) return path;
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
