import { jwtVerify } from "jose";
import { JOSEError } from "jose/errors";
import type { AuthorisationId, TppId } from "@/lib/domain/identifiers";
import { SIGNING_ALGORITHM, type SigningKey } from "./signing-key";

/** What an access token of this bank says; whether it still counts is for the reader to judge. */
export type AccessToken = {
  readonly clientId: TppId;
  /** One resource, e.g. `AIS:<consentId>`. */
  readonly scope: string;
  readonly authorisationId: AuthorisationId;
  readonly expiresAt: Date;
  /** base64url of the SHA-256 of the certificate it was issued to (RFC 8705 3.1). */
  readonly thumbprint: string;
};

export type AccessTokens = {
  /**
   * The token's content if this bank signed it for its own interface, expired or not: a reader has
   * to tell an expired token from an unknown one.
   */
  readonly read: (token: string) => Promise<AccessToken | undefined>;
};

export function accessTokens(
  { publicKey }: Pick<SigningKey, "publicKey">,
  { issuer, audience }: { readonly issuer: string; readonly audience: string },
): AccessTokens {
  const rules = {
    algorithms: [SIGNING_ALGORITHM],
    issuer,
    audience,
    typ: "at+jwt",
    // Before any token was issued, so that none has expired by then.
    currentDate: new Date(0),
  };
  return {
    read: async (token) => {
      try {
        return fromClaims((await jwtVerify(token, publicKey, rules)).payload);
      } catch (error) {
        if (error instanceof JOSEError) return undefined;
        throw error;
      }
    },
  };
}

function fromClaims(claims: Readonly<Record<string, unknown>>): AccessToken | undefined {
  const { client_id: clientId, scope, sub, exp, cnf } = claims;
  const thumbprint = thumbprintOf(cnf);
  if (typeof clientId !== "string" || typeof sub !== "string") return undefined;
  if (typeof scope !== "string" || scope.includes(" ")) return undefined;
  if (typeof exp !== "number" || thumbprint === undefined) return undefined;
  return {
    clientId: clientId as TppId,
    scope,
    authorisationId: sub as AuthorisationId,
    expiresAt: new Date(exp * 1_000),
    thumbprint,
  };
}

function thumbprintOf(confirmation: unknown): string | undefined {
  if (typeof confirmation !== "object" || confirmation === null) return undefined;
  const thumbprint = "x5t#S256" in confirmation ? confirmation["x5t#S256"] : undefined;
  return typeof thumbprint === "string" ? thumbprint : undefined;
}
