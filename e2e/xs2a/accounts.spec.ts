import { granted } from "@/clients/typescript/src";
import { consentRequest, oneOff } from "../harness/consent-request";
import { expectRefusal } from "../harness/refusals";
import { UNKNOWN_ID, without } from "../harness/requests";
import { expect, test } from "../harness/test";

test("the list has the payment accounts the PSU shared, one entry per sub-account, never savings or loans", async ({
  shared: { tpp, grant },
}) => {
  const { accounts } = granted(await tpp.bank.accounts(grant));
  const multiCurrency = accounts.filter(({ name }) => name?.startsWith("Travel account"));
  expect(new Set(multiCurrency.map(({ iban }) => iban)).size).toBe(1);
  expect(multiCurrency.map(({ currency }) => currency).toSorted()).toEqual(["EUR", "RON", "USD"]);
  expect(accounts.map(({ name }) => name)).not.toContain("Rainy days");
  expect(accounts.map(({ name }) => name)).not.toContain("Car loan");
  for (const account of accounts) {
    expect(account.iban).toMatch(/^RO\d{2}DRWB/);
    expect(account).toMatchObject({ bic: "DRWBROBU", cashAccountType: "CACC" });
    expect(account.resourceId).not.toContain(account.iban);
    expect(account).not.toHaveProperty("psuName");
    expect(account).not.toHaveProperty("balances");
  }
});

test("ownerName and ownerNames are returned within the consent, every owner of a joint account", async ({
  shared: { tpp, grant },
}) => {
  const { accounts } = granted(await tpp.bank.accounts(grant));
  const joint = accounts.find(({ name }) => name === "Household account");
  expect(joint?.ownerName).toBeDefined();
  expect(joint?.ownerNames?.map(({ name }) => name).toSorted()).toEqual([
    "Ana Popescu",
    "Elena Popescu",
  ]);
});

test("B2: the owner's name is not returned outside the consent", async ({ tpp, authorise }) => {
  const grant = await authorise(tpp, { userId: "mihai" });
  const { accounts } = granted(await tpp.bank.accounts(grant));
  expect(accounts).toHaveLength(1);
  expect(accounts[0]).not.toHaveProperty("ownerName");
  expect(accounts[0]).not.toHaveProperty("ownerNames");
});

test("one account is what the list says of it", async ({ shared: { tpp, grant } }) => {
  // A payment of another test can be executed between the two requests: both are then made again.
  await expect(async () => {
    const { accounts } = granted(await tpp.bank.accounts(grant, true));
    for (const listed of accounts) {
      const { account } = granted(await tpp.bank.account(grant, listed.resourceId, true));
      expect(account).toEqual(listed);
      expect(account.balances?.map(({ balanceType }) => balanceType).toSorted()).toEqual([
        "closingBooked",
        "expected",
        "forwardAvailable",
      ]);
    }
  }).toPass({ timeout: 15_000 });
});

test("the links of an account are absolute and lead to its balances and transactions", async ({
  shared: { tpp, grant },
  bank,
}) => {
  const { accounts } = granted(await tpp.bank.accounts(grant));
  const [account] = accounts;
  const self = `${bank.xs2aUrl}/open-banking/v3.1/aisp/v1/accounts/${account?.resourceId}`;
  expect(account?._links).toEqual({
    balances: { href: `${self}/balances` },
    transactions: { href: `${self}/transactions` },
  });
});

test("B2: without the right to balances withBalance is ignored, and there is no link to them", async ({
  tpp,
  authorise,
}) => {
  const request = consentRequest({ access: { accounts: [] } });
  const grant = await authorise(tpp, { userId: "mihai", request });
  const [account] = granted(await tpp.bank.accounts(grant, true)).accounts;
  expect(account).not.toHaveProperty("balances");
  expect(account?._links ?? {}).toEqual({});
});

test("withBalance is `true` or `false`", async ({ shared: { tpp, grant } }) => {
  const reply = await tpp.bank.call(
    "GET",
    "/open-banking/v3.1/aisp/v1/accounts?withBalance=maybe",
    {
      headers: { "consent-id": grant.consentId, authorization: `Bearer ${grant.accessToken}` },
    },
  );
  expectRefusal(reply, 400, "FORMAT_ERROR", "withBalance");
});

