import { createHash, generateKeyPairSync, randomBytes, X509Certificate } from "node:crypto";
import type { Authorisation, ResourceKind } from "@/lib/domain/authorisation";
import type { AccountConsent } from "@/lib/domain/consents";
import { linkedPayment } from "@/lib/domain/dynamic-linking";
import type { Refused } from "@/lib/domain/events";
import type { FundsConsent } from "@/lib/domain/funds";
import type { Psd2Role, Tpp } from "@/lib/domain/tpp";
import {
  type AccountId,
  type AuthorisationId,
  addDays,
  addTime,
  dayIn,
  type Money,
  type PsuId,
} from "@/lib/domain/values";
import { formatClientCert, parseClientCert } from "@/lib/eidas/client-certificate";
import { checkQwac } from "@/lib/eidas/qwac-qsealc";
import { parseTrustAnchors } from "@/lib/eidas/trust";
import { fundsConsentStore } from "@/lib/postgres/funds";
import {
  accountOne,
  ana,
  confirmed,
  eur,
  granted,
  initiation,
  newAccountId,
  order,
  payer,
  receivedConsent,
  receivedFundsConsent,
  storesOf,
  type TestSettings,
  testDatabase,
} from "@/lib/postgres/testing";
import { stopList } from "@/lib/postgres/tpps";
import { makeCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { nextKeys } from "@/lib/sandbox/testing";
import { issueTppCertificates } from "@/lib/sandbox/tpp-certificates";
import { aspspProfile } from "@/lib/testing-profile";
import { authorisationServer } from "./authorisation-server";
import { readSigningKeys } from "./tokens";

export const issuer = "https://xs2a.bank.example";
export const webUrl = "http://localhost:3000";
export const okUri = "https://tpp.example/ok?from=bank";

/** The authorisation server on a real PostgreSQL, with a clock that tests move forward. */
export async function testBank(settings?: TestSettings) {
  const database = await testDatabase(settings);
  const stores = { ...storesOf(database.db), fundsConsents: fundsConsentStore(database.db) };
  const refused: Refused[] = [];
  let shift = 0;
  const clock = { now: async () => new Date(Date.now() + shift) };
  const authority = await makeCertificateAuthority(new Date());
  const anchors = parseTrustAnchors(authority.certificatePem);
  const signingKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

  const ports = {
    ...stores,
    profile: aspspProfile,
    clock,
    tppRegister: stores.tpps,
    stopList: stopList(database.db),
    issuer,
    webUrl,
    identifyTpp: async (header: string | undefined, now: Date) => {
      const der = header === undefined ? undefined : parseClientCert(header);
      const { tpp, certificate } = checkQwac(der, anchors, now);
      return { tpp, certificate: certificate.x509 };
    },
    refusals: { note: (one: Refused) => void refused.push(one) },
    cookieSecret: "a secret for the cookies of this test only",
    signingKeys: readSigningKeys(signingKey.export({ type: "pkcs8", format: "pem" }).toString()),
  };

  return {
    ports,
    refused,
    stores,
    signingKey,
    server: authorisationServer(ports),
    sql: database.sql,
    db: database.db,
    close: () => database.close(),
    passTime: (amount: number, unit: "second" | "minute" | "day") => {
      shift += addTime(new Date(0), amount, unit).getTime();
    },

    /** A TPP this bank knows, with a QWAC as the `Client-Cert` header carries it. */
    tpp: async (id: string, roles: readonly Psd2Role[] = ["PSP_AI"]) => {
      const issued = () =>
        issueTppCertificates(authority, {
          id,
          name: "Example TPP",
          roles,
          now: new Date(),
          makeKeys: nextKeys,
        });
      const certificates = await issued();
      const { qwacPem } = certificates;
      const { tpp } = await ports.identifyTpp(asHeader(qwacPem), new Date());
      await stores.tpps.remember(tpp, new Date());
      return {
        tpp,
        certificates,
        clientCert: asHeader(qwacPem),
        renew: async () => asHeader((await issued()).qwacPem),
      };
    },

    /** A consent that waits for its PSU. */
    consent: async (
      tpp: Tpp,
      given: Partial<AccountConsent> = {},
      started: Partial<Authorisation> = {},
    ) => {
      const now = await clock.now();
      const { consent, authorisation } = receivedConsent(
        {
          tppId: tpp.id,
          createdAt: now,
          validUntil: addDays(dayIn(aspspProfile.timeZone, now), 180),
          ...given,
        },
        {
          createdAt: now,
          expiresAt: addTime(now, aspspProfile.sca.windowMinutes, "minute"),
          redirectUris: { redirectUri: okUri, nokRedirectUri: "https://tpp.example/nok" },
          ...started,
        },
      );
      await stores.consents.insert(consent, authorisation, aspspProfile.sca.openPerTppMax);
      return consent;
    },

    terminate: async ({ id }: AccountConsent) => {
      const at = await clock.now();
      const on = dayIn(aspspProfile.timeZone, at);
      const { consents } = stores;
      const ended = { consentId: id, from: "valid", to: "terminatedByTpp", on, at } as const;
      if (!(await consents.end(ended))) throw new Error("the consent was not terminated");
    },

    /** The PSU has signed in, chosen an account and given the right code. */
    finalise: async ({ id, authorisationId }: AccountConsent) => {
      const psu = { authorisationId, psuId: ana, accountId: accountOne };
      const done = await stores.authorisations.finaliseAccountConsent({
        ...(await challenged({ ports, stores }, psu)),
        authorisationId,
        consentId: id,
        grantedAccounts: [granted()],
      });
      if (!done) throw new Error("the consent was not finalised");
    },
  };
}
export type TestBank = Awaited<ReturnType<typeof testBank>>;

function asHeader(pem: string): string {
  return formatClientCert(new X509Certificate(pem).raw);
}

type Cookie = { readonly pair: string; readonly name: string; readonly path: string };

/** A browser as far as cookies go: it sends back what it was given, to the paths it was given for. */
export function testBrowser() {
  let jar: readonly Cookie[] = [];
  const covers = (cookie: Cookie, path: string) =>
    path === cookie.path || path.startsWith(cookie.path === "/" ? "/" : `${cookie.path}/`);
  return {
    keep: (answer: Response) => {
      const given = answer.headers.getSetCookie().map(parse);
      const names = given.map(({ name, path }) => `${name} ${path}`);
      jar = [...jar.filter(({ name, path }) => !names.includes(`${name} ${path}`)), ...given];
    },
    cookiesFor: (path: string): string | undefined => {
      const sent = jar.filter((cookie) => covers(cookie, path)).map(({ pair }) => pair);
      return sent.length > 0 ? sent.join("; ") : undefined;
    },
  };
}
type TestBrowser = ReturnType<typeof testBrowser>;

function parse(setCookie: string): Cookie {
  const [pair = "", ...attributes] = setCookie.split("; ");
  const path = attributes.find((attribute) => attribute.toLowerCase().startsWith("path="));
  return { pair, name: pair.slice(0, pair.indexOf("=")), path: path?.slice(5) ?? "/" };
}

export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

export const verifier = randomBytes(32).toString("base64url");
const challenge = createHash("sha256").update(verifier).digest("base64url");

/** A correct authorisation request; `changes` replaces, repeats (array) or removes (undefined). */
export function authorisationRequest(
  tpp: Tpp,
  { kind = "AIS", id }: { readonly kind?: ResourceKind; readonly id: string },
  changes: Parameters = {},
): URL {
  const parameters: Parameters = {
    response_type: "code",
    client_id: tpp.id,
    scope: `${kind}:${id}`,
    state: "a state & more",
    redirect_uri: okUri,
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...changes,
  };
  const url = new URL("/auth", webUrl);
  for (const [name, values] of Object.entries(parameters)) {
    for (const value of [values ?? []].flat()) url.searchParams.append(name, value);
  }
  return url;
}

/** Opens a URL of the browser host; yields where it leads. */
export async function open(bank: TestBank, url: URL | string, browser: TestBrowser): Promise<URL> {
  const { pathname } = new URL(url);
  const cookie = browser.cookiesFor(pathname);
  const answer = await bank.server.serve(
    new Request(url, { headers: cookie === undefined ? {} : { cookie } }),
  );
  browser.keep(answer);
  if (answer.status !== 303) throw new Error(`${answer.status} ${await answer.text()}`);
  return new URL(answer.headers.get("location") ?? "none");
}

/** Where the PSU's yes leads to. */
export async function accepted(
  { server }: TestBank,
  page: URL,
  cookies: string | undefined,
  { authorisationId }: { readonly authorisationId: AuthorisationId },
): Promise<string> {
  const uid = uidOf(page);
  const onward = await server.interactions.accept({ uid }, cookies, { authorisationId });
  if (onward === undefined) throw new Error("there is nothing to accept");
  return onward;
}

export const uidOf = (page: URL): string => page.pathname.slice("/authorise/".length);

/** From the authorisation request to the TPP's redirect URI, with the PSU's yes in between. */
export function authorise(
  bank: TestBank,
  tpp: Tpp,
  consent: AccountConsent,
  browser = testBrowser(),
): Promise<URL> {
  const { id, authorisationId } = consent;
  const finalise = () => bank.finalise(consent);
  return authoriseResource(bank, tpp, { kind: "AIS", id, authorisationId, finalise }, browser);
}

/** Something that waits for its PSU, and the PSU's yes. */
export type Waiting = Pick<AccountConsent, "authorisationId"> & {
  readonly kind: ResourceKind;
  readonly id: string;
  readonly finalise: () => Promise<unknown>;
};

export async function authoriseResource(
  bank: TestBank,
  tpp: Tpp,
  { kind, id, authorisationId, finalise }: Waiting,
  browser = testBrowser(),
): Promise<URL> {
  const page = await open(bank, authorisationRequest(tpp, { id, kind }), browser);
  await finalise();
  const cookies = browser.cookiesFor(page.pathname);
  return open(bank, await accepted(bank, page, cookies, { authorisationId }), browser);
}

/** What the token endpoint answers with 200. */
export type Tokens = {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly expires_in: number;
  readonly token_type: string;
  readonly scope: string;
};

export function post(
  bank: TestBank,
  form: Parameters,
  { clientCert, path = "/token" }: { readonly clientCert?: string; readonly path?: string } = {},
): Promise<Response> {
  const body = new URLSearchParams();
  for (const [name, values] of Object.entries(form)) {
    for (const value of [values ?? []].flat()) body.append(name, value);
  }
  const headers = clientCert === undefined ? {} : { "client-cert": clientCert };
  return bank.server.serve(new Request(`${issuer}${path}`, { method: "POST", headers, body }));
}

export function codeForm(tpp: Tpp, back: URL, changes: Parameters = {}): Parameters {
  return {
    grant_type: "authorization_code",
    client_id: tpp.id,
    code: back.searchParams.get("code") ?? "none",
    redirect_uri: okUri,
    code_verifier: verifier,
    ...changes,
  };
}

export function refreshForm(
  tpp: Tpp,
  { refresh_token }: Tokens,
  changes: Parameters = {},
): Parameters {
  return { grant_type: "refresh_token", client_id: tpp.id, refresh_token, ...changes };
}

export async function tokensFrom(answer: Response): Promise<Tokens> {
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Tokens;
}

export async function errorOf(answer: Response): Promise<string> {
  const { error } = (await answer.json()) as { readonly error: string };
  return `${answer.status} ${error}`;
}

/** With the reason, which is for the TPP's developer. */
export async function describedErrorOf(answer: Response): Promise<string> {
  const { error, error_description: why } = (await answer.json()) as Readonly<
    Record<string, string>
  >;
  return `${answer.status} ${error}: ${why}`;
}

/** A bank and two of its TPPs; unless a test says otherwise, `example` does everything right. */
export async function tokenClient(settings?: TestSettings) {
  const bank = await testBank(settings);
  const example = await bank.tpp("PSDRO-NBR-1234567");
  const other = await bank.tpp("PSDDE-BAFIN-99");

  const redeem = (back: URL, changes: Parameters = {}, by = example) =>
    post(bank, codeForm(example.tpp, back, changes), by);
  const refresh = (tokens: Tokens, changes: Parameters = {}, by = example) =>
    post(bank, refreshForm(example.tpp, tokens, changes), by);

  /** An authorised consent and the redirect that carries its code. */
  const authorised = async (given: Partial<AccountConsent> = {}) => {
    const consent = await bank.consent(example.tpp, given);
    return { consent, back: await authorise(bank, example.tpp, consent) };
  };
  const redeemed = async (given: Partial<AccountConsent> = {}) => {
    const { consent, back } = await authorised(given);
    return { consent, tokens: await tokensFrom(await redeem(back)) };
  };
  return { bank, example, other, redeem, refresh, authorised, redeemed };
}

/** A payment that waits for its PSU. */
export async function waitingPayment(
  bank: TestBank,
  tpp: Tpp,
  { dayLimit = eur(5_000_000n) }: { readonly dayLimit?: Money } = {},
): Promise<Waiting> {
  const now = await bank.ports.clock.now();
  const { psuId, accountId, iban } = await payer(bank.db);
  const begun = initiation({ tppId: tpp.id, order: { ...order, debtor: { iban } } });
  const { payment, authorisation } = begun.started;
  const started = { ...begun.started, authorisation: { ...authorisation, ...fresh(now) } };
  await bank.stores.payments.initiate({ ...begun, started });
  const { id, authorisationId } = payment;
  const debit = { accountId, amount: payment.order.amount, fee: eur(0n) };
  const linked = await linkedPayment(payment, debit);
  return {
    kind: "PIS",
    id,
    authorisationId,
    finalise: async () => {
      const challenge = await challenged(bank, { authorisationId, psuId, accountId });
      const submitAgainAt = addTime(challenge.at, 5, "second");
      const decision = {
        ...challenge,
        authorisationId,
        paymentId: id,
        debit,
        linked,
        submitAgainAt,
      };
      return confirmed(bank.db, decision, { psuDayLimit: dayLimit });
    },
  };
}

/** A confirmation of funds consent that waits for its PSU. */
export async function waitingFunds(
  bank: TestBank,
  tpp: Tpp,
  given: Partial<FundsConsent> = {},
): Promise<Waiting> {
  const now = await bank.ports.clock.now();
  const received = receivedFundsConsent({ tppId: tpp.id, createdAt: now, ...given }, fresh(now));
  const { consent, authorisation } = received;
  const { openPerTppMax } = aspspProfile.sca;
  await bank.stores.fundsConsents.insert(consent, authorisation, openPerTppMax);
  const { id, authorisationId } = consent;
  const accountId = newAccountId();
  return {
    kind: "PIIS",
    id,
    authorisationId,
    finalise: async () => {
      const challenge = await challenged(bank, { authorisationId, psuId: ana, accountId });
      const decision = { ...challenge, authorisationId, consentId: consent.id, accountId };
      return bank.stores.authorisations.finaliseFundsConsent(decision);
    },
  };
}

const fresh = (now: Date) => ({
  redirectUris: { redirectUri: okUri },
  createdAt: now,
  expiresAt: addTime(now, aspspProfile.sca.windowMinutes, "minute"),
});

type SignedIn = {
  readonly authorisationId: AuthorisationId;
  readonly psuId: PsuId;
  readonly accountId: AccountId;
};

/** The PSU has signed in and typed the code of the challenge that comes back. */
async function challenged(
  bank: Pick<TestBank, "ports" | "stores">,
  { authorisationId: id, psuId, accountId }: SignedIn,
) {
  const at = await bank.ports.clock.now();
  const { authorisations } = bank.stores;
  const codeFingerprint = `fingerprint of ${id}`;
  await authorisations.takeAttempt(id, 5, at);
  await authorisations.authenticate(id, psuId, at);
  const challenge = { codeFingerprint, expiresAt: addTime(at, 5, "minute"), linkHash: "link" };
  await authorisations.startChallenge(id, [accountId], challenge, 4, at);
  await authorisations.takeAttempt(id, 5, at);
  return { psuId, codeFingerprint, on: dayIn(aspspProfile.timeZone, at), at };
}
