import { createHash } from "node:crypto";
import { jwtVerify } from "jose";
import { JOSEError } from "jose/errors";
import type { AuthorisationId, TppId } from "@/lib/domain/identifiers";
import { recall } from "@/lib/eidas/bounded-cache";
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

/** Some megabytes; a token that is forgotten is verified once more. */
const REMEMBERED_MAX = 10_000;

/**
 * What is genuine stays so: its content is remembered, and whether it still counts is asked each time
 * elsewhere. What is not is forgotten at once, so that nobody can fill the memory with it.
 */
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
  const verified = async (token: string): Promise<AccessToken | undefined> => {
    try {
      return fromClaims((await jwtVerify(token, publicKey, rules)).payload);
    } catch (error) {
      if (error instanceof JOSEError) return undefined;
      throw error;
    }
  };
  const genuine = new Map<string, AccessToken>();
  return {
    read: async (token) => {
      // No copy is kept of what opens accounts.
      const key = createHash("sha256").update(token).digest("base64");
      const read = genuine.get(key) ?? (await verified(token));
      return read && recall(genuine, key, REMEMBERED_MAX, () => read);
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
