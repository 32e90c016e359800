import { after } from "../clock";
import type { RequestId } from "../identifiers";
import type { Ports } from "../ports";
import { type Rejection, reject } from "../rejection";
import type { Authorisation, ResourceKind, WayBack } from "../sca/authorisation";
import type { Tpp } from "../tpp/tpp";

/** A request for a consent, by all that has to be the same when it arrives again. */
export type ConsentAsked = {
  readonly tpp: Tpp;
  readonly requestId: RequestId;
  /** Of the request's bytes, base64url of their SHA-256. */
  readonly bodyDigest: string;
  readonly wayBack: WayBack;
  readonly loginHint?: string | undefined;
  readonly now: Date;
};

/**
 * The authorisation that this very request has started before: a TPP whose connection broke may repeat it
 * to learn the consent's id. Undefined when another body or other headers came under the same id, and
 * after the hours that the answer can be had again.
 */
export async function startedBefore(
  { authorisations, profile }: Pick<Ports, "authorisations" | "profile">,
  kind: ResourceKind,
  asked: ConsentAsked,
): Promise<Authorisation | undefined> {
  const first = await authorisations.findByRequest(kind, asked.tpp.id, asked.requestId);
  if (first === undefined || !isSame(first, asked)) return undefined;
  const until = after(first.createdAt, profile.request.consentAnswerHours, "hour");
  return asked.now < until ? first : undefined;
}

function isSame(first: Authorisation, asked: ConsentAsked): boolean {
  return (
    first.bodyDigest === asked.bodyDigest &&
    first.wayBack.redirectUri === asked.wayBack.redirectUri &&
    first.wayBack.nokRedirectUri === asked.wayBack.nokRedirectUri &&
    first.loginHint === asked.loginHint
  );
}

/** Another request under an id that has been used, or the same one when its consent has been decided. */
export function usedRequestId(): Rejection {
  const text =
    "this X-Request-ID has created a consent before; it is answered again only with the same body and headers, while the consent is received";
  return reject("FORMAT_ERROR", text, { path: "X-Request-ID" });
}
