import type { ServerSettings } from "@/e2e/harness/server";
import { clientId, ownCertificates, type TppCertificates } from "@/tpp/certificates";
import { type Http, http, text } from "@/tpp/http";
import { oauth } from "@/tpp/oauth";
import { granted } from "@/tpp/reply";
import { seal, signed } from "@/tpp/signing";
import { AISP, type Xs2aOptions, xs2a } from "@/tpp/xs2a";
import { authoriseAsPsu } from "./psu";

/** A call a TPP may make, its PSU present: unattended ones are counted, and four a day are soon used. */
export type PermittedCall = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly certificates: TppCertificates;
  /** What the bank answered once, as it went over the wire. */
  readonly body: string;
};

const REDIRECT_URI = "http://localhost:9/back";
const PSU_IP_ADDRESS = "127.0.0.1";

/** A TPP with a consent for all data, authorised by the demo PSU, and its first `GET /v1/accounts`. */
export async function permittedCall(bank: ServerSettings): Promise<PermittedCall> {
  const certificates = await ownCertificates(bank.dataDir);
  const connection = http({ certificate: certificates.qwac, ca: certificates.ca });
  try {
    const sealing = seal(certificates.qseal.pem, certificates.qseal.key);
    const url = bank.xs2aUrl;
    const permission = await authorised(
      bank,
      { url, http: connection, seal: sealing, psuIpAddress: PSU_IP_ADDRESS },
      clientId(certificates),
    );
    const call = { url: `${url}${AISP}/accounts`, headers: headersOf(permission) };
    const body = await bodyOf(
      connection,
      call.url,
      signed(sealing, new Uint8Array(), call.headers),
    );
    return { ...call, certificates, body };
  } finally {
    await connection.close();
  }
}

type Permission = { readonly consentId: string; readonly accessToken: string };

async function authorised(
  bank: ServerSettings,
  options: Xs2aOptions,
  client: string,
): Promise<Permission> {
  const created = granted(
    await xs2a(options).createConsent(
      {
        access: { allPsd2: "allAccounts" },
        recurringIndicator: true,
        validUntil: inDays(90),
        frequencyPerDay: 4,
        combinedServiceIndicator: false,
      },
      { redirectUri: REDIRECT_URI },
    ),
  );
  const authorisationServer = await oauth(created._links.scaOAuth.href, client, options.http);
  const { consentId } = created;
  const request = await authorisationServer.authorise(`AIS:${consentId}`, REDIRECT_URI);
  const cameBack = await authoriseAsPsu(request.url, REDIRECT_URI, bank.webUrl);
  const { accessToken } = await authorisationServer.token(cameBack, request);
  return { consentId, accessToken };
}

function headersOf({ consentId, accessToken }: Permission): PermittedCall["headers"] {
  return {
    accept: "application/json",
    "psu-ip-address": PSU_IP_ADDRESS,
    "consent-id": consentId,
    authorization: `Bearer ${accessToken}`,
  };
}

async function bodyOf(over: Http, url: string, headers: PermittedCall["headers"]): Promise<string> {
  const reply = await over.send({ method: "GET", url, headers });
  if (reply.status !== 200) throw new Error(`HTTP ${reply.status}: ${text(reply.body)}`);
  return text(reply.body);
}

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}
