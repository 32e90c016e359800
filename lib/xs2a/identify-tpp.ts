import type { Named } from "@/lib/domain/tpp/arrival";
import { namedTpp, presentedQwac } from "@/lib/eidas/presented-qwac";
import type { Qwac } from "@/lib/eidas/qwac";
import type { TrustAnchors } from "@/lib/eidas/trust";
import type { TokenRule } from "./endpoint";
import type { HttpHeaders } from "./http";
import type { Xs2aPorts } from "./ports";

/**
 * What to look up before anything is judged: the time to judge by is part of what is found, and all of it
 * is one question to the database.
 */
export async function namedIn(
  headers: HttpHeaders,
  { trustAnchors, accessTokens }: Pick<Xs2aPorts, "accessTokens" | "trustAnchors">,
  forToken?: ReturnType<TokenRule<never, never, unknown>["names"]>,
): Promise<Named> {
  const tppId = namedTpp(headers.get("client-cert") ?? undefined, trustAnchors);
  const bearer = forToken && bearerIn(headers.get("authorization"));
  // A token's signature is costly, so a stranger's is not verified.
  const read = tppId !== undefined && bearer !== undefined;
  const token = read ? await accessTokens.read(bearer) : undefined;
  return { tppId, token, ...forToken };
}

/** The token of an `Authorization` header, if it is one of that kind (RFC 6750 2.1). */
export function bearerIn(authorization: string | null): string | undefined {
  return /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? "none")?.[1];
}

/**
 * The TPP by the certificate of its TLS connection. The listener puts it into `Client-Cert`
 * (RFC 9440) and strips whatever a caller sends under that name. Rejects with 401 CERTIFICATE_*.
 */
export function identifyTpp(headers: HttpHeaders, anchors: TrustAnchors, now: Date): Qwac {
  return presentedQwac(headers.get("client-cert") ?? undefined, anchors, now);
}
