import type postgres from "postgres";
import { granted } from "@/cli/tpp/reply";
import { AISP, CBPII, PISP } from "@/cli/tpp/xs2a";
import { askForFunds } from "@/e2e/harness/asking-for-funds";
import { bankDay, consentRequest } from "@/e2e/harness/consent-request";
import { ANA_CURRENT, paymentRequest } from "@/e2e/harness/payment-request";
import type { ServerSettings } from "@/e2e/harness/server";
import { type TestTpp, testTpp } from "@/e2e/harness/test-tpp";
import { authoriseAsPsu } from "@/tools/psu-by-forms";
import type { Call } from "./load";

/** As `--only` takes them, and as the table names them. */
export const titles = {
  accounts: "GET /v1/accounts",
  balances: "GET …/balances",
  transactions: "GET …/transactions (100 entries)",
  funds: "POST /v1/funds-confirmations",
  consents: "POST /v1/consents",
  payments: "POST /v1/payments/sepa-credit-transfers",
} as const;
export type RequestName = keyof typeof titles;

/** A consent with a fresh access token. */
type Permission = { readonly consentId: string; readonly headers: () => Promise<Call["headers"]> };

export type Requests = {
  readonly tpp: TestTpp;
  /** One for each consent: what is counted for a consent is a row that its requests wait for. */
  readonly calls: (name: RequestName) => Promise<readonly Call[]>;
};

/** With everything that the PSU has to authorise before. */
export async function prepareRequests(bank: ServerSettings, consents: number): Promise<Requests> {
  const tpp = await testTpp({ bank });
  const toRead = { ...consentRequest(), access: { allPsd2: "allAccounts" } as const };
  const readable: Permission[] = [];
  const checkable: Permission[] = [];
  while (readable.length < consents) {
    readable.push(await permission(tpp, bank, await tpp.ask(toRead)));
    checkable.push(await permission(tpp, bank, await askForFunds(tpp)));
  }
  const accounts = await Promise.all(readable.map((one) => accountOf(tpp, one)));

  const reads = (pathOf: (account: string) => string) =>
    readable.map(async ({ headers }, nth): Promise<Call> => {
      return { method: "GET", path: pathOf(`${accounts[nth]}`), headers: await headers() };
    });
  const asked = { "psu-ip-address": "127.0.0.1", "tpp-redirect-uri": tpp.redirectUri };
  const post = (path: string, body: object, headers: Call["headers"]): Call => {
    return { method: "POST", path, headers, body: JSON.stringify(body) };
  };
  const calls = {
    accounts: () => reads(() => `${AISP}/accounts`),
    balances: () => reads((account) => `${account}/balances`),
    transactions: () =>
      reads((account) => `${account}/transactions?bookingStatus=booked&dateFrom=${bankDay(-89)}`),
    funds: () =>
      checkable.map(async ({ headers }) =>
        post(`${CBPII}/v1/funds-confirmations`, fundsQuestion, await headers()),
      ),
    consents: () => [post(`${AISP}/consents`, consentRequest(), asked)],
    payments: () => [post(`${PISP}/payments/sepa-credit-transfers`, paymentRequest(), asked)],
  };
  return { tpp, calls: async (name) => Promise.all(calls[name]()) };
}

const fundsQuestion = {
  account: { iban: ANA_CURRENT },
  instructedAmount: { currency: "RON", amount: "10.00" },
};

async function permission(
  tpp: TestTpp,
  bank: ServerSettings,
  { consentId, server, request }: Awaited<ReturnType<TestTpp["ask"]>>,
): Promise<Permission> {
  const back = await authoriseAsPsu(request.url, tpp.redirectUri, bank.webUrl);
  let token = await server.token(back, request);
  const headers = async () => {
    const { refreshToken } = token;
    if (refreshToken === undefined) throw new Error("the token cannot be refreshed");
    token = { refreshToken, ...(await server.refresh(refreshToken)) };
    return { "consent-id": consentId, authorization: `Bearer ${token.accessToken}` };
  };
  return { consentId, headers };
}

/** Of ana's current account, whose id is another one in each consent. */
async function accountOf(tpp: TestTpp, { consentId, headers }: Permission): Promise<string> {
  const { authorization = "" } = await headers();
  const show = { consentId, accessToken: authorization.replace("Bearer ", "") };
  const { accounts } = granted(await tpp.bank.accounts(show));
  const id = accounts.find(({ iban }) => iban === ANA_CURRENT)?.resourceId ?? "none";
  const query = { bookingStatus: "booked", dateFrom: bankDay(-89) } as const;
  const { transactions } = granted(await tpp.bank.transactions(show, id, query));
  if (transactions.booked?.length !== 100) throw new Error("the account has no 100 entries");
  return `${AISP}/accounts/${id}`;
}

/**
 * Limits that a load would reach at once, each given back by a trigger in the bench's own database, for the product and
 * for the limit alike: what a request does for them takes place as ever.
 */
const lifted = [
  // Funds checks are saved up and come back slowly.
  ["funds_check_budget", "checks_left", "insert or update", "new.checks_left := 20;"],
  // Four reads a day without the PSU: each finds one before it, and that one falls out of the window.
  ["usage_window", "hits", "update", "new.hits := new.hits[cardinality(new.hits):];"],
  // Texts with codes that one PSU is sent in an hour.
  ["psu_text_budget", "sent", "insert or update", "new.sent := '{}';"],
  // Authorisations that one TPP may have open: none takes a slot.
  ["authorisation", "open_slot", "insert", "new.open_slot := null;"],
  // A recurring consent ends the one before it of the same PSU: each becomes another PSU's.
  [
    ...["account_consent", "psu_id", "update"],
    "if old.status = 'received' and new.status = 'valid' then new.psu_id := gen_random_uuid(); end if;",
  ],
] as const;

/** What a checkout does not have needs no lifting. */
export async function liftLimits(database: postgres.Sql): Promise<void> {
  for (const [table = "", column = "", when, change] of lifted) {
    const [found] = await database<{ name: string }[]>`
      select attrelid::regclass::text as name from pg_attribute join pg_class on oid = attrelid
      where relkind = 'r' and relname = ${table} and attname = ${column}`;
    if (found === undefined) continue;
    await database.unsafe(`
      create function bench_${table}() returns trigger language plpgsql as
        $$ begin ${change} return new; end $$;
      create trigger bench before ${when} on ${found.name}
        for each row execute function bench_${table}()`);
  }
}
