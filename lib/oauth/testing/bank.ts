import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { after } from "@/lib/domain/clock";
import type { AccountConsent } from "@/lib/domain/consent/account-consent";
import { addDays, dayIn } from "@/lib/domain/iso-date";
import type { Authorisation } from "@/lib/domain/sca/authorisation";
import type { Psd2Role, Tpp } from "@/lib/domain/tpp/tpp";
import { formatClientCert, parseClientCert } from "@/lib/eidas/client-cert";
import { checkQwac } from "@/lib/eidas/qwac";
import { parseTrustAnchors } from "@/lib/eidas/trust";
import { fundsConsentStore } from "@/lib/postgres/funds-consent-store";
import { accountOne, ana, granted, receivedConsent, storesOf } from "@/lib/postgres/samples";
import { stopList } from "@/lib/postgres/stop-list";
import { type TestSettings, testDatabase } from "@/lib/postgres/testing";
import { makeCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { keysInTurn } from "@/lib/sandbox/testing-keys";
import { issueTppCertificates } from "@/lib/sandbox/tpp-certificates";
import { authorisationServer } from "../authorisation-server";

export const issuer = "https://xs2a.bank.example";
export const webUrl = "http://localhost:3000";
export const okUri = "https://tpp.example/ok?from=bank";

/** The authorisation server on a real PostgreSQL, with a clock that tests move forward. */
export async function testBank(settings?: TestSettings) {
  const database = await testDatabase(settings);
  const stores = { ...storesOf(database.db), fundsConsents: fundsConsentStore(database.db) };
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
    cookieSecret: "a secret for the cookies of this test only",
    signingKeyPem: signingKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };

  return {
    ports,
    stores,
    signingKey,
    server: authorisationServer(ports),
    sql: database.sql,
    db: database.db,
    close: () => database.close(),
    passTime: (amount: number, unit: "second" | "minute" | "day") => {
      shift += after(new Date(0), amount, unit).getTime();
    },

    /** A TPP this bank has met, with a QWAC as the `Client-Cert` header carries it. */
    tpp: async (id: string, roles: readonly Psd2Role[] = ["PSP_AI"]) => {
      const issued = () =>
        issueTppCertificates(authority, {
          id,
          name: "Example TPP",
          roles,
          now: new Date(),
          makeKeys: keysInTurn,
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
          expiresAt: after(now, aspspProfile.sca.windowMinutes, "minute"),
          wayBack: { redirectUri: okUri, nokRedirectUri: "https://tpp.example/nok" },
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
      const now = await clock.now();
      const codeFingerprint = `fingerprint of ${authorisationId}`;
      const challenge = { codeFingerprint, expiresAt: after(now, 5, "minute") };
      await stores.authorisations.takeAttempt(authorisationId, 5, now);
      await stores.authorisations.authenticate(authorisationId, ana, now);
      await stores.authorisations.startChallenge(authorisationId, [accountOne], challenge, 4, now);
      await stores.authorisations.takeAttempt(authorisationId, 5, now);
      const done = await stores.authorisations.finaliseAccountConsent({
        authorisationId,
        consentId: id,
        psuId: ana,
        codeFingerprint,
        grantedAccounts: [granted()],
        on: dayIn(aspspProfile.timeZone, now),
        at: now,
      });
      if (!done) throw new Error("the consent was not finalised");
    },
  };
}
export type TestBank = Awaited<ReturnType<typeof testBank>>;

function asHeader(pem: string): string {
  return formatClientCert(new X509Certificate(pem).raw);
}
