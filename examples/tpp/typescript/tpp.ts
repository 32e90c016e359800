/**
 * A TPP in one file, with @drawbridge/xs2a: npx tsx tpp.mts CERTIFICATES accounts|pay
 *
 * CERTIFICATES is a folder with qwac.pem, qwac.key, qseal.pem, qseal.key and ca.pem, as the sandbox makes them at
 * http://localhost:3000/sandbox/workshop.
 *
 * It prints the address at which the PSU authorises, and waits for the PSU's browser at http://localhost:8080/callback.
 * XS2A_URL names another bank than the sandbox of this machine, PORT another port, DEBTOR_IBAN another account to pay
 * from than ana's at the demo bank; a sandbox with another bank's profile needs it.
 */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { granted, http, oauth, Refused, seal, untilAnswered, xs2a } from "@drawbridge/xs2a";

const [folder = "", command = "", ...more] = process.argv.slice(2);
if (!["accounts", "pay"].includes(command) || more.length > 0) {
  console.error("npx tsx tpp.mts CERTIFICATES accounts|pay");
  process.exit(2);
}
const { XS2A_URL = "https://localhost:8443", PORT = "8080", DEBTOR_IBAN } = process.env;
const redirectUri = `http://localhost:${PORT}/callback`;
const pem = (name: string) => readFileSync(`${folder}/${name}`, "utf8");

// #region connect
// The QWAC is shown in TLS, and the bank is the one whose certificate ca.pem has issued. The seal signs each call.
const connection = http({
  certificate: { pem: pem("qwac.pem"), key: pem("qwac.key") },
  ca: pem("ca.pem"),
});
const bank = xs2a({
  url: XS2A_URL,
  http: connection,
  seal: seal(pem("qseal.pem"), pem("qseal.key")),
  psuIpAddress: "127.0.0.1",
});
// There is no registration: the organizationIdentifier is the OAuth client_id.
const { subject } = new X509Certificate(pem("qwac.pem"));
const [, clientId = ""] = /^(?:organizationIdentifier|2\.5\.4\.97)=(.+)$/m.exec(subject) ?? [];
// #endregion

// #region accounts
async function accounts(): Promise<void> {
  const { consentId, _links } = granted(
    await bank.createConsent(
      {
        access: { balances: [], transactions: [] },
        recurringIndicator: true,
        validUntil: new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10),
        frequencyPerDay: 4,
        combinedServiceIndicator: false,
      },
      { redirectUri },
    ),
  );
  const status = await bank.consentStatus(consentId);
  console.log(`consents/${consentId}/status: ${status.status}`);
  console.log(granted(status).consentStatus);
  const accessToken = await authorised(`AIS:${consentId}`, _links.scaOAuth.href);
  const permission = { consentId, accessToken };
  for (const { resourceId, iban, currency } of granted(await bank.accounts(permission)).accounts) {
    console.log(iban, currency);
    try {
      for (const balance of granted(await bank.balances(permission, resourceId)).balances) {
        console.log(`  ${balance.balanceType}: ${balance.balanceAmount.amount}`);
      }
      const dateFrom = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
      const query = { bookingStatus: "booked", dateFrom } as const;
      const report = granted(await bank.transactions(permission, resourceId, query));
      for (const entry of report.transactions.booked?.slice(0, 3) ?? []) {
        console.log(`  ${entry.bookingDate}: ${entry.transactionAmount.amount}`);
      }
    } catch (refusal) {
      // One account may be blocked, and the others are not.
      if (!(refusal instanceof Refused)) throw refusal;
      console.log(`  ${refusal.message}`);
    }
  }
}
// #endregion

// #region authorised
/** Has the PSU authorise the resource; the access token for it. */
async function authorised(scope: string, scaOAuth: string): Promise<string> {
  const server = await oauth(scaOAuth, clientId, connection);
  // With PKCE and a state, which `token` compares with what comes back.
  const authorisation = server.authorise(scope, redirectUri);
  console.log(`The PSU authorises it here: ${authorisation.url.href}`);
  const { accessToken } = await server.token(await redirect(), authorisation);
  return accessToken;
}
// #endregion

/** Where the bank sends the PSU's browser back to. */
function redirect(): Promise<URL> {
  return new Promise((resolve) => {
    const listener = createServer((request, response) => {
      const url = new URL(request.url ?? "/", redirectUri);
      response.setHeader("connection", "close").end("You can close this window.");
      if (!url.searchParams.has("code") && !url.searchParams.has("error")) return;
      listener.close(() => resolve(url));
    }).listen(Number(PORT), "localhost");
  });
}

// #region pay
async function pay(): Promise<void> {
  const product = "sepa-credit-transfers";
  const payment = {
    debtorAccount: { iban: DEBTOR_IBAN ?? "RO76DRWB0001000000000102" },
    instructedAmount: { currency: "EUR", amount: "12.50" },
    creditorAccount: { iban: "DE89370400440532013000" },
    creditorName: "Bakery",
  };
  // Asked again with the same X-Request-ID when no answer came: nothing is paid twice.
  const { paymentId, _links } = granted(
    await untilAnswered((more) => bank.createPayment(product, payment, { redirectUri }, more)),
  );
  await authorised(`PIS:${paymentId}`, _links.scaOAuth.href);
  for (let status = ""; !["ACSC", "ACCC", "RJCT", "CANC"].includes(status); await sleep(1_000)) {
    status = granted(await bank.paymentStatus({ product, paymentId })).transactionStatus;
    console.log(status);
  }
}
// #endregion

try {
  if (command === "accounts") await accounts();
  else await pay();
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  console.error(`Refused: ${error.message}`);
  process.exitCode = 1;
} finally {
  await connection.close();
}
