import { randomBytes, randomInt } from "node:crypto";
import {
  clientId,
  makeCertificates,
  type Role,
  type TppCertificates,
} from "@/cli/tpp/certificates";
import { type RedirectListener, redirectListener } from "@/cli/tpp/redirect-listener";
import {
  type AuthorisationRequest,
  type CallOptions,
  type ConsentRequest,
  type Exchange,
  granted,
  type Http,
  http,
  oauth,
  type PaymentAddress,
  type Permission,
  type Seal,
  seal,
  type Token,
  text,
  type Xs2a,
  xs2a,
} from "@/clients/typescript/src";
import { nextKeys } from "@/lib/sandbox/testing";
import { consentRequest } from "./consent-request";
import { type PaymentOrder, sepa } from "./payment-request";
import type { ServerSettings } from "./server";

/** The PSU's address in calls the PSU caused. */
const PSU_IP_ADDRESS = "198.51.100.7";

export type TestTpp = {
  readonly id: string;
  readonly name: string;
  /** The bank's TPP host. */
  readonly xs2aUrl: string;
  readonly certificates: TppCertificates;
  readonly seal: Seal;
  readonly http: Http;
  /** Calls with the PSU at hand. */
  readonly bank: Xs2a;
  /** The same calls without PSU-IP-Address. */
  readonly unattended: Xs2a;
  readonly listener: RedirectListener;
  readonly redirectUri: string;
  readonly nokRedirectUri: string;
  /** Creates a consent and prepares the PSU's visit to the bank. */
  readonly ask: (request?: ConsentRequest, withNok?: boolean) => Promise<Asked>;
  /** Starts a payment and prepares the PSU's visit to the bank. */
  readonly askToPay: (order?: PaymentOrder, more?: CallOptions) => Promise<AskedToPay>;
  /** The token for the redirect that has come or is about to come. */
  readonly collect: (asked: Visit) => Promise<Token>;
  /** The token endpoint, raw. */
  readonly postToken: (form: Readonly<Record<string, string>>) => Promise<TokenReply>;
  readonly close: () => Promise<void>;
};

/** The PSU's visit to the bank. */
type Visit = {
  readonly authorisationId: string;
  readonly server: Awaited<ReturnType<typeof oauth>>;
  readonly request: AuthorisationRequest;
};
export type Asked = Visit & { readonly consentId: string };
export type AskedToPay = Visit & PaymentAddress;

export type TokenReply = { readonly status: number; readonly body: Record<string, unknown> };

/** A consent the PSU has authorised, and the token for it. */
export type Grant = Permission & { readonly asked: Asked; readonly token: Token };

export type TestTppOptions = {
  readonly bank: ServerSettings;
  readonly roles?: readonly Role[];
  readonly name?: string;
  /** Another organisation's id, to hold a second set of certificates for it. */
  readonly id?: string;
  /** Instead of fresh ones of the sandbox CA. */
  readonly certificates?: TppCertificates;
  readonly onExchange?: (exchange: Exchange) => void;
};

/** A new TPP, with a loopback port for its PSUs to come back to. */
export async function testTpp(options: TestTppOptions): Promise<TestTpp> {
  const { bank: settings, roles = ["PSP_AI", "PSP_PI", "PSP_IC"] } = options;
  const id = options.id ?? `PSDRO-NBR-${randomInt(1_000_000, 9_999_999)}`;
  const name = options.name ?? `Tpp ${randomBytes(4).toString("hex")}`;
  const inProduction = settings.webUrl.startsWith("https:");
  const making = {
    makeKeys: nextKeys,
    ...(inProduction && { statusUrl: `${settings.webUrl}/sandbox` }),
  };
  const certificates =
    options.certificates ?? (await makeCertificates(settings.dataDir, { id, name, roles }, making));
  const connection = http({
    certificate: certificates.qwac,
    ca: certificates.ca,
    ...(options.onExchange !== undefined && { onExchange: options.onExchange }),
  });
  const listener = await redirectListener(0, inProduction ? certificates.qwac : undefined);
  const redirectUri = `${listener.origin}/callback`;
  const nokRedirectUri = `${listener.origin}/nok`;
  const own = seal(certificates.qseal.pem, certificates.qseal.key);
  const call = { url: settings.xs2aUrl, http: connection, seal: own };
  const bank = xs2a({ ...call, psuIpAddress: PSU_IP_ADDRESS });

  async function ask(request = consentRequest(), withNok = true): Promise<Asked> {
    const redirects = { redirectUri, ...(withNok && { nokRedirectUri }) };
    const { consentId, _links } = granted(await bank.createConsent(request, redirects));
    const server = await oauth(_links.scaOAuth.href, clientId(certificates), connection);
    const authorisation = server.authorise(`AIS:${consentId}`, redirectUri);
    const authorisationId = String(_links.scaStatus.href.split("/").at(-1));
    return { consentId, authorisationId, server, request: authorisation };
  }
  const redirects = { redirectUri, nokRedirectUri };
  const payer = { id: clientId(certificates), http: connection, bank, ...redirects };

  return {
    id,
    name,
    xs2aUrl: settings.xs2aUrl,
    certificates,
    seal: own,
    http: connection,
    bank,
    unattended: xs2a(call),
    listener,
    redirectUri,
    nokRedirectUri,
    ask,
    askToPay: askingToPay(payer),
    collect: async ({ server, request }) => server.token(await listener.next(60_000), request),
    postToken: async (form) => {
      const { status, body } = await connection.send({
        method: "POST",
        url: `${settings.xs2aUrl}/token`,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: Buffer.from(new URLSearchParams({ client_id: id, ...form }).toString()),
      });
      return { status, body: JSON.parse(text(body)) as Record<string, unknown> };
    },
    close: async () => {
      await Promise.all([listener.close(), connection.close()]);
    },
  };
}

type Paying = Pick<TestTpp, "id" | "http" | "bank" | "redirectUri" | "nokRedirectUri">;

/** Initiates payments that wait for their PSU. */
export function askingToPay({ id, http: connection, bank, ...redirects }: Paying) {
  return async (order = sepa(), more?: CallOptions): Promise<AskedToPay> => {
    const { product, payment } = order;
    const created = await bank.createPayment(product, payment, redirects, more);
    const { paymentId, _links } = granted(created);
    const server = await oauth(_links.scaOAuth.href, id, connection);
    const request = server.authorise(`PIS:${paymentId}`, redirects.redirectUri);
    const authorisationId = String(_links.scaStatus.href.split("/").at(-1));
    return { product, paymentId, authorisationId, server, request };
  };
}
