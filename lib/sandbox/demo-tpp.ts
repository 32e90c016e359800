import { X509Certificate } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  AuthorisationRefused,
  type AuthorisationRequest,
  type ConsentRequest,
  type Exchange,
  granted,
  type Http,
  headerPairs,
  http,
  NoAnswer,
  OAuthFailed,
  oauth,
  type Permission,
  Refused,
  seal,
  text,
  type Xs2a,
  xs2a,
} from "@/clients/typescript/src";
import type { Config } from "@/lib/config";
import { addTime, type Clock } from "@/lib/domain/values";
import { issuedFiles } from "./certificate-issuing";
import { type CertificateOrder, orderLimits } from "./certificate-order";
import type { DemoAccount, RecordedExchange, Visit } from "./demo-tpp-visits";

/**
 * A TPP in the sandbox itself, for `/sandbox/tpp`: it calls the TPP host over mutual TLS with certificates of its own,
 * and has nothing of the bank but its answers and, as any customer of the sandbox, its clock.
 */
export type DemoTppMeans = {
  readonly config: Pick<Config, "DATA_DIR" | "WEB_URL" | "XS2A_URL">;
  readonly clock: Clock;
};

export const DEMO_TPP = { id: "PSDRO-NBR-5772156", name: "Demo TPP" } as const;
const PRODUCT = "sepa-credit-transfers";
const DAYS = 90;
const RENEWED_DAYS_BEFORE = 30;
/** A payment of the sandbox is executed within a second or two. */
const LAST_STATUSES = ["ACSC", "ACCC", "RJCT", "CANC"];

/** What a person asks the demo TPP for; what is no amount, IBAN or currency the bank says. */
export type ServiceRequest =
  | { readonly kind: "accounts" }
  | {
      readonly kind: "funds";
      readonly iban: string;
      readonly amount: string;
      readonly currency: string;
    }
  | {
      readonly kind: "payment";
      readonly iban: string;
      readonly amount: string;
      readonly to: string;
      readonly name: string;
    };

type Tpp = {
  readonly bank: Xs2a;
  readonly connection: Http;
  readonly redirectUri: string;
  readonly now: Date;
};

/** Where the demo TPP keeps its certificates and what it remembers of each browser. */
export function demoTppFolder({ config }: Pick<DemoTppMeans, "config">): string {
  return resolve(config.DATA_DIR, "demo-tpp");
}

/** Asks the bank, up to where the PSU has to authorise it; or has the bank's refusal. */
export function startVisit(means: DemoTppMeans, asked: ServiceRequest): Promise<Visit> {
  return recorded(means, { kind: asked.kind, exchanges: [] }, async (tpp) => {
    const { resourceId, scaOAuth, scope, ...more } = await created(tpp, asked);
    const server = await oauth(scaOAuth, DEMO_TPP.id, tpp.connection);
    const { url, state, codeVerifier } = server.authorise(
      `${scope}:${resourceId}`,
      tpp.redirectUri,
    );
    return {
      ...more,
      resourceId,
      authorisation: { url: url.href, scaOAuth, state, codeVerifier },
    };
  });
}

/** Fetches the token for what the bank has sent the PSU back with (a query), and what it is for. */
export function finishVisit(means: DemoTppMeans, visit: Visit, query: string): Promise<Visit> {
  const { authorisation, ...rest } = visit;
  if (authorisation === undefined) return Promise.resolve(visit);
  return recorded(means, rest, async (tpp) => {
    const server = await oauth(authorisation.scaOAuth, DEMO_TPP.id, tpp.connection);
    const asked: Omit<AuthorisationRequest, "url"> = { ...authorisation, ...tpp };
    const { accessToken } = await server.token(new URL(query, tpp.redirectUri), asked);
    return { accessToken, ...(await read(tpp, { ...rest, accessToken })) };
  });
}

/** Reads once more: the accounts, the answer, or the payment's status. */
export function continueVisit(means: DemoTppMeans, visit: Visit): Promise<Visit> {
  if (visit.authorisation !== undefined) return Promise.resolve(visit);
  return recorded(means, visit, (tpp) => read(tpp, visit));
}

