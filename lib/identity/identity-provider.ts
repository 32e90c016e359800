import { createPublicKey, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import * as jose from "jose";
import * as client from "openid-client";
import { Agent, Response, fetch as undiciFetch } from "undici";
import * as z from "zod";
import type { Config } from "@/lib/config";
import { isCoreBankId } from "@/lib/domain/core-bank";
import type { ApprovalApp, Identified } from "@/lib/domain/identity-provider";
import type { PsuId } from "@/lib/domain/values";
import { timed } from "@/lib/metrics";
import { readAuthorities } from "@/lib/pem";
import { clientAlgorithm, privateKeysInPem } from "@/lib/secrets";
import { systemClock } from "@/lib/system-clock";

/** What is wanted of the customer: to sign in, to prove both elements, or to answer in the app. */
type Wanted = "login" | "sca" | "app";

/** Of an ID token that is right, but does not say what was asked for. */
export type Shortfall = "acr-too-low" | "not-proved";

type Expected = {
  readonly wanted: Wanted;
  /** When the customer was led to the provider. */
  readonly since: Date;
  /** A new proof, however short ago the last one was. */
  readonly fresh: boolean;
};

/** For the log: which part of the provider could not be used, and why in a word. */
type ProviderFault = { readonly operation: string; readonly detail: string };

type Settings = Config & { readonly IDP_ISSUER: string; readonly IDP_CLIENT_ID: string };

const PROVIDER_SECONDS_MAX = 5;
/** Its metadata and keys are read again after this time; an unknown key is looked for at once. */
const METADATA_MINUTES = 10;
/** How far its clock may be from ours. */
const SKEW_SECONDS = 30;
/** Of a binding message; what an app shows of it is for the provider to say. */
const MESSAGE_CHARACTERS_MAX = 200;

/**
 * The bank's OpenID Connect provider, as the settings have it. The redirects are next-auth's (lib/psu/provider-redirect);
 * what it does not do is done here, by openid-client: pushed and signed requests, CIBA, and what an ID token has to say.
 */
export function identityProvider(settings: Settings, onFault: (fault: ProviderFault) => void) {
  const key = settings.IDP_CLIENT_KEY && readFileSync(settings.IDP_CLIENT_KEY, "utf8");
  const ca = settings.IDP_CA && readAuthorities(settings.IDP_CA);
  // The first signs; the provider knows the others already, or still.
  // An unfit key throws here: as an unhandled rejection it would end the process.
  const fit = key ? privateKeysInPem(key).map((one) => [one, clientAlgorithm(one)] as const) : [];
  const [keys, ...others] = fit.map(([one, alg]) => clientKeysOf(one, alg));
  if (key && keys === undefined) throw new Error("IDP_CLIENT_KEY: there is no private key in PEM");
  const known = metadataOf(settings, keys, ca || undefined);
  const fault = (operation: string) => (error: unknown) => {
    onFault({ operation, detail: inAWord(error) });
    return undefined;
  };
  return {
    issuer: settings.IDP_ISSUER,
    ca: ca || undefined,
    privateJwk: keys?.then(({ privateJwk }) => privateJwk),

    /** What the provider verifies our signatures with; undefined where a secret is used. */
    publicKeys: async () =>
      keys && { keys: (await Promise.all([keys, ...others])).map(({ publicJwk }) => publicJwk) },

    /** As next-auth has made the request, pushed to the provider or signed, where it takes that. Undefined in an outage. */
    requestAt: async (url: string): Promise<string | undefined> => {
      try {
        const configuration = await known();
        const signed = settings.IDP_REQUEST_OBJECT && keys !== undefined;
        const { searchParams } = new URL(url);
        const request = signed
          ? await client.buildAuthorizationUrlWithJAR(configuration, searchParams, {
              key: (await keys).signingKey,
              kid: (await keys).publicJwk.kid,
            })
          : new URL(url);
        const { pushed_authorization_request_endpoint: pushed } = configuration.serverMetadata();
        if (pushed === undefined) return request.href;
        return (await client.buildAuthorizationUrlWithPAR(configuration, request.searchParams))
          .href;
      } catch (error) {
        return fault("authorisation request")(error);
      }
    },

    /** The parameters of a request besides next-auth's own. */
    parameters: ({ wanted, fresh, language, details, hint }: AskedOfProvider) => {
      const acr = demandedAcr(settings, wanted);
      return {
        ui_locales: language,
        max_age: String(fresh ? 0 : settings.IDP_MAX_AGE_SECONDS),
        ...(acr !== undefined && { acr_values: acr }),
        ...(hint !== undefined && { login_hint: hint }),
        ...authorizationDetails(settings, details),
      };
    },

    judge: (claims: unknown, idToken: string, expected: Expected) =>
      judge(settings, { claims, idToken, ...expected }),

    approvalApp: approvalApp(settings, known, fault),
  };
}

type AskedOfProvider = {
  readonly wanted: Wanted;
  readonly fresh: boolean;
  readonly language: string;
  readonly details?: Details | undefined;
  readonly hint?: string | undefined;
};

type Details = { readonly text: string; readonly hash: string; readonly reference: string };

/** RFC 9396; the provider shows the text, and returns all of it in the ID token. */
function authorizationDetails({ IDP_AUTHORIZATION_DETAILS: type }: Settings, details?: Details) {
  if (type === undefined || details === undefined) return {};
  return { authorization_details: JSON.stringify([{ type, ...details }]) };
}

const detailsIn = z.array(z.looseObject({ type: z.string(), hash: z.string().optional() }));
const claimsShape = z.looseObject({
  acr: z.string().optional(),
  amr: z.array(z.string()).optional(),
  auth_time: z.number().optional(),
  authorization_details: detailsIn.optional(),
});

type Judging = Expected & { readonly claims: unknown; readonly idToken: string };

/** Whether the token says what was asked for. Its signature, issuer, audience, nonce and end have been verified. */
function judge(
  settings: Settings,
  { claims, idToken, wanted, since, fresh }: Judging,
): Identified | Shortfall {
  const read = claimsShape.safeParse(claims);
  if (!read.success) return "not-proved";
  const { acr, amr, auth_time: seconds, authorization_details: details } = read.data;
  const customer = read.data[settings.IDP_CUSTOMER_CLAIM];
  if (typeof customer !== "string" || !isCoreBankId(customer)) return "not-proved";
  const demanded = demandedAcr(settings, wanted);
  if (demanded !== undefined && acr !== demanded && acr !== settings.IDP_ACR_SCA) {
    return "acr-too-low";
  }

  const authTime = seconds === undefined ? undefined : new Date(seconds * 1_000);
  const ageSeconds = fresh ? 0 : settings.IDP_MAX_AGE_SECONDS;
  const earliest = since.getTime() - (ageSeconds + SKEW_SECONDS) * 1_000;
  // OpenID Connect Core 3.1.3.7: after a request with max_age the claim has to be there.
  if (authTime === undefined || authTime.getTime() < earliest) return "not-proved";

  const ours = details?.find(({ type }) => type === settings.IDP_AUTHORIZATION_DETAILS);
  const customerId = customer as PsuId;
  return { customerId, idToken, acr, amr, authTime, approvedHash: ours?.hash };
}

function demandedAcr(settings: Settings, wanted: Wanted): string | undefined {
  const { IDP_ACR_LOGIN, IDP_ACR_SCA, IDP_ACR_CIBA = IDP_ACR_SCA } = settings;
  return { login: IDP_ACR_LOGIN, sca: IDP_ACR_SCA, app: IDP_ACR_CIBA }[wanted];
}

const CIBA = "urn:openid:params:grant-type:ciba";
/** The pause where the provider names none, and what `slow_down` adds to it (OpenID CIBA 7.3, 11). */
const POLL_SECONDS = 5;

function approvalApp(
  settings: Settings,
  known: () => Promise<client.Configuration>,
  fault: (operation: string) => (error: unknown) => undefined,
): ApprovalApp {
  const unavailable = { outcome: "provider-unavailable" } as const;
  // As the provider has last said, of whichever request: it is the provider's pace.
  let pollSeconds = POLL_SECONDS;
  return {
    ask: async ({ customerId, text, reference, hash, notificationToken, expirySeconds }) => {
      const acr = demandedAcr(settings, "app");
      const parameters = {
        scope: settings.IDP_SCOPE,
        login_hint: customerId,
        binding_message:
          settings.IDP_BINDING_MESSAGE === "text"
            ? text.slice(0, MESSAGE_CHARACTERS_MAX)
            : reference,
        requested_expiry: String(expirySeconds),
        ...(acr !== undefined && { acr_values: acr }),
        ...(settings.IDP_CIBA === "ping" && { client_notification_token: notificationToken }),
        ...authorizationDetails(settings, { text, hash, reference }),
      };
      try {
        const asked = await client.initiateBackchannelAuthentication(await known(), parameters);
        pollSeconds = asked.interval ?? POLL_SECONDS;
        return { outcome: "asked", requestId: asked.auth_req_id, pollSeconds };
      } catch (error) {
        fault("app request")(error);
        return unavailable;
      }
    },

    answerTo: async (requestId, askedSecondsAgo) => {
      const since = new Date((await systemClock.now()).getTime() - askedSecondsAgo * 1_000);
      try {
        const answer = await client.genericGrantRequest(await known(), CIBA, {
          auth_req_id: requestId,
        });
        const claims = answer.claims();
        if (claims === undefined || answer.id_token === undefined) return { outcome: "not-proved" };
        const expected = { wanted: "app", since, fresh: true } as const;
        const judged = judge(settings, { claims, idToken: answer.id_token, ...expected });
        if (typeof judged === "string") return { outcome: judged };
        return { outcome: "approved", identified: judged };
      } catch (error) {
        const code = error instanceof client.ResponseBodyError ? error.error : undefined;
        switch (code) {
          case "authorization_pending":
            return { outcome: "pending", pollSeconds };
          case "slow_down":
            pollSeconds += POLL_SECONDS;
            return { outcome: "pending", pollSeconds };
          case "access_denied":
            return { outcome: "refused" };
          case "expired_token":
            return { outcome: "approval-expired" };
          default:
            fault("app answer")(error);
            // An answer that cannot be verified proves nothing. Of any other, as that of a proxy that limits calls or of a
            // key that is being replaced, nothing is known, and the next question may have one.
            return code === "invalid_grant" || (code === undefined && !isRefusal(error))
              ? { outcome: "not-proved" }
              : unavailable;
        }
      }
    },
  };
}

type ClientKeys = Awaited<ReturnType<typeof clientKeysOf>>;

/** The key of `private_key_jwt` and of signed requests, named by its RFC 7638 thumbprint. */
async function clientKeysOf(privateKey: KeyObject, alg: ReturnType<typeof clientAlgorithm>) {
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const signingKey = await jose.importPKCS8(pem, alg);
  const publicJwk = createPublicKey(privateKey).export({ format: "jwk" });
  const kid = await jose.calculateJwkThumbprint(publicJwk as jose.JWK);
  const named = { kid, alg, use: "sig" };
  return {
    alg,
    signingKey,
    publicJwk: { ...publicJwk, ...named },
    privateJwk: { ...privateKey.export({ format: "jwk" }), ...named },
  };
}

function metadataOf(
  settings: Settings,
  keys: Promise<ClientKeys> | undefined,
  ca: string | undefined,
): () => Promise<client.Configuration> {
  const dispatcher = new Agent({ connect: { ...(ca && { ca }) }, connections: 16 });
  const fetching: client.CustomFetch = timed(
    "identity-provider",
    (url, options) => undiciFetch(url, { ...options, dispatcher } as never) as never,
  );
  let held: { readonly configuration: client.Configuration; readonly until: number } | undefined;
  let reading: Promise<client.Configuration> | undefined;

  async function read(): Promise<client.Configuration> {
    const { IDP_ISSUER, IDP_CLIENT_ID, IDP_CLIENT_SECRET, IDP_SIGNING_ALG } = settings;
    const own = await keys;
    const authentication =
      own === undefined
        ? client.ClientSecretBasic(IDP_CLIENT_SECRET)
        : client.PrivateKeyJwt({ key: own.signingKey, kid: own.publicJwk.kid });
    const plain = IDP_ISSUER.startsWith("http://") ? [client.allowInsecureRequests] : [];
    const configuration = await client.discovery(
      new URL(IDP_ISSUER),
      IDP_CLIENT_ID,
      { id_token_signed_response_alg: IDP_SIGNING_ALG, [client.clockTolerance]: SKEW_SECONDS },
      authentication,
      {
        [client.customFetch]: fetching,
        timeout: PROVIDER_SECONDS_MAX,
        execute: [...plain, client.enableNonRepudiationChecks],
      },
    );
    held = { configuration, until: performance.now() + METADATA_MINUTES * 60_000 };
    return configuration;
  }

  return async () => {
    if (held !== undefined && performance.now() < held.until) return held.configuration;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}

/** No answer at all, or a status in place of one. */
function isRefusal(error: unknown): boolean {
  if (error instanceof client.ClientError) {
    const { code, cause } = error;
    return code === "OAUTH_TIMEOUT" || (cause instanceof Response && !cause.ok);
  }
  return error instanceof TypeError || (error instanceof Error && error.name === "TimeoutError");
}

/** A code of the provider's, the system's or the library's; not the message, which may repeat what was sent. */
function inAWord(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  if (error instanceof client.ResponseBodyError) return error.error;
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.cause instanceof Error ? inAWord(error.cause) : error.name;
}
