import type postgres from "postgres";
import { clientId, ownCertificates, type TppCertificates } from "@/cli/tpp/certificates";
import { http } from "@/cli/tpp/http";
import { type OAuth, oauth } from "@/cli/tpp/oauth";
import { granted } from "@/cli/tpp/reply";
import { type Seal, seal } from "@/cli/tpp/signing";
import { AISP, CBPII, PISP, xs2a } from "@/cli/tpp/xs2a";
import { authoriseAsPsu } from "@/tools/psu-by-forms";
import type { Call } from "./load";
import type { Cleanup, Product } from "./processes";

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
export const requestNames = Object.keys(titles) as RequestName[];

export type Requests = {
  readonly certificates: TppCertificates;
  readonly seal: Seal;
  /** One for each consent: what is counted for a consent is a row that its requests wait for. */
  readonly calls: (name: RequestName) => Promise<readonly Call[]>;
};

/** A consent with a token that is refreshed before it ends. */
type Permission = { readonly consentId: string; readonly headers: () => Promise<Call["headers"]> };

const REDIRECT_URI = "http://localhost:9/back";
const PSU_IP_ADDRESS = "127.0.0.1";
/** Accounts of the demo customer: one in lei with a long history, one in euros. */
const [CURRENT, TRAVEL] = ["RO06DRWB0001000000000101", "RO76DRWB0001000000000102"];
const ENTRIES = 100;
const REFRESH_AFTER_MS = 8 * 60_000;

type Wanted = { readonly names: readonly RequestName[]; readonly consents: number };

/** With everything that the PSU has to authorise before. */
export async function prepareRequests(
  product: Product,
  { names, consents }: Wanted,
  cleanup: Cleanup,
): Promise<Requests> {
  await lift(product.database);
  // The sandbox CA writes into a certificate where it answers for it.
  process.env["WEB_URL"] = product.webUrl;
  const certificates = await ownCertificates(product.dataDir);
  const { qwac, qseal, ca } = certificates;
  const over = http({ certificate: qwac, ca });
  cleanup(() => over.close());
  const signing = seal(qseal.pem, qseal.key);
  const api = xs2a({
    url: product.xs2aUrl,
    http: over,
    seal: signing,
    psuIpAddress: PSU_IP_ADDRESS,
  });
  const client = clientId(certificates);
  const redirects = { redirectUri: REDIRECT_URI };

  async function permission(kind: "AIS" | "PIIS"): Promise<Permission> {
    const { consentId, _links } = granted(
      kind === "AIS"
        ? await api.createConsent(consentRequest({ allPsd2: "allAccounts" }), redirects)
        : await api.createFundsConsent({ account: { iban: CURRENT } }, redirects),
    );
    const server = await oauth(_links.scaOAuth.href, client, over);
    const request = await server.authorise(`${kind}:${consentId}`, REDIRECT_URI);
    const back = await authoriseAsPsu(request.url, REDIRECT_URI, product.webUrl);
    return { consentId, headers: shown(consentId, server, await server.token(back, request)) };
  }
  async function permissions(kind: "AIS" | "PIIS"): Promise<readonly Permission[]> {
    const given: Permission[] = [];
    while (given.length < consents) given.push(await permission(kind));
    return given;
  }
  /** An id is of its consent. Throws where the demo bank has no full page of entries. */
  async function accountOf(one: Permission): Promise<string> {
    const { authorization = "" } = await one.headers();
    const show = { consentId: one.consentId, accessToken: authorization.replace("Bearer ", "") };
    const { accounts } = granted(await api.accounts(show));
    const id = accounts.find(({ iban }) => iban === CURRENT)?.resourceId ?? "none";
    const query = { bookingStatus: "booked", dateFrom: inDays(-89) } as const;
    const { transactions } = granted(await api.transactions(show, id, query));
    if (transactions.booked?.length !== ENTRIES) throw new Error(`no ${ENTRIES} booked entries`);
    return `${AISP}/accounts/${id}`;
  }

  const isWanted = (...some: readonly RequestName[]) => some.some((name) => names.includes(name));
  const readable = isWanted("accounts", "balances", "transactions") ? await permissions("AIS") : [];
  const accounts = await Promise.all(readable.map(accountOf));
  const checkable = isWanted("funds") ? await permissions("PIIS") : [];

  const reads = (pathOf: (account: string) => string) =>
    readable.map(async ({ headers }, index): Promise<Call> => {
      return { method: "GET", path: pathOf(`${accounts[index]}`), headers: await headers() };
    });
  const asked = { "psu-ip-address": PSU_IP_ADDRESS, "tpp-redirect-uri": REDIRECT_URI };
  const post = (path: string, body: object, headers: Call["headers"]): Call => {
    return { method: "POST", path, headers, body: JSON.stringify(body) };
  };
  const calls = {
    accounts: () => reads(() => `${AISP}/accounts`),
    balances: () => reads((account) => `${account}/balances`),
    transactions: () =>
      reads((account) => `${account}/transactions?bookingStatus=booked&dateFrom=${inDays(-89)}`),
    funds: () =>
      checkable.map(async ({ headers }) =>
        post(`${CBPII}/v1/funds-confirmations`, fundsQuestion, await headers()),
      ),
    consents: () => [
      post(`${AISP}/consents`, consentRequest({ balances: [], transactions: [] }), asked),
    ],
    payments: () => [post(`${PISP}/payments/sepa-credit-transfers`, payment, asked)],
  };
  return { certificates, seal: signing, calls: async (name) => Promise.all(calls[name]()) };
}

const consentRequest = <Access>(access: Access) => ({
  access,
  recurringIndicator: true,
  validUntil: inDays(90),
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
});
const fundsQuestion = {
  account: { iban: CURRENT },
  instructedAmount: { currency: "RON", amount: "10.00" },
};
const payment = {
  debtorAccount: { iban: TRAVEL },
  instructedAmount: { currency: "EUR", amount: "12.50" },
  creditorAccount: { iban: "DE89370400440532013000" },
  creditorName: "Example GmbH",
  remittanceInformationUnstructured: "Invoice 2026-11",
};

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

function shown(consentId: string, server: OAuth, first: Awaited<ReturnType<OAuth["token"]>>) {
  let [token, since] = [first, performance.now()];
  return async () => {
    if (performance.now() - since > REFRESH_AFTER_MS) {
      const { refreshToken } = token;
      if (refreshToken === undefined) throw new Error("the token cannot be refreshed");
      token = { refreshToken, ...(await server.refresh(refreshToken)) };
      since = performance.now();
    }
    return { "consent-id": consentId, authorization: `Bearer ${token.accessToken}` };
  };
}

/**
 * Limits that a load would meet at once, each given back by a trigger in the bench's own database, for the product and
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
async function lift(database: postgres.Sql): Promise<void> {
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