test("B1: an account that is not in the consent is 404 RESOURCE_UNKNOWN, whatever its id looks like", async ({
  shared: { tpp, grant },
}) => {
  for (const id of [UNKNOWN_ID, "x", "%00", "RO49AAAA1B31007593840000"]) {
    expectRefusal(await tpp.bank.account(grant, id), 404, "RESOURCE_UNKNOWN");
  }
});

test("B1: the ids of an account in two consents have nothing in common", async ({
  shared,
  tpp,
  authorise,
}) => {
  const other = await authorise(tpp, { userId: "ana" });
  const ids = async (from: typeof tpp, grant: typeof other) =>
    granted(await from.bank.accounts(grant)).accounts.map(({ resourceId }) => resourceId);
  const [first, second] = [await ids(shared.tpp, shared.grant), await ids(tpp, other)];
  expect(second).toHaveLength(first.length);
  for (const id of second) expect(first).not.toContain(id);
  for (const id of first) {
    expectRefusal(await tpp.bank.account(other, id), 404, "RESOURCE_UNKNOWN");
  }
});

test("Consent-ID is mandatory on a data call, and known", async ({ shared: { tpp, grant } }) => {
  const none = await tpp.bank.accounts(grant, false, { edit: without("consent-id") });
  expectRefusal(none, 400, "FORMAT_ERROR", "Consent-ID");
  const unknown = await tpp.bank.accounts({ ...grant, consentId: UNKNOWN_ID });
  expect(unknown.ok).toBe(false);
  expect([400, 401]).toContain(unknown.status);
});

test("no token, another scheme, nonsense: 401 TOKEN_UNKNOWN with a challenge", async ({
  shared: { tpp, grant },
}) => {
  const none = await tpp.bank.accounts(grant, false, { edit: without("authorization") });
  const basic = await tpp.bank.accounts(grant, false, { headers: { authorization: "Basic eDp5" } });
  const [head, payload, signature] = grant.accessToken.split(".");
  const forged = [head, payload, signature?.split("").reverse().join("")].join(".");
  const unsigned = [Buffer.from('{"alg":"none"}').toString("base64url"), payload, ""].join(".");
  const others = ["nonsense", forged, unsigned].map((accessToken) =>
    tpp.bank.accounts({ ...grant, accessToken }),
  );
  for (const reply of [none, basic, ...(await Promise.all(others))]) {
    expectRefusal(reply, 401, "TOKEN_UNKNOWN");
    expect(reply.headers["www-authenticate"]).toBe('Bearer error="invalid_token"');
  }
});

test("a token in the query is no token", async ({ shared: { tpp, grant } }) => {
  const reply = await tpp.bank.call(
    "GET",
    `/open-banking/v3.1/aisp/v1/accounts?access_token=${grant.accessToken}`,
    { headers: { "consent-id": grant.consentId } },
  );
  expect(reply.ok).toBe(false);
});

test("O13: with the consent deleted the next call is 401 CONSENT_INVALID, on every endpoint", async ({
  tpp,
  authorise,
}) => {
  const grant = await authorise(tpp, { userId: "mihai" });
  const [account] = granted(await tpp.bank.accounts(grant)).accounts;
  const id = String(account?.resourceId);
  await tpp.bank.deleteConsent(grant.consentId);
  const query = { bookingStatus: "both", dateFrom: "2026-01-01" } as const;
  expectRefusal(await tpp.bank.accounts(grant), 401, "CONSENT_INVALID");
  expectRefusal(await tpp.bank.account(grant, id), 401, "CONSENT_INVALID");
  expectRefusal(await tpp.bank.balances(grant, id), 401, "CONSENT_INVALID");
  expectRefusal(await tpp.bank.transactions(grant, id, query), 401, "CONSENT_INVALID");
  expectRefusal(await tpp.bank.transaction(grant, id, UNKNOWN_ID), 401, "CONSENT_INVALID");
});

