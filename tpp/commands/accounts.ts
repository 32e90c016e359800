import { parseArgs } from "node:util";
import { accountsTable, transactionsTable } from "../account-tables";
import { clientId, ownCertificates, readCertificates, type TppCertificates } from "../certificates";
import { dataDirectory, xs2aUrl } from "../environment";
import { http } from "../http";
import { oauth } from "../oauth";
import { openInBrowser } from "../open-in-browser";
import { redirectListener } from "../redirect-listener";
import { granted } from "../reply";
import { seal } from "../signing";
import { printable } from "../table";
import type { ConsentRequest, Refusal } from "../wire";
import { type Permission, type Xs2a, xs2a } from "../xs2a";

export const summary = "reads a PSU's accounts: consent, the PSU's authorisation, token, data";

export const help = `npm run tpp -- accounts [OPTIONS]

Creates a recurring consent, prints the address at which the PSU authorises it (and opens it where
there is a browser), waits for the PSU to come back, and prints accounts, balances and the latest
transactions.

  --xs2a URL          the bank's TPP host; default XS2A_URL or https://localhost:8443
  --certificates DIR  qwac.pem, qwac.key, qseal.pem, qseal.key, ca.pem; default DATA_DIR/tpp, where
                      the sandbox CA makes them when they are missing
`;

/** As long as the bank gives a PSU, and a little more. */
const PATIENCE = 16 * 60_000;
const DAYS = 90;
const LATEST = 10;

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { xs2a: { type: "string" }, certificates: { type: "string" } },
  });
  const url = values.xs2a ?? xs2aUrl();
  const certificates =
    values.certificates === undefined
      ? await ownCertificates(dataDirectory())
      : await readCertificates(values.certificates);
  await readAccounts(url, certificates);
  return 0;
}

async function readAccounts(url: string, certificates: TppCertificates): Promise<void> {
  const connection = http({ certificate: certificates.qwac, ca: certificates.ca });
  const listener = await redirectListener();
  try {
    const bank = xs2a({
      url,
      http: connection,
      seal: seal(certificates.qseal.pem, certificates.qseal.key),
      // The PSU's browser runs on this machine.
      psuIpAddress: "127.0.0.1",
    });
    const redirectUri = `${listener.origin}/callback`;
    const consent = granted(await bank.createConsent(consentRequest(), { redirectUri }));
    const server = await oauth(consent._links.scaOAuth.href, clientId(certificates), connection);
    const authorisation = await server.authorise(`AIS:${consent.consentId}`, redirectUri);

    console.log(`Consent ${consent.consentId} is created. The PSU authorises it here:\n`);
    console.log(`${authorisation.url.href}\n`);
    await openInBrowser(authorisation.url, {
      env: process.env,
      isTerminal: process.stdout.isTTY === true,
    });

    const cameBack = await listener.next(PATIENCE);
    const { accessToken } = await server.token(cameBack, authorisation);
    await printAccounts(bank, { consentId: consent.consentId, accessToken });
  } finally {
    await Promise.all([listener.close(), connection.close()]);
  }
}

async function printAccounts(bank: Xs2a, permission: Permission): Promise<void> {
  const { accounts } = granted(await bank.accounts(permission, true));
  console.log(`${accountsTable(accounts)}\n`);
  for (const account of accounts) {
    const report = await bank.transactions(permission, account.resourceId, {
      bookingStatus: "both",
      dateFrom: dayFromNow(-DAYS),
    });
    const heading = [account.name ?? "Account", account.iban, account.currency].join(" ");
    console.log(`${printable(heading)}: latest transactions`);
    console.log(`${report.ok ? transactionsTable(report.body, LATEST) : reasons(report.body)}\n`);
  }
}

function consentRequest(): ConsentRequest {
  return {
    access: { balances: [], transactions: [] },
    recurringIndicator: true,
    validUntil: dayFromNow(DAYS),
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
  };
}

/** A blocked account, for instance, is in the list and tells nothing more. */
function reasons({ tppMessages }: Refusal): string {
  return tppMessages.map(({ code, text }) => printable(`${code}: ${text}`)).join("\n");
}

function dayFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}