export function isUnderWay({ statuses = [] }: Visit): boolean {
  const last = statuses.at(-1)?.status;
  return last !== undefined && !LAST_STATUSES.includes(last);
}

export async function demoQwac(means: DemoTppMeans): Promise<X509Certificate> {
  const { "qwac.pem": pem } = await ownCertificates(means, await means.clock.now());
  return new X509Certificate(pem);
}

/** With what was exchanged meanwhile, and with the refusal if the bank, or the PSU, refused. */
async function recorded(
  means: DemoTppMeans,
  { refusal: _, ...visit }: Visit,
  act: (tpp: Tpp) => Promise<Partial<Visit>>,
): Promise<Visit> {
  const now = await means.clock.now();
  const certificates = await ownCertificates(means, now);
  const exchanges = [...visit.exchanges];
  const connection = http({
    certificate: { pem: certificates["qwac.pem"], key: certificates["qwac.key"] },
    ca: certificates["ca.pem"],
    onExchange: (exchange, milliseconds) => {
      exchanges.push(record(exchange, milliseconds, now));
    },
  });
  const bank = xs2a({
    url: means.config.XS2A_URL,
    http: connection,
    seal: seal(certificates["qseal.pem"], certificates["qseal.key"]),
    psuIpAddress: "127.0.0.1",
    now: () => now,
  });
  const redirectUri = `${means.config.WEB_URL}/sandbox/tpp/callback`;
  try {
    return { ...visit, ...(await act({ bank, connection, redirectUri, now })), exchanges };
  } catch (error) {
    return { ...visit, refusal: refusalIn(error), exchanges };
  } finally {
    await connection.close();
  }
}

/** Anything else than a refusal is a fault of this program. */
function refusalIn(error: unknown): string {
  if (error instanceof AuthorisationRefused) return `The PSU did not agree: ${error.message}`;
  if (error instanceof Refused || error instanceof OAuthFailed || error instanceof NoAnswer)
    return error.message;
  throw error;
}

async function created({ bank, redirectUri, now }: Tpp, asked: ServiceRequest) {
  const redirects = { redirectUri };
  if (asked.kind === "payment") {
    const { iban, amount, to, name } = asked;
    const payment = {
      debtorAccount: { iban },
      instructedAmount: { currency: "EUR", amount },
      creditorAccount: { iban: to },
      creditorName: name,
    };
    const answer = granted(await bank.createPayment(PRODUCT, payment, redirects));
    const statuses = [{ at: now.toISOString(), status: answer.transactionStatus }];
    const scaOAuth = answer._links.scaOAuth.href;
    return { resourceId: answer.paymentId, scaOAuth, scope: "PIS", statuses };
  }
  if (asked.kind === "accounts") {
    const answer = granted(await bank.createConsent(consentRequest(now), redirects));
    return { resourceId: answer.consentId, scaOAuth: answer._links.scaOAuth.href, scope: "AIS" };
  }
  const { iban, amount, currency } = asked;
  const question = { account: { iban }, instructedAmount: { currency, amount } };
  const answer = granted(await bank.createFundsConsent({ account: { iban } }, redirects));
  const scaOAuth = answer._links.scaOAuth.href;
  return { resourceId: answer.consentId, scaOAuth, scope: "PIIS", question };
}

function consentRequest(now: Date): ConsentRequest {
  return {
    access: { balances: [], transactions: [] },
    recurringIndicator: true,
    validUntil: day(addTime(now, DAYS, "day")),
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
  };
}

async function read(tpp: Tpp, visit: Visit): Promise<Partial<Visit>> {
  const { resourceId, accessToken, question, statuses = [] } = visit;
  if (resourceId === undefined || accessToken === undefined) return {};
  const permission = { consentId: resourceId, accessToken };
  switch (visit.kind) {
    case "accounts":
      return { accounts: await accountsOf(tpp, permission) };
    case "funds": {
      if (question === undefined) return {};
      const { fundsAvailable } = granted(await tpp.bank.confirmFunds(permission, question));
      return { fundsAvailable };
    }
    case "payment": {
      const address = { product: PRODUCT, paymentId: resourceId };
      const { transactionStatus: status } = granted(await tpp.bank.paymentStatus(address));
      const isNew = statuses.at(-1)?.status !== status;
      return { statuses: isNew ? [...statuses, { at: tpp.now.toISOString(), status }] : statuses };
    }
  }
}

