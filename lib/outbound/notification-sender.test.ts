import {
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  X509Certificate,
} from "node:crypto";
import fc from "fast-check";
import { CompactSign } from "jose";
import { expect, it } from "vitest";
import {
  type NotificationFault,
  type NotificationTrust,
  type ReceivedNotification,
  verifyNotification,
} from "@/clients/typescript/src";
import { issueDer, pem } from "@/lib/eidas/testing/issuing";
import { authorityParts, makeCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { nextKeys } from "@/lib/sandbox/testing";
import { issueTppCertificates, qsealParts, qwacParts } from "@/lib/sandbox/tpp-certificates";
import { BasicConstraintsExtension, distinguishedName, privateKeyPem } from "@/lib/sandbox/x509";
import { notificationSender } from "./notification-sender";

const now = new Date("2026-11-20T10:00:00Z");
const authority = await makeCertificateAuthority(now);
const keys = await nextKeys();
const keyPem = await privateKeyPem(keys.privateKey);
const party = { id: "PSDRO-NBR-BANK", name: "Bank", roles: ["PSP_AS"], now } as const;
const sealOf = async (changes: object = {}, issuer = authority) =>
  pem(await issueDer(issuer, qsealParts({ ...party, ...changes }, keys.publicKey)));
const bankSeal = await sealOf();
const anchored: NotificationTrust = {
  anchors: authority.certificatePem,
  organizationIdentifier: party.id,
};
const url = "https://tpp.example/told?of=1";
const status = { paymentId: "p-1", transactionStatus: "ACSC" };
const messageId = "99391c7e-ad88-49ec-a2ad-99ddcb1f7721";

type Sent = {
  readonly certificatePem?: string;
  readonly key?: string;
  readonly data?: object;
  readonly url?: string;
  readonly at?: Date;
};

/** As the bank sends it. */
async function sent(changed: Sent = {}): Promise<ReceivedNotification> {
  const received: ReceivedNotification[] = [];
  const { certificatePem = bankSeal, key = keyPem, data = status } = changed;
  const send = notificationSender({ certificatePem, keyPem: key }, async (asked) => {
    const { headers = {}, body } = asked;
    received.push({ url: asked.url, headers, body: body?.bytes ?? new Uint8Array() });
    return new Uint8Array();
  });
  const message = { messageId, type: "resource.status", at: now, url: changed.url ?? url } as const;
  await send({ ...message, data: { ...data } }, changed.at ?? now);
  return received[0] ?? expect.fail("nothing was sent");
}

/** As somebody makes it who has read the bank's. */
async function made(header: object, key: KeyObject | Uint8Array): Promise<ReceivedNotification> {
  const body = Buffer.from(JSON.stringify(status));
  const x5c = [new X509Certificate(bankSeal).raw.toString("base64")];
  const iat = now.getTime() / 1_000;
  const jws = await new CompactSign(body)
    .setProtectedHeader({ alg: "PS256", x5c, iat, jti: messageId, url, ...header })
    .sign(key, { crit: { exp: false } });
  return withJws({ url, body, headers: {} }, jws.replace(/\.[^.]*\./, ".."));
}

function withJws({ url: to, body }: ReceivedNotification, jws: string | readonly string[]) {
  return { url: to, body, headers: { "x-request-id": messageId, "x-jws-signature": jws } };
}

const verified = (one: ReceivedNotification, trust: NotificationTrust = anchored) =>
  verifyNotification(one, { trust, now });
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);

it("W2: a TPP's client verifies what the bank has sent, by the bank's name or by its certificate", async () => {
  const { certificate, ...said } = { certificate: undefined, ...verified(await sent()) };
  expect(said).toEqual({ ok: true, requestId: messageId, sentAt: now, status });
  expect(certificate).toMatchObject({ raw: new X509Certificate(bankSeal).raw });
  expect(verified(await sent(), { certificates: [await sealOf(), bankSeal] }).ok).toBe(true);
  for (const data of [
    { consentId: "c-1", consentStatus: "valid" },
    { consentId: "c-1", authorisationId: "a-1", scaStatus: "finalised" },
    { paymentId: "p-1", authorisationId: "a-1", scaStatus: "failed" },
  ])
    expect(verified(await sent({ data }))).toMatchObject({ ok: true, status: data });
});

