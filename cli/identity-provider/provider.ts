import { randomInt, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import * as jose from "jose";
import { errors, type JWK, Provider } from "oidc-provider";
import { everyScope } from "@/lib/bank-api/scopes";
import { demoPsus } from "@/lib/sandbox/demo-bank-people";
import { demoOperators, demoPasswordOf } from "@/lib/sandbox/demo-operators";
import { systemClock } from "@/lib/system-clock";
import { type AppRequest, appPage, errorPage, type Language, loginPage } from "./pages";

/** What the stand-in does wrong, for tests: of the next sign-in or answer, and then no more. */
export type Fault = {
  /** Claims of the next ID token that differ. */
  readonly idToken?: Readonly<Record<string, unknown>>;
  /** With `idToken`: it is signed with a key that is none of the published ones. */
  readonly otherKey?: boolean;
  /** Of the next redirect back. */
  readonly iss?: string;
  readonly tokenStatus?: number;
  readonly tokenDelayMs?: number;
  /** New signing keys; the old ones are gone. */
  readonly rotateKeys?: boolean;
};

export type StandIn = {
  readonly issuer: string;
  /** The client's public key, of `private_key_jwt`. */
  readonly clientJwk: JWK;
  readonly redirectUris: readonly string[];
  /** Of the staff console, which is a client of its own. */
  readonly staffRedirectUris: readonly string[];
  readonly ciba: "poll" | "ping";
  readonly notificationEndpoint?: string | undefined;
  readonly requirePar: boolean;
  /** Whether faults may be set. */
  readonly testControls: boolean;
};

export const ACR_LOGIN = "urn:drawbridge:acr:login";
export const ACR_SCA = "urn:drawbridge:acr:sca";
export const DETAILS_TYPE = "urn:drawbridge:authorisation";
const CUSTOMER_COOKIE = "app-customer";

type Person = {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly password: string;
  readonly roles?: readonly string[];
};

/** The bank's customers, and its staff. */
const people: readonly Person[] = [
  ...demoPsus,
  ...demoOperators.map(({ id, name, roles }) => ({
    ...{ id: `staff-${id}`, userId: id, name, roles, password: demoPasswordOf(id) },
  })),
];
/** One of the bank's systems, which calls the bank API with an access token of its own. */
export const SYSTEM_CLIENT = "demo-system";
export const SYSTEM_SECRET = "demo-system-secret";
/** Below the address of the customers' provider. */
export const SYSTEMS = "/systems";
export const BANK_API_AUDIENCE = "urn:drawbridge:bank-api";

type Waiting = AppRequest & {
  readonly customer: string;
  readonly decide: (yes: boolean) => Promise<void>;
};

/**
 * A bank's identity provider to try Drawbridge with: sign-in with a password, a code of the customer's token where both
 * elements are wanted, and the bank's app, which is a page. It forgets everything when it stops.
 */
export async function standIn(settings: StandIn) {
  /** By the grant: what the customer was shown, which goes into the ID token. */
  const approved = new Map<string, unknown>();
  const tokenCodes = new Map<string, string>();
  const waiting = new Map<string, Waiting>();
  const appCustomers = new Map<string, Person>();
  let fault: Fault = {};
  let keys = await newKeys();
  let provider = make();

  function make(): Provider {
    const client = {
      response_types: ["code" as const],
      token_endpoint_auth_method: "private_key_jwt" as const,
      token_endpoint_auth_signing_alg: "PS256" as const,
      id_token_signed_response_alg: "RS256" as const,
      jwks: { keys: [settings.clientJwk] },
      require_auth_time: true,
    };
    const made = new Provider(settings.issuer, {
      jwks: { keys: [keys.privateJwk] },
      clients: [
        {
          ...client,
          client_id: "drawbridge",
          redirect_uris: [...settings.redirectUris],
          grant_types: ["authorization_code", "urn:openid:params:grant-type:ciba"],
          backchannel_token_delivery_mode: settings.ciba,
          ...(settings.ciba === "ping" && {
            backchannel_client_notification_endpoint: settings.notificationEndpoint,
          }),
        },
        {
          ...client,
          client_id: "drawbridge-staff",
          redirect_uris: [...settings.staffRedirectUris],
          grant_types: ["authorization_code"],
        },
      ],
      acrValues: [ACR_LOGIN, ACR_SCA],
      claims: {
        openid: ["sub", "name", "authorization_details"],
        profile: ["preferred_username", "roles"],
      },
      conformIdTokenClaims: false,
      // oidc-provider's own dispatcher refuses addresses of this machine, where the bank is that is notified.
      fetch: (url, options) =>
        globalThis.fetch(url, { ...options, dispatcher: undefined } as never),
      extraParams: ["authorization_details"],
      pkce: { required: () => true },
      cookies: { keys: [randomUUID()] },
      ttl: { Interaction: 900, Session: 900, Grant: 900, IdToken: 300, AccessToken: 300 },
      interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
      features: {
        devInteractions: { enabled: false },
        resourceIndicators: { enabled: false },
        claimsParameter: { enabled: true },
        requestObjects: { enabled: true },
        pushedAuthorizationRequests: {
          enabled: true,
          requirePushedAuthorizationRequests: settings.requirePar,
        },
        ciba: {
          enabled: true,
          deliveryModes: [settings.ciba],
          processLoginHint: async (_ctx, hint) =>
            demoPsus.find(({ id, userId }) => id === hint || userId === hint)?.id ?? hint,
          processLoginHintToken: async () => {
            throw new errors.InvalidRequest("login_hint_token is not taken");
          },
          validateBindingMessage: async (_ctx, message) => {
            if (message === undefined || message.length === 0 || message.length > 200) {
              throw new errors.InvalidBindingMessage("1 to 200 characters");
            }
          },
          validateRequestContext: async () => undefined,
          verifyUserCode: async () => undefined,
          triggerAuthenticationDevice: async (_ctx, request) => {
            const { params, accountId } = request;
            const id = randomUUID();
            const decide = async (yes: boolean) => {
              waiting.delete(id);
              if (!yes) {
                await made.backchannelResult(
                  request,
                  new errors.AccessDenied("refused in the app"),
                );
                return;
              }
              const grantId = await newGrant(made, String(accountId), params);
              await made.backchannelResult(request, grantId, {
                acr: ACR_SCA,
                amr: ["app"],
                authTime: await epoch(),
              });
            };
            const text = String(params?.["binding_message"]);
            waiting.set(id, {
              id,
              text,
              details: textOf(params),
              customer: String(accountId),
              decide,
            });
          },
        },
      },
      findAccount: async (_ctx, sub, token) => {
        const known = people.find(({ id }) => id === sub);
        const grantId = token && "grantId" in token ? String(token.grantId) : "none";
        return {
          accountId: sub,
          claims: async () => ({
            sub,
            ...(known && { name: known.name, preferred_username: known.userId }),
            ...(known?.roles && { roles: known.roles }),
            ...(approved.has(grantId) && { authorization_details: approved.get(grantId) }),
          }),
        };
      },
      renderError: async (ctx, { error, error_description }) => {
        ctx.type = "html";
        ctx.body = errorPage(`${error}: ${error_description ?? "no more is known"}`);
      },
    });
    made.use(async (ctx, next) => {
      if (ctx.path === "/token" && fault.tokenDelayMs !== undefined) {
        await new Promise((resolve) => setTimeout(resolve, fault.tokenDelayMs));
      }
      if (ctx.path === "/token" && fault.tokenStatus !== undefined) {
        ctx.status = fault.tokenStatus;
        return;
      }
      await next();
      await spoil(ctx);
    });
    return made;
  }

  async function newGrant(made: Provider, accountId: string, params: Asked): Promise<string> {
    const grant = new made.Grant({ accountId, clientId: String(params?.["client_id"]) });
    grant.addOIDCScope("openid profile");
    const grantId = await grant.save();
    const details = detailsIn(params);
    if (details !== undefined) approved.set(grantId, details);
    return grantId;
  }

  type Context = Parameters<Parameters<Provider["use"]>[0]>[0];

  /** The fault of a test, put into what was right. */
  async function spoil(ctx: Context): Promise<void> {
    // Undefined, in spite of its type, where the answer has none.
    const location: string | undefined = ctx.response.get("location");
    if (fault.iss !== undefined && location?.includes("/identity/callback")) {
      const back = new URL(location);
      back.searchParams.set("iss", fault.iss);
      ctx.redirect(back.href);
      fault = {};
    }
    const { body } = ctx as { body: unknown };
    if (fault.idToken === undefined || ctx.path !== "/token" || !hasIdToken(body)) return;
    const claims = { ...jose.decodeJwt(body.id_token), ...fault.idToken };
    const header = { alg: "RS256", kid: keys.kid };
    const { key } = fault.otherKey === true ? await newKeys() : keys;
    const id_token = await new jose.SignJWT(claims).setProtectedHeader(header).sign(key);
    ctx.body = { ...body, id_token };
    fault = {};
  }

  /** The provider's page for one request of a customer's browser. */
  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { uid, params } = await provider.interactionDetails(request, response);
    const language = languageOf(params);
    const wantsBoth = params["acr_values"] === ACR_SCA;
    const details = textOf(params);
    const tokenCode = tokenCodes.get(uid) ?? String(randomInt(100_000, 999_999));
    tokenCodes.set(uid, tokenCode);
    const shown = { uid, language, details, tokenCode: wantsBoth ? tokenCode : undefined };
    if (request.method !== "POST") {
      const hint = demoPsus.find(({ id }) => id === params["login_hint"])?.userId;
      return html(response, loginPage({ ...shown, userId: hint ?? params["login_hint"] }));
    }
    const form = await formOf(request);
    if (form.get("answer") === "refuse") {
      const result = { error: "access_denied", error_description: "the customer has refused" };
      return provider.interactionFinished(request, response, result);
    }
    const customer = customerOf(form);
    const rightCode = !wantsBoth || form.get("code") === tokenCode;
    if (customer === undefined || !rightCode) {
      return html(response, loginPage({ ...shown, userId: form.get("userId"), wrong: true }));
    }
    tokenCodes.delete(uid);
    const login = {
      accountId: customer.id,
      acr: wantsBoth ? ACR_SCA : ACR_LOGIN,
      amr: wantsBoth ? ["pwd", "otp"] : ["pwd"],
      remember: false,
    };
    const grantId = await newGrant(provider, customer.id, params);
    await provider.interactionFinished(request, response, { login, consent: { grantId } });
  }

  /** The bank's app: what waits for its customer. */
  async function app(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const key = request.headers.cookie?.match(`${CUSTOMER_COOKIE}=([\\w-]+)`)?.[1];
    const customer = key === undefined ? undefined : appCustomers.get(key);
    if (request.method !== "POST") {
      const own = [...waiting.values()].filter((one) => one.customer === customer?.id);
      return html(response, appPage(customer?.name, own));
    }
    const form = await formOf(request);
    const entering = customerOf(form);
    if (entering !== undefined) {
      const cookie = randomUUID();
      appCustomers.set(cookie, entering);
      response.setHeader(
        "set-cookie",
        `${CUSTOMER_COOKIE}=${cookie}; HttpOnly; SameSite=Lax; Path=/app`,
      );
    }
    const asked = waiting.get(form.get("id") ?? "none");
    if (asked !== undefined && asked.customer === customer?.id) {
      await asked.decide(form.get("answer") === "confirm");
    }
    response.writeHead(303, { location: "/app" }).end();
  }

  async function control(request: IncomingMessage, response: ServerResponse): Promise<void> {
    fault = JSON.parse((await bodyOf(request)).toString()) as Fault;
    if (fault.rotateKeys === true) {
      keys = await newKeys();
      provider = make();
    }
    response.writeHead(204).end();
  }

  const systems = await systemsProvider(settings.issuer);

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? "/", settings.issuer);
    try {
      if (pathname.startsWith("/interaction/")) return await interact(request, response);
      if (pathname.startsWith(`${SYSTEMS}/`)) return await systems(request, response);
      if (pathname === "/app") return await app(request, response);
      if (pathname === "/control" && settings.testControls) return await control(request, response);
      await provider.callback()(request, response);
    } catch (error) {
      response.statusCode = 400;
      html(response, errorPage(error instanceof Error ? error.message : "unknown"));
    }
  };
}

