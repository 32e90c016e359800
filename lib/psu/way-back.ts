import type { Authorisation } from "@/lib/domain/sca/authorisation";

type Answer = {
  /** The TPP's own value, unchanged. */
  readonly state: string;
  readonly issuer: string;
  /** The PSU has confirmed it, and the bank has refused it. */
  readonly refused?: boolean;
};

type GoingBack = Pick<Authorisation, "wayBack" | "scaStatus">;

/**
 * Where the PSU goes when there is no code: the Nok URI when the TPP gave one. Both URIs are stored
 * ones that the TPP has signed; nothing a browser sends has a say in it. Throws when what is stored
 * is no web address.
 */
export function wayBack(authorisation: GoingBack, { state, issuer, refused }: Answer): string {
  const { redirectUri, nokRedirectUri } = authorisation.wayBack;
  const url = webAddress(nokRedirectUri ?? redirectUri);
  // A PSU who has said yes is not reported as one who said no, even if this browser gets no code.
  const granted = authorisation.scaStatus === "finalised" && refused !== true;
  const error = granted ? "server_error" : "access_denied";
  url.searchParams.set("error", error);
  url.searchParams.set("state", state);
  // RFC 9207: the TPP sees which server answers.
  url.searchParams.set("iss", issuer);
  return url.href;
}

function webAddress(uri: string): URL {
  const url = new URL(uri);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new Error("a stored redirect URI is no web address");
  }
  return url;
}
