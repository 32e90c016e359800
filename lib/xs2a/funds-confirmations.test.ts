import { createHash, X509Certificate } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POST } from "@/app/(xs2a)/open-banking/v3.1/cbpii/v1/funds-confirmations/route";
import { ledger } from "@/lib/core-bank/ledger/core-bank";
import { addAccount, addCustomer, addEntries } from "@/lib/core-bank/ledger/testing";
import type { Named } from "@/lib/domain/request-context";
import type { ConsentId, Currency } from "@/lib/domain/values";
import { authorisationStore } from "@/lib/postgres/authorisations";
import { fundsCheck, fundsConsentStore } from "@/lib/postgres/funds";
import {
  exampleTpp,
  now as madeAt,
  storesOf,
  type TestDatabase,
  testDatabase,
  today,
  validFunds,
} from "@/lib/postgres/testing";
import { planOf, recorder, unguarded } from "@/lib/postgres/testing-database";
import { replaceServices, type Services } from "@/lib/services";
import { aspspProfile } from "@/lib/testing-profile";
import type { AccessToken } from "./declaration";
import { certificatesOf, now, portsOf, signedRequest } from "./testing/tpp";

const IBAN = "RO49AAAA1B31007593840000";
const own = await certificatesOf(exampleTpp.id, ["PSP_IC"]);
const thumbprint = createHash("sha256")
  .update(new X509Certificate(own.qwacPem).raw)
  .digest("base64url");

let database: TestDatabase;
const { asked, debug } = recorder();
const tokens = new Map<string, AccessToken>();

/** The bank of this process on a real database, whose statements are written down. */
beforeAll(async () => {
  database = await testDatabase({ debug });
  const { db } = database;
  replaceServices({
    ...(await portsOf()),
    requestContexts: {
      load: async ({ tppId, fundsConsentId: id }: Named) => ({
        ...{ now, bankNow: now, tppId, tokenActive: true },
        fundsConsent: id && (await fundsConsentStore(unguarded(database.sql)).find(id)),
      }),
    },
    fundsConsents: fundsConsentStore(db),
    authorisations: authorisationStore(db),
    coreBank: ledger(db, aspspProfile),
    fundsCheck: fundsCheck(db),
    accessTokens: { read: async (text: string) => tokens.get(text) },
  } as unknown as Services);
  await storesOf(database.db).tpps.remember(exampleTpp, madeAt);
});
afterAll(async () => {
  replaceServices(undefined);
  await database.close();
});

/** A valid consent for an account with 100.00 RON, or 10,000 of a currency without a fraction, and its token. */
async function consented(currency = "RON"): Promise<ConsentId> {
  const { db } = database;
  const psuId = await addCustomer(db, "Ana Popescu");
  const accountId = await addAccount(db, { [psuId]: "owner" }, { currency: currency as Currency });
  await addEntries(db, accountId, [{ amountMinor: 100_00n, enteredOn: today, bookedOn: today }]);
  const account = { iban: IBAN as never };
  const { consentId } = await validFunds(storesOf(db), { psuId, accountId, account });
  const expiresAt = new Date(now.getTime() + 900_000);
  const scope = `PIIS:${consentId}`;
  const hashes = { grantHash: "grant", hash: "token" };
  tokens.set(consentId, { clientId: exampleTpp.id, scope, expiresAt, thumbprint, ...hashes });
  return consentId;
}

async function ask(consentId: ConsentId, amount: string, { iban = IBAN, currency = "RON" } = {}) {
  const instructedAmount = { currency, amount };
  const request = signedRequest(own, {
    url: "https://bank.example/open-banking/v3.1/cbpii/v1/funds-confirmations",
    body: JSON.stringify({ account: { iban }, instructedAmount }),
    headers: { "consent-id": consentId, authorization: `Bearer ${consentId}` },
  });
  asked.length = 0;
  const answer = await POST(request, { params: Promise.resolve({}) });
  return { status: answer.status, body: await answer.text(), headers: answer.headers };
}