async function accountsOf({ bank, now }: Tpp, permission: Permission): Promise<DemoAccount[]> {
  const { accounts } = granted(await bank.accounts(permission, true));
  const query = { bookingStatus: "booked", dateFrom: day(addTime(now, -DAYS, "day")) } as const;
  return Promise.all(
    accounts.map(async ({ resourceId, iban, currency, name, balances = [] }) => {
      // Of a blocked account, for instance, the list is all there is to read.
      const report = await bank.transactions(permission, resourceId, query);
      const transactions = report.ok ? (report.body.transactions.booked ?? []) : [];
      const named = name === undefined ? {} : { name };
      return { iban, currency, ...named, balances: [...balances], transactions: [...transactions] };
    }),
  );
}

function record({ request, reply }: Exchange, milliseconds: number, at: Date): RecordedExchange {
  const { method, url } = request;
  return {
    at: at.toISOString(),
    milliseconds: Math.round(milliseconds),
    method,
    url,
    headers: Object.fromEntries(headerPairs(request.headers)),
    body: text(request.body ?? new Uint8Array()),
    status: reply.status,
    replyHeaders: { ...reply.headers },
    replyBody: text(reply.body),
  };
}

function day(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

const FILES = ["qwac.pem", "qwac.key", "qseal.pem", "qseal.key", "ca.pem"] as const;
type Certificates = Readonly<Record<(typeof FILES)[number], string>>;

/** Made once of the sandbox CA, and again when they are no longer what the bank would accept. */
async function ownCertificates(means: DemoTppMeans, now: Date): Promise<Certificates> {
  const folder = demoTppFolder(means);
  const place = join(folder, "certificates");
  const found = await certificatesIn(place).catch(() => undefined);
  if (found !== undefined && (await isUsable(found, means, now))) return found;
  const { DATA_DIR, WEB_URL } = means.config;
  const files = await issuedFiles(order(WEB_URL), { dataDir: DATA_DIR, webUrl: WEB_URL, now });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const made = await mkdtemp(join(folder, "made-"));
  await Promise.all(
    files.map(({ name, text: pem }) => writeFile(join(made, name), pem, { mode: 0o600 })),
  );
  await rm(place, { recursive: true, force: true });
  // Of several that make them at once one is first, and the others take its.
  await rename(made, place).catch(() => rm(made, { recursive: true }));
  return certificatesIn(place);
}

async function certificatesIn(place: string): Promise<Certificates> {
  const read = FILES.map(async (name) => [name, await readFile(join(place, name), "utf8")]);
  return Object.fromEntries(await Promise.all(read));
}

function order(webUrl: string): CertificateOrder {
  const { hostname: domain } = new URL(webUrl);
  const organisation = {
    ...DEMO_TPP,
    roles: ["PSP_AI" as const, "PSP_PI" as const, "PSP_IC" as const],
    domain,
  };
  return { organisation, days: orderLimits.daysDefault };
}

/** Of the sandbox CA as it is now, for the bank's address and time. */
async function isUsable(found: Certificates, { config }: DemoTppMeans, now: Date) {
  const ca = await readFile(join(config.DATA_DIR, "ca/ca.pem"), "utf8");
  const end = addTime(now, RENEWED_DAYS_BEFORE, "day").getTime();
  const [qwac, qseal] = [found["qwac.pem"], found["qseal.pem"]].map(
    (pem) => new X509Certificate(pem),
  );
  const isValid = (one: X509Certificate | undefined) =>
    one?.verify(new X509Certificate(ca).publicKey) === true &&
    Date.parse(one.validFrom) <= now.getTime() &&
    Date.parse(one.validTo) >= end &&
    one.infoAccess?.includes(`${config.WEB_URL}/sandbox/ocsp`) === true;
  const { hostname } = new URL(config.WEB_URL);
  return isValid(qwac) && isValid(qseal) && qwac?.checkHost(hostname) !== undefined;
}
