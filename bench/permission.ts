import type { ServerSettings } from "@/e2e/harness/server";
import { clientId, ownCertificates, type TppCertificates } from "@/tpp/certificates";
import { type Http, http } from "@/tpp/http";
import { type OAuth, oauth } from "@/tpp/oauth";
import { granted } from "@/tpp/reply";
import { seal } from "@/tpp/signing";
import { type Xs2a, xs2a } from "@/tpp/xs2a";
import { authoriseAsPsu } from "./psu";

/** A consent with a token that is refreshed before it ends. */
export type Permission = {
  readonly consentId: string;
  readonly accessToken: () => Promise<string>;
};

/** The TPP of the bench, to whom the demo PSU permits what it asks for. */
export type BenchTpp = {
  readonly certificates: TppCertificates;
  readonly api: Xs2a;
  /** All data of all accounts. */
  readonly accounts: () => Promise<Permission>;
  readonly funds: (iban: string) => Promise<Permission>;
  readonly close: () => Promise<void>;
};

export const REDIRECT_URI = "http://localhost:9/back";
/** Where consents and payments are asked for. */
export const PSU_IP_ADDRESS = "127.0.0.1";
/** The token lives for a quarter of an hour. */
const REFRESH_AFTER_MS = 8 * 60_000;

export async function benchTpp(bank: ServerSettings): Promise<BenchTpp> {
  const certificates = await ownCertificates(bank.dataDir);
  const over = http({ certificate: certificates.qwac, ca: certificates.ca });
  const sealing = seal(certificates.qseal.pem, certificates.qseal.key);
  const url = bank.xs2aUrl;
  const api = xs2a({ url, http: over, seal: sealing, psuIpAddress: PSU_IP_ADDRESS });
  const psu = { webUrl: bank.webUrl, client: clientId(certificates), over };
  return {
    certificates,
    api,
    accounts: async () => {
      const request = {
        access: { allPsd2: "allAccounts" },
        recurringIndicator: true,
        validUntil: inDays(90),
        frequencyPerDay: 4,
        combinedServiceIndicator: false,
      } as const;
      const created = granted(await api.createConsent(request, { redirectUri: REDIRECT_URI }));
      return permission({ kind: "AIS", created }, psu);
    },
    funds: async (iban) => {
      const request = { account: { iban } };
      const created = granted(await api.createFundsConsent(request, { redirectUri: REDIRECT_URI }));
      return permission({ kind: "PIIS", created }, psu);
    },
    close: () => over.close(),
  };
}

type Asked = {
  readonly kind: "AIS" | "PIIS";
  readonly created: {
    readonly consentId: string;
    readonly _links: { readonly scaOAuth: { readonly href: string } };
  };
};
type Psu = { readonly webUrl: string; readonly client: string; readonly over: Http };

async function permission(
  { kind, created }: Asked,
  { webUrl, client, over }: Psu,
): Promise<Permission> {
  const { consentId, _links } = created;
  const server = await oauth(_links.scaOAuth.href, client, over);
  const request = await server.authorise(`${kind}:${consentId}`, REDIRECT_URI);
  const cameBack = await authoriseAsPsu(request.url, REDIRECT_URI, webUrl);
  const token = await server.token(cameBack, request);
  return { consentId, accessToken: refreshing(server, token) };
}

function refreshing(server: OAuth, first: Awaited<ReturnType<OAuth["token"]>>) {
  let token = first;
  let since = performance.now();
  return async () => {
    if (performance.now() - since > REFRESH_AFTER_MS) {
      const { refreshToken } = token;
      if (refreshToken === undefined) throw new Error("the token cannot be refreshed");
      since = performance.now();
      token = { refreshToken, ...(await server.refresh(refreshToken)) };
    }
    return token.accessToken;
  };
}

export function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}
