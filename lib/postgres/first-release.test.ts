import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import told from "@/drizzle/testing/first-release.json";
import { sumsThatDiffer } from "@/lib/core-bank/ledger/testing";
import { submitDuePayments } from "@/lib/domain/payments";
import type { ConsentId, PsuId, TppId } from "@/lib/domain/values";
import { aspspProfile } from "@/lib/testing-profile";
import { type Connection, connect } from "./client";
import { migrate } from "./migrate";
import { databaseOf } from "./testing-cluster";
import { type Send, tppSender, type WatchedStores, watchedStores } from "./testing-statements";

/**
 * `first-release.sql.gz` is what pg_dump wrote of the database of a sandbox of the first release, with fewer days of
 * history, after its TPPs had used it; `first-release.json` is what the bank had answered them.
 */
const dump = new URL("../../drizzle/testing/first-release.sql.gz", import.meta.url);
const at = new Date(told.at);
const tppId = "PSDRO-NBR-1000001" as TppId;
const attended = { "psu-ip-address": "198.51.100.7" };

let admin: postgres.Sql;
let name: string;
let bank: Connection;
let stores: WatchedStores;
let send: Send;
let stop: () => void;

beforeAll(async () => {
  admin = postgres(inject("databaseUrl"), { max: 1 });
  name = `test_${randomBytes(8).toString("hex")}`;
  await admin`create database ${admin(name)}`;
  const url = databaseOf(inject("databaseUrl"), name);
  // A connection of its own: the dump leaves it without a search path.
  const loading = postgres(url, { max: 1, onnotice: () => undefined });
  await loading.unsafe(gunzipSync(readFileSync(dump)).toString());
  await loading.end();
  await migrate(url);
  bank = connect(url, { max: 2 });
  ({ stores } = watchedStores(bank.db));
  const grantOf = async (scope: string) => grantOfResource(scope.slice(scope.indexOf(":") + 1));
  ({ send, stop } = await tppSender(stores, () => 0, { tppId, at, grantOf }));
});
afterAll(async () => {
  stop();
  await bank.close();
  await admin`drop database ${admin(name)} with (force)`;
  await admin.end();
});

/** The grant that the first release kept for the consent's authorisation. */
async function grantOfResource(resourceId: string): Promise<string> {
  const [row] = await bank.db.execute<{ hash: string }>(`
    select id_hash as hash from oidc_payload join authorisation a on a.id::text = account_id
    where model = 'Grant' and a.resource_id = '${resourceId}'`);
  if (row === undefined) throw new Error("the first release kept no grant");
  return row.hash;
}

const opened = (area: "AIS" | "PIIS", consentId: string) => ({
  "consent-id": consentId,
  authorization: `Bearer ${area}:${consentId}`,
  ...attended,
});
const accounts = "/aisp/v1/accounts";

describe("a database of the first release, migrated", () => {
  it("a TPP's token reads the same accounts and balances", async () => {
    const headers = opened("AIS", told.consentId);
    const list = await send(accounts, {}, { headers, query: "?withBalance=true" });
    expect(list["accounts"]).toEqual(told.accounts);
  });

  it("its entries are there, under the same ids", async () => {
    const [first] = told.accounts;
    const path = { accountId: first?.resourceId };
    const { transactions } = await send(`${accounts}/{accountId}/transactions`, path, {
      headers: opened("AIS", told.consentId),
      query: "?bookingStatus=both&dateFrom=2026-09-24",
    });
    const { booked, pending } = told.transactions.transactions;
    expect(transactions).toMatchObject({
      booked: expect.arrayContaining(booked),
      pending: expect.arrayContaining(pending),
    });
    expect(await sumsThatDiffer(bank.db)).toEqual([]);
  });

  it("a refresh token is there as it was issued", async () => {
    const [kept] = await bank.db.execute<{ hash: string }>(`
      select id_hash as hash from oidc_payload where model = 'RefreshToken' order by id_hash limit 1`);
    const token = await stores.models.find("RefreshToken", String(kept?.hash), at);
    expect(token?.payload).toMatchObject({ kind: "RefreshToken", clientId: tppId });
  });

  it("funds are confirmed as before", async () => {
    const { consentId, answers } = told.funds;
    for (const [amount, answer] of answers) {
      const body = {
        account: { iban: told.accounts[0]?.iban },
        instructedAmount: { currency: "RON", amount },
      };
      const headers = opened("PIIS", consentId);
      const sent = { method: "POST", headers, body } as const;
      expect(await send("/cbpii/v1/funds-confirmations", {}, sent)).toEqual(answer);
    }
  });

  it("a consent that was revoked or never authorised is as it was", async () => {
    const statusOf = async (id: string) => (await stores.consents.find(id as ConsentId))?.status;
    expect(await statusOf(told.revokedConsentId)).toBe("revokedByPsu");
    expect(await statusOf(told.receivedConsentId)).toBe("received");
  });

  it("who could sign in can, with the same password", async () => {
    const ana = await stores.psuDirectory.verifyPassword("ana", "ana-sandbox");
    const { psuId } = (await stores.consents.find(told.consentId as ConsentId)) ?? {};
    expect(ana).toEqual({ id: psuId, userId: "ana", name: "Ana Popescu" });
    expect(await stores.coreBank.accountsOf(psuId as PsuId)).toHaveLength(5);
  });

  it.each(Object.entries(told.payments))(
    "the payment that was %s has its status and its answer",
    async (_which, { paymentId, product, status }) => {
      const path = { paymentService: "payments", paymentProduct: product, paymentId };
      const route = "/pisp/v1/{paymentService}/{paymentProduct}/{paymentId}";
      const answer = await send(`${route}/status`, path, { headers: attended });
      expect(answer).toMatchObject({ transactionStatus: status });
      expect(await send(route, path, { headers: attended })).toMatchObject({
        transactionStatus: status,
      });
    },
  );

  it("a payment in execution is settled, once, and one without funds goes on waiting", async () => {
    const later = new Date(at.getTime() + 60_000);
    const ports = { ...stores, profile: aspspProfile, submissionFaults: rethrown };
    for (let round = 0; round < 5; round += 1) {
      await stores.paymentExecution.advance(later, 20);
      await submitDuePayments(ports, later);
    }
    const statusOf = async (id: string) =>
      (await stores.payments.findOfTpp(id as never, tppId))?.status;
    expect(await statusOf(told.payments.sent.paymentId)).toBe("ACSC");
    expect(await statusOf(told.payments.waiting.paymentId)).toBe("PDNG");
    expect(await sumsThatDiffer(bank.db)).toEqual([]);
  });
});

function rethrown({ err }: { readonly err: unknown }): never {
  throw err;
}