it.each(["prime256v1", "secp384r1", "secp521r1"])(
  "W2: a seal on %s verifies",
  async (namedCurve) => {
    const pair = generateKeyPairSync("ec", { namedCurve });
    const spki = new Uint8Array(pair.publicKey.export({ type: "spki", format: "der" }));
    const certificatePem = pem(await issueDer(authority, qsealParts(party, spki)));
    const key = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    expect(verified(await sent({ certificatePem, key })).ok).toBe(true);
  },
);

it("W2: a seal below an authority that comes with it verifies, and not below one that is none", async () => {
  const name = distinguishedName(["CN", "Issuing CA"]);
  const below = { name, keys: await nextKeys(), certificatePem: "" };
  const parts = authorityParts(name, below.keys, now);
  const between = pem(await issueDer(authority, parts));
  const basicConstraints = new BasicConstraintsExtension(false, undefined, true);
  const extensions = { ...parts.extensions, basicConstraints };
  const none = pem(await issueDer(authority, { ...parts, extensions }));
  const seal = await sealOf({}, below);
  expect(verified(await sent({ certificatePem: seal + between })).ok).toBe(true);
  const faults = [seal, seal + none].map((certificatePem) =>
    sent({ certificatePem }).then(verified),
  );
  for (const fault of faults) expect(await fault).toEqual({ ok: false, reason: "certificate" });
});

const hours = (count: number) => new Date(now.getTime() + count * 3_600_000);
const bankKey = createPrivateKey(keyPem);

/** What is not to be believed: one thing is wrong, all else is the bank's own. */
const refusals: readonly (readonly [
  what: string,
  reason: NotificationFault,
  received: () => Promise<ReceivedNotification>,
])[] = [
  ["without a seal", "no-signature", async () => ({ ...(await sent()), headers: {} })],
  [
    "with its seal twice",
    "no-signature",
    async () => withJws(await sent(), Array(2).fill((await sent()).headers["x-jws-signature"])),
  ],
  ["with a JWS of an extension", "no-signature", () => made({ crit: ["exp"], exp: 1 }, bankKey)],
  ["without a time", "no-signature", () => made({ iat: undefined }, bankKey)],
  ["with no certificate", "no-signature", () => made({ x5c: [] }, bankKey)],
  [
    "with a long chain",
    "no-signature",
    () =>
      made({ x5c: Array(5).fill(new X509Certificate(bankSeal).raw.toString("base64")) }, bankKey),
  ],
  [
    "sealed with the public key as a secret",
    "algorithm",
    () => made({ alg: "HS256" }, new X509Certificate(bankSeal).raw),
  ],
  ["in RSASSA-PKCS1-v1_5", "algorithm", () => made({ alg: "RS256" }, bankKey)],
  [
    "with no algorithm",
    "algorithm",
    async () => withJws(await sent(), `${header({ alg: "none" })}..AA`),
  ],
  [
    "of a TPP of the same authority",
    "certificate",
    async () => sent({ certificatePem: await sealOf({ id: "PSDRO-NBR-1234567" }) }),
  ],
  [
    "of a TPP whose name holds the bank's",
    "certificate",
    async () =>
      sent({
        certificatePem: await sealOf({
          id: "PSDRO-NBR-1234567",
          name: `TPP\norganizationIdentifier=${party.id}`,
        }),
      }),
  ],
  [
    "of another authority of the same name",
    "certificate",
    async () => sent({ certificatePem: await sealOf({}, await makeCertificateAuthority(now)) }),
  ],
  [
    "sealed with the bank's QWAC",
    "certificate",
    async () =>
      sent({ certificatePem: pem(await issueDer(authority, qwacParts(party, keys.publicKey))) }),
  ],
  [
    "of a seal that has ended",
    "certificate",
    async () =>
      sent({ certificatePem: await sealOf({ notBefore: hours(-3), notAfter: hours(-2) }) }),
  ],
  [
    "of a seal that has not begun",
    "certificate",
    async () => sent({ certificatePem: await sealOf({ notBefore: hours(1) }) }),
  ],
  [
    "by another key",
    "signature",
    async () => made({}, createPrivateKey(await privateKeyPem((await nextKeys()).privateKey))),
  ],
  [
    "of another status",
    "signature",
    async () => ({
      ...(await sent()),
      body: Buffer.from('{"paymentId":"p-1","transactionStatus":"RJCT"}'),
    }),
  ],
  [
    "for another URI",
    "url",
    async () => ({ ...(await sent({ url: "https://tpp.example/" })), url }),
  ],
  [
    "under another id",
    "request-id",
    async () => {
      const one = await sent();
      return { ...one, headers: { ...one.headers, "x-request-id": crypto.randomUUID() } };
    },
  ],
  ["too old", "time", () => sent({ at: later(-301) })],
  ["of tomorrow", "time", () => sent({ at: later(301) })],
  ["without a status", "body", () => sent({ data: { paymentId: "p-1" } })],
  [
    "of a payment with a consent's status",
    "body",
    () => sent({ data: { paymentId: "p-1", consentStatus: "valid" } }),
  ],
  ["of two resources", "body", () => sent({ data: { ...status, consentId: "c-1" } })],
  [
    "with no text for a status",
    "body",
    () => sent({ data: { paymentId: "p-1", transactionStatus: 1 } }),
  ],
];

