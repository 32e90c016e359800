import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Making,
  makeCertificates,
  type Role,
  type TppCertificates,
} from "@/cli/tpp/certificates";
import { http, replyOf, signed } from "@/clients/typescript/src";
import { nextKeys } from "@/lib/sandbox/testing";
import { consentRequest } from "../harness/consent-request";
import { sepa } from "../harness/payment-request";
import { expectRefusal } from "../harness/refusals";
import { endpoints, having, paymentEndpoints, UNKNOWN_ID } from "../harness/requests";
import { expect, test } from "../harness/test";

const organisation = {
  id: "PSDRO-NBR-1000001",
  name: "Certificate TPP",
  roles: ["PSP_AI"],
} as const;
const DAY = 86_400_000;
const made = (
  dataDir: string,
  whose: Parameters<typeof makeCertificates>[1],
  making: Making = {},
) => makeCertificates(dataDir, whose, { makeKeys: nextKeys, ...making });

for (const { method, path } of [...endpoints(), ...paymentEndpoints()]) {
  test(`C2: without a client certificate ${method} ${path} is 401 CERTIFICATE_MISSING`, async ({
    tpp,
    bank,
    observe,
  }) => {
    const unidentified = http({ ca: tpp.certificates.ca, onExchange: observe });
    const headers = { authorization: "Bearer x", "consent-id": UNKNOWN_ID };
    const complete = signed(tpp.seal, new Uint8Array(), headers);
    const request = { method, url: `${bank.xs2aUrl}${path}`, headers: complete };
    expectRefusal(replyOf(await unidentified.send(request)), 401, "CERTIFICATE_MISSING");
    await unidentified.close();
  });
}

test("C1: no header can stand in for the client certificate", async ({ tpp, bank, observe }) => {
  const unidentified = http({ ca: tpp.certificates.ca, onExchange: observe });
  const der = tpp.certificates.qwac.pem.replace(/-----[^-]+-----|\s/g, "");
  const names = [
    "client-cert",
    "Client-Cert",
    "CLIENT-CERT",
    "client_cert",
    "x-ssl-client-cert",
    "X_SSL_CLIENT_CERT",
    "ssl-client-cert",
    "x-client-cert",
  ];
  for (const name of names) {
    for (const value of [`:${der}:`, der, encodeURIComponent(tpp.certificates.qwac.pem)]) {
      const headers = signed(tpp.seal, new Uint8Array(), { [name]: value });
      const url = `${bank.xs2aUrl}/open-banking/v3.1/aisp/v1/consents/${UNKNOWN_ID}`;
      const { status } = await unidentified.send({ method: "GET", url, headers });
      expect([400, 401, 431], `${name}: ${status}`).toContain(status);
    }
  }
  await unidentified.close();
});

type MakeFaulty = (dataDir: string) => Promise<TppCertificates>;
const faulty: readonly (readonly [fault: string, code: string, make: MakeFaulty])[] = [
  [
    "C3: an expired QWAC",
    "CERTIFICATE_EXPIRED",
    (dataDir) =>
      made(dataDir, organisation, {
        notBefore: new Date(Date.now() - 2 * DAY),
        notAfter: new Date(Date.now() - 1_000),
      }),
  ],
  [
    "C3: a QWAC of tomorrow",
    "CERTIFICATE_EXPIRED",
    (dataDir) => made(dataDir, organisation, { notBefore: new Date(Date.now() + DAY) }),
  ],
  [
    "C4: a QWAC of an unknown CA with the same name",
    "CERTIFICATE_INVALID",
    async (dataDir) => {
      const elsewhere = await mkdtemp(join(tmpdir(), "drawbridge-other-ca-"));
      const own = await made(elsewhere, organisation);
      await rm(elsewhere, { recursive: true });
      const { ca } = await made(dataDir, organisation);
      return { ...own, ca };
    },
  ],
  [
    "C8: a QSealC in place of the QWAC",
    "CERTIFICATE_INVALID",
    async (dataDir) => {
      const own = await made(dataDir, organisation);
      return { ...own, qwac: own.qseal };
    },
  ],
];
for (const [fault, code, make] of faulty) {
  test(`${fault} is 401 ${code} on every endpoint`, async ({ bank, newTpp }) => {
    const tpp = await newTpp({ certificates: await make(bank.dataDir) });
    for (const { method, path } of [...endpoints(), ...paymentEndpoints()]) {
      const body = method === "POST" ? { body: consentRequest() } : {};
      expectRefusal(await tpp.bank.call(method, path, body), 401, code);
    }
  });
}