describe("POST /v1/funds-confirmations", () => {
  it("asks the core bank once and the database once, and answers yes or no", async () => {
    const consentId = await consented();
    const yes = { status: 200, body: '{"fundsAvailable":true}' };
    expect(await ask(consentId, "100.00")).toMatchObject(yes);
    expect(asked).toHaveLength(2);
    const no = { status: 200, body: '{"fundsAvailable":false}' };
    expect(await ask(consentId, "100.01")).toMatchObject(no);
    expect(asked).toHaveLength(2);
  });

  it("asks no more to refuse: another account, or a consent that has used up its checks", async () => {
    const consentId = await consented();
    const refusal = await ask(consentId, "1", { iban: "DE89370400440532013000" });
    expect(refusal).toMatchObject({ status: 400 });
    expect(refusal.body).toContain("NO_PIIS_ACTIVATION");
    expect(asked).toHaveLength(2);
    for (let count = 1; count < 20; count += 1) await ask(consentId, "1");
    const limited = await ask(consentId, "1");
    expect(limited).toMatchObject({ status: 429 });
    expect(limited.headers.get("retry-after")).toBe("60");
    expect(asked).toHaveLength(2);
  });

  it("in a currency without a rate is refused: FORMAT_ERROR, and uses up a check; the account's own needs none", async () => {
    const yen = await consented("JPY");
    const own = { currency: "JPY" };
    expect(await ask(yen, "10000", own)).toMatchObject({ body: '{"fundsAvailable":true}' });
    expect(await ask(yen, "10001", own)).toMatchObject({ body: '{"fundsAvailable":false}' });
    const lei = await consented();
    for (let count = 0; count < 20; count += 1) {
      const refusal = await ask(lei, "1", own);
      expect(refusal).toMatchObject({ status: 400 });
      expect(refusal.body).toContain('"path":"instructedAmount.currency"');
    }
    expect(await ask(lei, "1")).toMatchObject({ status: 429 });
  });

  it("a request that is badly formed costs no check, and no question to the database", async () => {
    const consentId = await consented();
    expect(await ask(consentId, "-1")).toMatchObject({ status: 400 });
    expect(asked).toHaveLength(0);
    for (let count = 0; count < 20; count += 1) {
      expect(await ask(consentId, "1")).toMatchObject({ status: 200 });
    }
  });

  it("finds all it reads by an index, however many consents, entries and budgets there are", async () => {
    const consentId = await consented();
    await manyOthers(consentId);
    await ask(consentId, "1");
    const plans = await Promise.all([...asked].map((one) => planOf(database, one)));
    const plan = plans.join("\n");
    expect(plan).toContain("funds_consent_pkey");
    expect(plan).toContain("funds_check_budget_pkey");
    expect(plan).toContain("ledger_account_pkey");
    expect(plan).not.toContain("ledger_entry");
    expect(plan).not.toContain("Seq Scan");
  });
});

/** Copies of the one there is: twenty thousand consents with budgets, fifteen hundred accounts, entries. */
async function manyOthers(consentId: ConsentId): Promise<void> {
  await database.sql`insert into funds_consent
    select (jsonb_populate_record(consent, jsonb_build_object(
      'id', gen_random_uuid(), 'authorisation_id', gen_random_uuid()))).*
    from funds_consent consent, generate_series(1, 5000) where id = ${consentId}`;
  await database.sql`insert into funds_check_budget
    select id, 20, created_at from funds_consent on conflict do nothing`;
  await database.sql`insert into ledger_account
    select (jsonb_populate_record(account, jsonb_build_object(
      'id', gen_random_uuid(), 'iban', 'RO00XMPL' || lpad(n::text, 16, '0'),
      'revision', 0, 'booked_minor', 0, 'changed_at', null))).*
    from ledger_account account, generate_series(1, 1500) n
    where account.id = (select account_id::uuid from funds_consent where id = ${consentId})`;
  await database.sql`insert into account_owner
    select id, (select psu_id::uuid from funds_consent where id = ${consentId}), 'owner'
    from ledger_account where kind <> 'internal' on conflict do nothing`;
  await database.sql`
    with numbered as (select id, row_number() over () n from ledger_account
      where kind = 'current' and currency = 'RON'),
    transfer as materialized (
      select gen_random_uuid() id, one.id payer, other.id payee
      from numbered one join numbered other on other.n = one.n + 1, generate_series(1, 4)
    )
    insert into ledger_entry (id, transfer_id, account_id, status, amount_minor,
      entered_on, booked_on, bank_transaction_code, changed_at, booked_in)
    select gen_random_uuid(), transfer.id, side.account_id, 'booked', side.amount,
      ${today}, ${today}, '', now(), 1
    from transfer, lateral (values (payer, -1), (payee, 1)) side (account_id, amount)`;
  await database.sql`analyze funds_consent, funds_check_budget, ledger_account, account_owner, ledger_entry`;
}