function header(changes: object): string {
  const x5c = [new X509Certificate(bankSeal).raw.toString("base64")];
  const text = JSON.stringify({ x5c, iat: 1, jti: messageId, url, ...changes });
  return Buffer.from(text).toString("base64url");
}

it.each(refusals)(
  "W2: a TPP's client refuses a notification %s",
  async (_what, reason, received) => {
    expect(verified(await received())).toEqual({ ok: false, reason });
  },
);

it("W2: a TPP's client believes certificates of its own, and no others", async () => {
  const certificates = await sealOf({ id: "PSDRO-NBR-1234567" });
  expect(verified(await sent(), { certificates })).toEqual({ ok: false, reason: "certificate" });
  const { caPem, qsealPem, qsealKeyPem } = await issueTppCertificates(authority, party);
  const own = { certificates: caPem + qsealPem };
  expect(verified(await sent({ certificatePem: qsealPem, key: qsealKeyPem }), own).ok).toBe(true);
});

it("W2: a TPP's client bounds how far the clocks may be apart, both ways", async () => {
  for (const seconds of [-10, 10]) {
    const one = await sent({ at: later(seconds) });
    const options = { trust: anchored, now };
    expect(verifyNotification(one, { ...options, skewSeconds: 10 }).ok).toBe(true);
    expect(verifyNotification(one, { ...options, skewSeconds: 9 })).toMatchObject({
      reason: "time",
    });
  }
});

it("W2: a notification with any byte changed is refused, and none makes the client throw", async () => {
  const one = await sent();
  const jws = String(one.headers["x-jws-signature"]);
  const places = fc.record({
    part: fc.constantFrom("body", "jws"),
    at: fc.nat(10_000),
    to: fc.integer({ min: 0x21, max: 0x7e }),
  });
  fc.assert(
    fc.property(places, ({ part, at, to }) => {
      const bytes = Buffer.from(part === "body" ? one.body : Buffer.from(jws));
      const place = at % bytes.length;
      // The last letter of a base64url has bits that say nothing.
      fc.pre(bytes[place] !== to && (part === "body" || place !== bytes.length - 1));
      bytes[place] = to;
      const changed = part === "body" ? { ...one, body: bytes } : withJws(one, bytes.toString());
      expect(verified(changed).ok).toBe(false);
    }),
    { numRuns: 500 },
  );
});
