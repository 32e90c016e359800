import { X509Certificate } from "node:crypto";
import * as jose from "jose";
import { Agent, buildConnector, fetch as undiciFetch } from "undici";
import * as z from "zod";
import type { Config } from "@/lib/config";
import { UnavailableError } from "@/lib/domain/errors";
import { inNameOf } from "@/lib/domain/tpp-blocks";
import { thumbprintOf } from "@/lib/eidas/certificate";
import { parseClientCert } from "@/lib/eidas/client-certificate";
import { followFiles } from "@/lib/files";
import { readAuthorities } from "@/lib/pem";
import type { HttpHeaders } from "@/lib/xs2a/http";
import { BankApiProblem } from "./problems";
import { everyScope, isScope, type Scope } from "./scopes";

/** Which of the bank's systems calls, and what it is allowed to do. */
export type BankClient = {
  /** As events name it. */
  readonly actor: string;
  readonly scopes: readonly Scope[];
};

/**
 * Tells the callers of the bank API by their access token (RFC 9068), or by their certificate (mutual TLS), which the
 * listener has verified. A call with both is what its token says. Rejects with `unauthenticated`.
 */
export type Authenticate = (headers: HttpHeaders) => Promise<BankClient>;

type Settings = Pick<
  Config,
  | "SANDBOX"
  | "BANK_API_ISSUER"
  | "BANK_API_AUDIENCE"
  | "BANK_API_JWKS_URL"
  | "BANK_API_JWKS_CA"
  | "BANK_API_CLIENT_CA"
  | "BANK_API_CLIENTS"
>;

export function authentication(settings: Settings): Authenticate {
  const readToken = tokenReader(settings);
  const clients = clientsOf(settings);
  return async (headers) => {
    const certificate = certificateIn(headers);
    const authorization = headers.get("authorization");
    if (authorization !== null) {
      const token = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization)?.[1];
      if (token === undefined) throw unauthenticated("Authorization is not Bearer and a token");
      return readToken(token, certificate);
    }
    if (certificate === undefined) {
      throw unauthenticated("neither an access token nor a certificate that is taken here");
    }
    const name: unknown = certificate.toLegacyObject().subject.CN;
    const granted = typeof name === "string" ? clients.get(name) : undefined;
    if (granted === undefined) {
      throw unauthenticated("BANK_API_CLIENTS does not name this certificate's common name");
    }
    return { actor: `api:CN=${name}`, scopes: granted };
  };
}

/** In a sandbox that says nothing else, its own client, which may do everything. */
function clientsOf({ SANDBOX, BANK_API_CLIENT_CA, BANK_API_CLIENTS }: Settings) {
  const own = SANDBOX && BANK_API_CLIENT_CA === undefined ? { sandbox: everyScope } : {};
  return new Map<string, readonly Scope[]>(Object.entries(BANK_API_CLIENTS ?? own));
}

const algorithms = ["ES256", "PS256", "RS256", "EdDSA"];
const CLOCK_SECONDS = 5;
/** An issuer that cannot be reached keeps no call waiting for longer. */
const KEYS_MS_MAX = 3_000;
const KEYS_MINUTES = 10;
/** Between two questions for a key that is not known. */
const KEYS_PAUSE_SECONDS = 30;
const KEYS_BYTES_MAX = 1_048_576;

const claimsRead = z.object({
  sub: z.string().min(1).max(255),
  client_id: z.string().min(1).max(255),
  scope: z.string().max(4_000).default(""),
  /** RFC 8705: a token that is bound to something is taken from nobody else. */
  cnf: z.strictObject({ "x5t#S256": z.string() }).optional(),
});

type ReadToken = (token: string, certificate: X509Certificate | undefined) => Promise<BankClient>;

function tokenReader(settings: Settings): ReadToken {
  const { BANK_API_ISSUER: issuer, BANK_API_AUDIENCE: audience, BANK_API_JWKS_URL } = settings;
  if (issuer === undefined || audience === undefined || BANK_API_JWKS_URL === undefined) {
    return async () => {
      throw unauthenticated("access tokens are not taken here");
    };
  }
  const keys = keysAt(BANK_API_JWKS_URL, settings.BANK_API_JWKS_CA);
  return async (token, certificate) => {
    const { payload } = await jose
      .jwtVerify(token, keys, {
        ...{ issuer, audience, algorithms, typ: "at+jwt", clockTolerance: CLOCK_SECONDS },
        requiredClaims: ["exp", "iat", "jti"],
      })
      .catch(asRefusal);
    const claims = claimsRead.safeParse(payload);
    if (!claims.success) throw unauthenticated("the access token lacks what RFC 9068 demands");
    const { sub, client_id: client, scope, cnf } = claims.data;
    if (cnf !== undefined && cnf["x5t#S256"] !== (certificate && thumbprintOf(certificate.raw))) {
      throw unauthenticated("the access token is bound to another certificate");
    }
    const actor = sub === client ? `api:${sub}` : `${inNameOf(sub)}${client}`;
    return { actor, scopes: scope.split(" ").filter(isScope) };
  };
}

function keysAt(url: string, caFile: string | undefined) {
  const authority = followFiles({
    what: "BANK_API_JWKS_CA",
    files: [caFile],
    read: () => (caFile === undefined ? {} : { ca: readAuthorities(caFile) }),
  });
  const dispatcher = new Agent({
    connect: (options, connected) =>
      buildConnector({ ...authority(), timeout: KEYS_MS_MAX })(options, connected),
    connections: 2,
    maxResponseSize: KEYS_BYTES_MAX,
  });
  return jose.createRemoteJWKSet(new URL(url), {
    timeoutDuration: KEYS_MS_MAX,
    cacheMaxAge: KEYS_MINUTES * 60_000,
    cooldownDuration: KEYS_PAUSE_SECONDS * 1_000,
    [jose.customFetch]: (...[address, options]: Parameters<jose.FetchImplementation>) =>
      undiciFetch(address, { ...options, dispatcher } as never) as never,
  });
}

/** What is wrong with a token is its bearer's; that the keys cannot be had is not. */
function asRefusal(error: unknown): never {
  const isToken =
    error instanceof jose.errors.JOSEError &&
    !["ERR_JOSE_GENERIC", "ERR_JWKS_TIMEOUT", "ERR_JWKS_INVALID"].includes(error.code);
  if (!isToken) {
    throw new UnavailableError("the keys of BANK_API_ISSUER cannot be had", { cause: error });
  }
  throw unauthenticated(`the access token is not taken: ${error.message}`);
}

/** The listener sets the header, of certificates that it has verified, and strips a caller's. */
function certificateIn(headers: HttpHeaders): X509Certificate | undefined {
  const der = parseClientCert(headers.get("client-cert") ?? "none");
  return der && new X509Certificate(der);
}

function unauthenticated(detail: string): BankApiProblem {
  return new BankApiProblem("unauthenticated", detail);
}
