import { LocalFault } from "../faults";

/**
 * The `redirect_uri`, letter for letter one that the TPP signed for: any reading of a URI that is more
 * lenient than equality has been used to steal codes (RFC 9700 2.1).
 */
export async function checkRedirectUri(
  parameters: URLSearchParams,
  isSigned: (uri: string) => Promise<boolean>,
): Promise<string> {
  const [redirectUri, ...more] = parameters.getAll("redirect_uri");
  if (redirectUri === undefined || more.length > 0 || !(await isSigned(redirectUri))) {
    throw new LocalFault("wrong-redirect-uri");
  }
  return redirectUri;
}
