import {
  type AddressIgnored,
  checkRequestContext,
  type Named,
  type RequestContext,
} from "@/lib/domain/request-context";
import { tppOfClientCert } from "@/lib/eidas/client-certificate";
import { isNotPublic, isReservedAddress, plainAddress } from "@/lib/ip-address";
import type { AccessToken, TokenRule, Xs2aPorts } from "./declaration";
import type { Exchange, HttpHeaders } from "./http";

type NamedInRequest = Named & { readonly token?: AccessToken | undefined };

/** What to load before the request is validated: the current time is part of it, and all of it is one query. */
export async function namedInRequest(
  headers: HttpHeaders,
  { trustAnchors, accessTokens }: Pick<Xs2aPorts, "accessTokens" | "trustAnchors">,
  forToken?: ReturnType<TokenRule<never, never, unknown>["names"]>,
): Promise<NamedInRequest> {
  const tppId = tppOfClientCert(headers.get("client-cert") ?? undefined, trustAnchors);
  const bearer = forToken && bearerToken(headers.get("authorization"));
  // Verifying a token is costly, so an unknown caller's is not verified.
  const read = tppId !== undefined && bearer !== undefined;
  const token = read ? await accessTokens.read(bearer) : undefined;
  return { tppId, token, ...forToken };
}

/** The token of an `Authorization` header, if it is one of that kind (RFC 6750 2.1). */
export function bearerToken(authorization: string | null): string | undefined {
  return /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? "none")?.[1];
}

/** A normal request takes some milliseconds; a longer one has waited for an issuer or a body. */
const OLD_AFTER_MS = 500;

/**
 * The request context, loaded again if it is old: while issuers were asked about the certificates, for half a minute
 * at worst, the PSU may have revoked the consent, or the bank blocked the TPP. Rejects with 401 CERTIFICATE_BLOCKED.
 */
export async function reloadIfStale(
  context: RequestContext,
  asked: Named,
  { openedAtMs }: Exchange,
  { requestContexts }: Pick<Xs2aPorts, "requestContexts">,
): Promise<RequestContext> {
  if (performance.now() - openedAtMs < OLD_AFTER_MS) return context;
  const again = await requestContexts.load(asked);
  if (context.tppId !== undefined) checkRequestContext(again, context.tppId);
  return again;
}

type AddressContext = {
  readonly sandbox: boolean;
  /** Where the call itself came from, when the listener could tell. */
  readonly callerAddress: string | undefined;
};

/**
 * Why the PSU cannot have called from this address; undefined where it can. A bank cannot prove that PSU-IP-Address is
 * true, only that it cannot be: an address that nobody on the Internet has, or the TPP's own. In the
 * sandbox the PSU and the TPP are often one machine, or one network, and the examples of the
 * standard are copied, so loopback, private and documentation addresses are a PSU's there.
 */
export function addressIgnoredReason(
  address: string,
  { sandbox, callerAddress }: AddressContext,
): AddressIgnored | undefined {
  const plain = plainAddress(address);
  if (plain === undefined || isReservedAddress(plain)) return "reserved";
  if (sandbox) return undefined;
  if (isNotPublic(plain)) return "not-public";
  return callerAddress !== undefined && plain === plainAddress(callerAddress)
    ? "of-the-tpp"
    : undefined;
}
