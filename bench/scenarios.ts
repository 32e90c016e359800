import { AISP, CBPII, PISP } from "@/tpp/xs2a";
import type { Call } from "./load/shot";
import { type BenchTpp, inDays, type Permission, PSU_IP_ADDRESS, REDIRECT_URI } from "./permission";

/** One kind of request that is measured. */
export type Scenario = {
  /** As `--only` takes it. */
  readonly name: ScenarioName;
  readonly kind: "read" | "write";
  /** More than one where each consent has rows of its own, which requests would else wait for. */
  readonly calls: () => Promise<readonly Call[]>;
};

export const scenarioNames = [
  "accounts",
  "balances",
  "transactions",
  "funds",
  "consents",
  "payments",
] as const;
export type ScenarioName = (typeof scenarioNames)[number];

export const titles: Readonly<Record<ScenarioName, string>> = {
  accounts: "GET /v1/accounts",
  balances: "GET …/balances",
  transactions: "GET …/transactions (100 entries)",
  funds: "POST /v1/funds-confirmations",
  consents: "POST /v1/consents",
  payments: "POST /v1/payments/sepa-credit-transfers",
};

/** Accounts of the demo customer: one in lei with a long history, one in euros. */
const CURRENT = "RO06DRWB0001000000000101";
const TRAVEL = "RO76DRWB0001000000000102";
const ENTRIES = 100;

export type Needs = {
  readonly only: readonly ScenarioName[];
  /** How many consents each kind of reads, and the funds checks, are spread over. */
  readonly consents: number;
};

/** With all that the PSU has to authorise before. */
export async function scenarios(tpp: BenchTpp, { only, consents: count }: Needs) {
  const reads = ["accounts", "balances", "transactions"] as const;
  const found = reads.some((name) => only.includes(name)) ? await reading(tpp, count) : [];
  const funds = only.includes("funds") ? [await fundsChecks(tpp, count)] : [];
  const all: readonly Scenario[] = [...found, ...funds, consents(), payments()];
  return all.filter(({ name }) => only.includes(name));
}

type Readable = { readonly permission: Permission; readonly account: string };

/** Without the PSU, so that they are counted. */
async function reading(tpp: BenchTpp, count: number): Promise<readonly Scenario[]> {
  const readable: Readable[] = [];
  for (const permission of await several(count, tpp.accounts)) {
    const account = `${AISP}/accounts/${await accountWithHistory(tpp, permission)}`;
    readable.push({ permission, account });
  }
  const read = (name: ScenarioName, pathOf: (account: string) => string): Scenario => ({
    name,
    kind: "read",
    calls: () =>
      Promise.all(
        readable.map(async ({ permission, account }) => {
          const headers = await shown(permission);
          return { method: "GET", path: pathOf(account), headers } as const;
        }),
      ),
  });
  const query = `bookingStatus=booked&dateFrom=${inDays(-89)}`;
  return [
    read("accounts", () => `${AISP}/accounts`),
    read("balances", (account) => `${account}/balances`),
    read("transactions", (account) => `${account}/transactions?${query}`),
  ];
}

/** One after the other: each code goes to the same phone. */
async function several(count: number, ask: () => Promise<Permission>) {
  const permissions: Permission[] = [];
  while (permissions.length < count) permissions.push(await ask());
  return permissions;
}

/** Throws when the demo bank's account has no full page of entries any more. */
async function accountWithHistory({ api }: BenchTpp, permission: Permission): Promise<string> {
  const shown = { consentId: permission.consentId, accessToken: await permission.accessToken() };
  const listed = await api.accounts(shown);
  const account = listed.ok ? listed.body.accounts.find(({ iban }) => iban === CURRENT) : undefined;
  if (account === undefined) throw new Error(`${CURRENT} is not among the accounts`);
  const query = { bookingStatus: "booked", dateFrom: inDays(-89) } as const;
  const report = await api.transactions(shown, account.resourceId, query);
  const entries = report.ok ? report.body.transactions.booked?.length : undefined;
  if (entries !== ENTRIES) throw new Error(`${entries} booked entries instead of ${ENTRIES}`);
  return account.resourceId;
}

async function fundsChecks(tpp: BenchTpp, count: number): Promise<Scenario> {
  const permissions = await several(count, () => tpp.funds(CURRENT));
  const question = {
    account: { iban: CURRENT },
    instructedAmount: { currency: "RON", amount: "10.00" },
  };
  const path = `${CBPII}/v1/funds-confirmations`;
  const body = JSON.stringify(question);
  return {
    name: "funds",
    kind: "write",
    calls: () =>
      Promise.all(
        permissions.map(async (one) => {
          return { method: "POST" as const, path, headers: await shown(one), body };
        }),
      ),
  };
}

const asked = { "psu-ip-address": PSU_IP_ADDRESS, "tpp-redirect-uri": REDIRECT_URI };

function consents(): Scenario {
  const request = {
    access: { balances: [], transactions: [] },
    recurringIndicator: true,
    validUntil: inDays(90),
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
  };
  const body = JSON.stringify(request);
  const call = { method: "POST", path: `${AISP}/consents`, headers: asked, body } as const;
  return { name: "consents", kind: "write", calls: async () => [call] };
}

function payments(): Scenario {
  const request = {
    debtorAccount: { iban: TRAVEL },
    instructedAmount: { currency: "EUR", amount: "12.50" },
    creditorAccount: { iban: "DE89370400440532013000" },
    creditorName: "Example GmbH",
    remittanceInformationUnstructured: "Invoice 2026-11",
  };
  const path = `${PISP}/payments/sepa-credit-transfers`;
  const call = { method: "POST", path, headers: asked, body: JSON.stringify(request) } as const;
  return { name: "payments", kind: "write", calls: async () => [call] };
}

async function shown({ consentId, accessToken }: Permission) {
  return { "consent-id": consentId, authorization: `Bearer ${await accessToken()}` };
}