test("more unattended calls than frequencyPerDay: 429 ACCESS_EXCEEDED; attended calls are free", async ({
  tpp,
  authorise,
}) => {
  const request = consentRequest({ frequencyPerDay: 2 });
  const grant = await authorise(tpp, { userId: "mihai", request });
  for (let call = 0; call < 4; call += 1) granted(await tpp.bank.accounts(grant));
  granted(await tpp.unattended.accounts(grant));
  const [account] = granted(await tpp.unattended.accounts(grant)).accounts;
  expectRefusal(await tpp.unattended.accounts(grant), 429, "ACCESS_EXCEEDED");
  granted(await tpp.bank.accounts(grant));
  granted(await tpp.unattended.balances(grant, String(account?.resourceId)));
});

test("each answer of an unattended call tells the rest of its budget, pages and refusals too", async ({
  tpp,
  authorise,
}) => {
  const request = consentRequest({ frequencyPerDay: 2 });
  const grant = await authorise(tpp, { userId: "mihai", request });
  const rest = ({ headers }: { readonly headers: Readonly<Record<string, string | undefined>> }) =>
    ["limit", "remaining"].map((name) => headers[`ratelimit-${name}`]);
  const first = await tpp.unattended.accounts(grant);
  expect(rest(first)).toEqual(["2", "1"]);
  const seconds = Number(first.headers["ratelimit-reset"]);
  expect(seconds).toBeGreaterThan(86_000);
  expect(seconds).toBeLessThanOrEqual(86_400);
  expect(rest(await tpp.unattended.accounts(grant))).toEqual(["2", "0"]);
  const refused = await tpp.unattended.accounts(grant);
  expectRefusal(refused, 429, "ACCESS_EXCEEDED");
  expect(rest(refused)).toEqual(["2", "0"]);
  expect(refused.headers["retry-after"]).toBe(refused.headers["ratelimit-reset"]);
  expect(rest(await tpp.bank.accounts(grant))).toEqual([undefined, undefined]);
});

test("B4: with a PSU-IP-Address that cannot be a PSU's a call is unattended, not refused", async ({
  tpp,
  authorise,
}) => {
  const request = consentRequest({ frequencyPerDay: 4 });
  const grant = await authorise(tpp, { userId: "mihai", request });
  for (const address of ["823.121.123.142", "localhost"]) {
    const headers = { "psu-ip-address": address };
    const reply = await tpp.unattended.accounts(grant, false, { headers });
    expectRefusal(reply, 400, "FORMAT_ERROR", "PSU-IP-Address");
  }
  for (const address of ["0.0.0.0", "224.0.0.1", "169.254.1.1", "fe80::1"]) {
    const headers = { "psu-ip-address": address };
    const reply = await tpp.unattended.accounts(grant, false, { headers });
    granted(reply);
    expect(reply.headers).toHaveProperty("ratelimit-remaining");
    expect(reply.headers).toHaveProperty("psu-ip-address-ignored", "reserved");
  }
  const headers = { "psu-ip-address": "::" };
  const fifth = await tpp.unattended.accounts(grant, false, { headers });
  expectRefusal(fifth, 429, "ACCESS_EXCEEDED");
});

test("B3: parallel unattended calls are admitted exactly frequencyPerDay times", async ({
  tpp,
  authorise,
}) => {
  const grant = await authorise(tpp, { userId: "mihai" });
  const calls = Array.from({ length: 20 }, () => tpp.unattended.accounts(grant));
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(4);
  expect(statuses.filter((status) => status === 429)).toHaveLength(16);
});

test("a one-off consent allows one unattended call per endpoint", async ({ tpp, authorise }) => {
  const grant = await authorise(tpp, { userId: "mihai", request: oneOff() });
  granted(await tpp.unattended.accounts(grant));
  expectRefusal(await tpp.unattended.accounts(grant), 429, "ACCESS_EXCEEDED");
});

test("a blocked account is listed as such, and its content is 403 SERVICE_BLOCKED", async ({
  tpp,
  authorise,
}) => {
  const grant = await authorise(tpp, { userId: "elena" });
  const { accounts } = granted(await tpp.bank.accounts(grant));
  const blocked = accounts.filter(({ status }) => status === "blocked");
  expect(blocked.map(({ name }) => name)).toEqual(["Old student account"]);
  const reply = await tpp.bank.balances(grant, String(blocked[0]?.resourceId));
  expectRefusal(reply, 403, "SERVICE_BLOCKED");
  expect(accounts.find(({ usage }) => usage === "ORGA")?.name).toBe("Popescu Grafic SRL");
});