/**
 * The provider of the bank's systems, by itself: with resource indicators, customers could not be shown what they approve
 * (RFC 9396) unless that named a resource, too.
 */
async function systemsProvider(issuer: string) {
  const { privateJwk } = await newKeys();
  const scope = everyScope.join(" ");
  const provider = new Provider(`${issuer}${SYSTEMS}`, {
    jwks: { keys: [privateJwk] },
    clients: [
      {
        client_id: SYSTEM_CLIENT,
        client_secret: SYSTEM_SECRET,
        redirect_uris: [],
        response_types: [],
        grant_types: ["client_credentials"],
        token_endpoint_auth_method: "client_secret_basic",
        scope,
      },
    ],
    scopes: [...everyScope],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => BANK_API_AUDIENCE,
        getResourceServerInfo: () => ({
          scope,
          audience: BANK_API_AUDIENCE,
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: "RS256" } },
        }),
      },
    },
  });
  const handle = provider.callback();
  return (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = request.url?.slice(SYSTEMS.length);
    return handle(Object.assign(request, { originalUrl: request.url, url }), response);
  };
}

async function newKeys() {
  const { privateKey } = await jose.generateKeyPair("RS256", { extractable: true });
  const jwk = await jose.exportJWK(privateKey);
  const kid = await jose.calculateJwkThumbprint(jwk);
  return { key: privateKey, kid, privateJwk: { ...jwk, kid, alg: "RS256", use: "sig" } as JWK };
}

