import {
  granted,
  type Permission,
  type Reply,
  type TransactionQuery,
  type Xs2a,
} from "@/clients/typescript/src";
import { seen } from "./harness/refusals";
import { UNKNOWN_ID } from "./harness/requests";
import { expect, test } from "./harness/test";

const query: TransactionQuery = { bookingStatus: "both", dateFrom: "2026-01-01" };

type Ask = (bank: Xs2a, consentId: string, other: string) => Promise<Reply<unknown>>;
const consentCalls: Readonly<Record<string, Ask>> = {
  "GET the consent": (bank, id) => bank.consent(id),
  "GET its status": (bank, id) => bank.consentStatus(id),
  "DELETE it": (bank, id) => bank.deleteConsent(id),
  "GET its authorisations": (bank, id) => bank.authorisations(id),
  "GET its scaStatus": (bank, id, authorisationId) => bank.scaStatus(id, authorisationId),
};
test("O1: another TPP's consent is what an unknown one is, for each call", async ({
  tpp,
  newTpp,
}) => {
  const { consentId, authorisationId } = await tpp.ask();
  const other = await newTpp();
  for (const [what, ask] of Object.entries(consentCalls)) {
    const foreign = await ask(other.bank, consentId, authorisationId);
    expect(foreign.ok, what).toBe(false);
    expect(seen(foreign), what).toEqual(seen(await ask(other.bank, UNKNOWN_ID, UNKNOWN_ID)));
    const { consentStatus } = granted(await tpp.bank.consentStatus(consentId));
    expect(consentStatus, what).toBe("received");
  }
});

type Read = (bank: Xs2a, permission: Permission, account: string) => Promise<Reply<unknown>>;
const dataCalls: Readonly<Record<string, Read>> = {
  accounts: (bank, permission) => bank.accounts(permission),
  "one account": (bank, permission, id) => bank.account(permission, id),
  balances: (bank, permission, id) => bank.balances(permission, id),
  transactions: (bank, permission, id) => bank.transactions(permission, id, query),
};
test("O1: another TPP's token is what an unknown one is, for each call", async ({
  shared,
  tpp,
}) => {
  const { grant } = shared;
  const [account] = granted(await shared.tpp.bank.accounts(grant)).accounts;
  const id = String(account?.resourceId);
  const unknown = { consentId: UNKNOWN_ID, accessToken: "unknown" };
  for (const [what, read] of Object.entries(dataCalls)) {
    const foreign = await read(tpp.bank, grant, id);
    expect(foreign.ok, what).toBe(false);
    expect(seen(foreign), what).toEqual(seen(await read(tpp.bank, unknown, UNKNOWN_ID)));
    granted(await read(shared.tpp.bank, grant, id));
  }
});

test("O1: with an own token another TPP's consent and account are what unknown ones are", async ({
  shared,
  tpp,
  authorise,
}) => {
  const own = await authorise(tpp, { userId: "mihai" });
  const [account] = granted(await shared.tpp.bank.accounts(shared.grant)).accounts;
  const foreignConsent = { ...own, consentId: shared.grant.consentId };
  const unknownConsent = { ...own, consentId: UNKNOWN_ID };
  expect(seen(await tpp.bank.accounts(foreignConsent))).toEqual(
    seen(await tpp.bank.accounts(unknownConsent)),
  );
  for (const read of Object.values(dataCalls).slice(1)) {
    const foreign = await read(tpp.bank, own, String(account?.resourceId));
    expect(foreign.status).toBe(404);
    expect(seen(foreign)).toEqual(seen(await read(tpp.bank, own, UNKNOWN_ID)));
  }
});

test("O1: another TPP's refresh token is what an unknown one is", async ({
  tpp,
  newTpp,
  authorise,
}) => {
  const { asked, token } = await authorise(tpp);
  const other = await newTpp();
  await other.ask();
  const refresh = (refresh_token: string) =>
    other.postToken({ grant_type: "refresh_token", refresh_token });
  const foreign = await refresh(String(token.refreshToken));
  expect(foreign.body["error"]).toBe("invalid_grant");
  expect(foreign).toEqual(await refresh("unknown"));
  await asked.server.refresh(String(token.refreshToken));
});

test("O2: authorisation asked for another TPP's consent is what it is for an unknown one", async ({
  tpp,
  newTpp,
  psuByForms: psu,
}) => {
  const { consentId } = await tpp.ask();
  const other = await newTpp();
  const own = await other.ask();
  const answerTo = async (id: string) => {
    const { url, state } = own.server.authorise(`AIS:${id}`, other.redirectUri);
    await psu.open(url);
    const { searchParams } = await other.listener.next(60_000);
    expect(searchParams.get("state")).toBe(state);
    searchParams.delete("state");
    return Object.fromEntries(searchParams);
  };
  const foreign = await answerTo(consentId);
  expect(foreign["error"]).toBe("invalid_scope");
  expect(foreign).toEqual(await answerTo(UNKNOWN_ID));
});