/** Each area is closed to a TPP that has only the roles of the others. */
const closed: readonly (readonly [roles: readonly Role[], area: string])[] = [
  [["PSP_PI"], "accounts"],
  [["PSP_AS", "PSP_IC"], "accounts"],
  [["PSP_AI"], "payments"],
  [["PSP_IC"], "payments"],
  [["PSP_AS"], "payments"],
  [["PSP_AI", "PSP_IC", "PSP_AS"], "payments"],
];
for (const [roles, area] of closed) {
  test(`C7: with ${roles.join(" and ")} alone every endpoint of ${area} is 401 ROLE_INVALID`, async ({
    bank,
    newTpp,
  }) => {
    const certificates = await made(bank.dataDir, { ...organisation, roles });
    const tpp = await newTpp({ certificates });
    for (const { method, path } of area === "accounts" ? endpoints() : paymentEndpoints()) {
      const body = method === "POST" ? { body: {} } : {};
      expectRefusal(await tpp.bank.call(method, path, body), 401, "ROLE_INVALID");
    }
  });
}

test("C7: PSP_PI alone is enough for a payment", async ({ bank, newTpp }) => {
  const roles = ["PSP_PI"] as const;
  const { id, name } = organisation;
  const certificates = await made(bank.dataDir, { id, name, roles });
  const tpp = await newTpp({ id, certificates });
  const { product, payment } = sepa();
  const reply = await tpp.bank.createPayment(product, payment, tpp);
  expect(reply.status).toBe(201);
});

test("C13: the seal must be of the organisation of the QWAC", async ({ tpp, newTpp }) => {
  const other = await newTpp();
  const mixed = await newTpp({
    id: tpp.id,
    certificates: { ...tpp.certificates, qseal: other.certificates.qseal },
  });
  const reply = await mixed.bank.consentStatus(UNKNOWN_ID);
  expectRefusal(reply, 401, "CERTIFICATE_INVALID", "TPP-Signature-Certificate");
});

test("a QWAC is no seal", async ({ tpp, newTpp }) => {
  const { certificates } = tpp;
  const mixed = await newTpp({ certificates: { ...certificates, qseal: certificates.qwac } });
  const reply = await mixed.bank.consentStatus(UNKNOWN_ID);
  expectRefusal(reply, 401, "CERTIFICATE_INVALID", "TPP-Signature-Certificate");
});

test("an expired seal is 401 CERTIFICATE_EXPIRED, a seal of an unknown CA CERTIFICATE_INVALID", async ({
  tpp,
  bank,
  newTpp,
}) => {
  const { id, name } = tpp;
  const same = { id, name, roles: ["PSP_AI"] } as const;
  const past = {
    notBefore: new Date(Date.now() - 2 * DAY),
    notAfter: new Date(Date.now() - 1_000),
  };
  const { qseal } = await made(bank.dataDir, same, past);
  const late = await newTpp({ certificates: { ...tpp.certificates, qseal } });
  expectRefusal(await late.bank.consentStatus(UNKNOWN_ID), 401, "CERTIFICATE_EXPIRED");

  const elsewhere = await mkdtemp(join(tmpdir(), "drawbridge-other-ca-"));
  const foreign = await made(elsewhere, same);
  await rm(elsewhere, { recursive: true });
  const strange = await newTpp({ certificates: { ...tpp.certificates, qseal: foreign.qseal } });
  expectRefusal(await strange.bank.consentStatus(UNKNOWN_ID), 401, "CERTIFICATE_INVALID");
});

test("the seal certificate must be readable, and may come as PEM on one line or in base64", async ({
  tpp,
}) => {
  const send = (certificate: string) =>
    tpp.bank.consentStatus(UNKNOWN_ID, {
      edit: having({ "tpp-signature-certificate": certificate }),
    });
  expectRefusal(await send("bm8gY2VydGlmaWNhdGU="), 401, "CERTIFICATE_INVALID");
  const { pem } = tpp.certificates.qseal;
  expectRefusal(await send(pem.replaceAll("\n", "")), 403, "CONSENT_UNKNOWN");
  expectRefusal(await send(Buffer.from(pem).toString("base64")), 403, "CONSENT_UNKNOWN");
});

test("a renewed certificate of the same organisation reads the same consent", async ({
  tpp,
  newTpp,
}) => {
  const { consentId } = await tpp.ask();
  const renewed = await newTpp({ id: tpp.id });
  expect((await renewed.bank.consentStatus(consentId)).status).toBe(200);
});
