import { parseArgs } from "node:util";
import {
  type ConsentRequest,
  granted,
  type Permission,
  type Refusal,
  type Xs2a,
} from "@/clients/typescript/src";
import { accountsTable, transactionsTable } from "../account-tables";
import { type PsuSession, sessionHelp, sessionOptions, withPsu } from "../psu-session";
import { printable } from "../table";

export const help = `npm run tpp -- accounts [OPTIONS]

Creates a recurring consent, prints the address at which the PSU authorises it (and opens it where
there is a browser), waits for the PSU to come back, and prints accounts, balances and the latest
transactions.

${sessionHelp}`;

const DAYS = 90;
const LATEST = 10;

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: sessionOptions });
  await withPsu(values, readAccounts);
  return 0;
}

async function readAccounts({ bank, redirectUri, now, authorised }: PsuSession): Promise<void> {
  const { consentId, _links } = granted(
    await bank.createConsent(consentRequest(now()), { redirectUri }),
  );
  const { accessToken } = await authorised({
    scope: `AIS:${consentId}`,
    scaOAuth: _links.scaOAuth.href,
    told: `Consent ${consentId} is created`,
  });
  await printAccounts(bank, { consentId, accessToken }, now());
}

async function printAccounts(bank: Xs2a, permission: Permission, now: Date): Promise<void> {
  const { accounts } = granted(await bank.accounts(permission, true));
  console.log(`${accountsTable(accounts)}\n`);
  for (const account of accounts) {
    const report = await bank.transactions(permission, account.resourceId, {
      bookingStatus: "both",
      dateFrom: dayAt(now, -DAYS),
    });
    const heading = [account.name ?? "Account", account.iban, account.currency].join(" ");
    console.log(`${printable(heading)}: latest transactions`);
    console.log(`${report.ok ? transactionsTable(report.body, LATEST) : reasons(report.body)}\n`);
  }
}

function consentRequest(now: Date): ConsentRequest {
  return {
    access: { balances: [], transactions: [] },
    recurringIndicator: true,
    validUntil: dayAt(now, DAYS),
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
  };
}

/** A blocked account, for instance, is in the list and tells nothing more. */
function reasons({ tppMessages }: Refusal): string {
  return tppMessages.map(({ code, text }) => printable(`${code}: ${text}`)).join("\n");
}

function dayAt(now: Date, days: number): string {
  return new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10);
}