const epoch = async () => Math.floor((await systemClock.now()).getTime() / 1_000);

type Asked = Readonly<Record<string, unknown>> | undefined;

function detailsIn(params: Asked): unknown {
  const text = params?.["authorization_details"];
  return typeof text === "string" ? JSON.parse(text) : undefined;
}

/** The words of what is to be approved. */
function textOf(params: Asked): string | undefined {
  const details = detailsIn(params);
  const [first] = Array.isArray(details) ? (details as readonly { text?: unknown }[]) : [];
  return typeof first?.text === "string" ? first.text : undefined;
}

function languageOf(params: Readonly<Record<string, unknown>>): Language {
  return String(params["ui_locales"]).startsWith("ro") ? "ro" : "en";
}

function customerOf(form: URLSearchParams): Person | undefined {
  const [userId, password] = [form.get("userId")?.trim().toLowerCase(), form.get("password")];
  return people.find((one) => one.userId === userId && one.password === password);
}

function hasIdToken(body: unknown): body is { readonly id_token: string } {
  return typeof body === "object" && body !== null && "id_token" in body;
}

const BODY_BYTES_MAX = 16_384;

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) throw new Error("too much was sent");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams((await bodyOf(request)).toString());
}

function html(response: ServerResponse, text: string): void {
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.setHeader("cache-control", "no-store");
  response.end(text);
}
