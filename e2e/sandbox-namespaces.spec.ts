import { granted, type Permission, text } from "@/clients/typescript/src";
import { agree, answerForm, browsing } from "@/tools/psu-by-forms";
import { expectAccessible, expectReflow } from "./harness/accessible";
import { bankDayAt } from "./harness/bank-time";
import { consentRequest } from "./harness/consent-request";
import { isCoreBankApart } from "./harness/core-bank";
import { instant } from "./harness/payment-request";
import { expectRefusal } from "./harness/refusals";
import { UNKNOWN_ID } from "./harness/requests";
import { expect, test } from "./harness/test";
import { type TestTpp, testTpp } from "./harness/test-tpp";

type Sent = { readonly status: number; readonly body: Record<string, unknown> };

type Description = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId: string }>>>>;
};

/** A call of the sandbox API with the TPP's QWAC alone. */
async function call(tpp: TestTpp, method: string, path: string, body?: object): Promise<Sent> {
  const { status, body: bytes } = await tpp.http.send({
    method,
    url: `${tpp.xs2aUrl}/sandbox/api/v1${path}`,
    headers: body === undefined ? {} : { "content-type": "application/json" },
    ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
  });
  return { status, body: JSON.parse(text(bytes)) as Record<string, unknown> };
}

async function made(tpp: TestTpp, method: string, path: string, body: object) {
  const { status, body: answer } = await call(tpp, method, path, body);
  expect([path, status, answer]).toEqual([path, 200, answer]);
  return answer;
}

function credentialsOf(psu: Sent["body"]) {
  return { userId: String(psu["userId"]), password: String(psu["password"]) };
}

type Browser = ReturnType<typeof browsing>;
type Login = Parameters<typeof answerForm>[1];

function signIn(browser: Browser, login: Login, psu: ReturnType<typeof credentialsOf>) {
  return answerForm(browser, login, "Continue", ({ type, name }) =>
    type === "password" ? [[name, psu.password]] : type === "text" ? [[name, psu.userId]] : [],
  );
}

/** The PSU of the TPP's namespace signs in, shares all and confirms with the code that comes to the phone. */
async function agreeing(tpp: TestTpp, psu: Sent["body"], url: URL, webUrl: string) {
  const browser = browsing(({ origin }) => origin !== new URL(webUrl).origin);
  const messages = async () => {
    const { body } = await call(tpp, "GET", `/psus/${psu["psuId"]}/messages`);
    return body["messages"] as readonly { readonly code: string }[];
  };
  const before = (await messages()).length;
  const code = async () => {
    await expect
      .poll(async () => (await messages()).length, { timeout: 30_000 })
      .toBeGreaterThan(before);
    return String((await messages())[0]?.code);
  };
  return agree(browser, await browser.open(url), { ...credentialsOf(psu), code });
}

/** The consent of this PSU for all accounts, with its token. */
async function permitted(
  tpp: TestTpp,
  psu: Sent["body"],
  webUrl: string,
  request = consentRequest(),
): Promise<Permission> {
  const asked = await tpp.ask(request);
  const back = await agreeing(tpp, psu, asked.request.url, webUrl);
  expect(back.url.href).toContain(tpp.redirectUri);
  await fetch(back.url);
  const { accessToken } = await tpp.collect(asked);
  return { consentId: asked.consentId, accessToken };
}

/** Maria of the TPP's namespace with an account, and her consent to it. */
async function people(tpp: TestTpp, balance: string, webUrl: string, asked = consentRequest()) {
  const psu = await made(tpp, "POST", "/psus", { login: "maria", name: "Maria Ene" });
  const opened = { currency: "RON", balance };
  const { iban } = await made(tpp, "POST", `/psus/${psu["psuId"]}/accounts`, opened);
  const permission = await permitted(tpp, psu, webUrl, asked);
  const [seen] = granted(await tpp.bank.accounts(permission)).accounts;
  const id = String(seen?.resourceId);
  const balances = () => tpp.bank.balances(permission, id);
  return { tpp, psu, iban: String(iban), permission, id, balances };
}

const order = {
  amount: "50",
  counterparty: { name: "Landlord" },
  startDate: "2026-01-01",
  dayOfExecution: 1,
};

// Where the core bank is another process, e2e/sandbox.spec.ts sees that there are none.
test.skip(isCoreBankApart(), "namespaces and magic values are of the embedded ledger");

test("a TPP makes its own people and accounts, which another TPP neither sees, changes nor uses", async ({
  newTpp,
  bank,
}) => {
  const [owner, other] = [await newTpp(), await newTpp()];
  const maria = await made(owner, "POST", "/psus", { login: "maria", name: "Maria Ene" });
  const radu = await made(owner, "POST", "/psus", { login: "radu", name: "Radu Ene" });
  const psu = `/psus/${maria["psuId"]}`;
  const opened = { currency: "RON", balance: "100.00", overdraft: "20" };
  const { accountId } = await made(owner, "POST", `${psu}/accounts`, opened);
  const account = `/accounts/${accountId}`;
  await made(owner, "POST", `${account}/owners`, { psuId: radu["psuId"] });
  await made(owner, "POST", `${account}/entries`, { amount: "-30.50", remittance: "Bread" });
  await made(owner, "POST", `${account}/entries`, { amount: "-1", status: "pending" });
  await made(owner, "PUT", `${account}/overdraft`, { overdraft: "500" });
  await made(owner, "PUT", `${psu}/payment-limit`, { paymentLimit: "75.00" });
  await made(owner, "POST", `${account}/standing-orders`, order);

  // The way of a PSU to the TPP that has made it.
  const { userId, password } = credentialsOf(maria);
  const permission = await permitted(owner, maria, bank.webUrl);
  const [seen] = granted(await owner.bank.accounts(permission)).accounts;
  const read = granted(await owner.bank.balances(permission, String(seen?.resourceId)));
  expect(JSON.stringify(read)).toContain("69.50");

  // To another TPP the same password is that of nobody.
  const foreign = await other.ask();
  const stranger = browsing(() => false);
  const login = await stranger.open(foreign.request.url);
  const refused = await signIn(stranger, login, { userId, password });
  expect(login.url.pathname).toBe(refused.url.pathname);
  expect(refused.html).toContain("4 tries are left");

  await made(owner, "PUT", "/core-bank", { state: "slow" });
  await made(owner, "PUT", "/clock", { aheadSeconds: 60 });
  const own = () =>
    Promise.all(["/psus", "/accounts", "/core-bank"].map((path) => call(owner, "GET", path)));
  const before = await own();
  const bodies: Readonly<Record<string, object>> = {
    createAccount: opened,
    setPaymentLimit: { paymentLimit: null },
    setOverdraft: { overdraft: "1" },
    addOwner: { psuId: radu["psuId"] },
    addEntry: { amount: "1" },
    addStandingOrder: order,
    setCoreBank: { state: "available" },
    setClock: { aheadSeconds: 0 },
  };
  // What names nothing is about the caller's own namespace, which holds nothing.
  const ofCaller: Readonly<Record<string, object>> = {
    listPsus: { psus: [] },
    listAccounts: { accounts: [] },
    readCoreBank: { state: "available" },
    setCoreBank: { state: "available" },
    readClock: { aheadSeconds: 0, now: expect.any(String) },
    setClock: { aheadSeconds: 0, now: expect.any(String) },
    reset: { psus: 0, accounts: 0 },
  };
  const { paths } = (await call(other, "GET", "/openapi.json")).body as Description;
  expect(Object.keys(paths)).toHaveLength(12);
  for (const [template, methods] of Object.entries(paths)) {
    for (const [method, { operationId }] of Object.entries(methods)) {
      if (operationId === "createPsu") continue;
      const of = (psuId: unknown, id: unknown) =>
        call(
          other,
          method.toUpperCase(),
          template
            .replace("/sandbox/api/v1", "")
            .replace("{psuId}", String(psuId))
            .replace("{accountId}", String(id)),
          bodies[operationId],
        );
      const answer = await of(maria["psuId"], accountId);
      const expected = ofCaller[operationId];
      if (expected !== undefined) {
        expect([operationId, answer]).toEqual([operationId, { status: 200, body: expected }]);
      } else {
        expect([operationId, answer.status]).toEqual([operationId, 404]);
        expect(answer).toEqual(await of(UNKNOWN_ID, UNKNOWN_ID));
      }
    }
  }
  // Its own account with the other's PSU as an owner, which is refused as well.
  const ion = await made(other, "POST", "/psus", { login: "ion", name: "Ion Pop" });
  const theirs = await made(other, "POST", `/psus/${ion["psuId"]}/accounts`, { currency: "EUR" });
  const joint = await call(other, "POST", `/accounts/${theirs["accountId"]}/owners`, {
    psuId: maria["psuId"],
  });
  expect(joint.status).toBe(404);
  expect((await call(other, "POST", "/reset")).status).toBe(200);
  expect(await own()).toEqual(before);
  expect((await call(owner, "GET", "/clock")).body).toMatchObject({ aheadSeconds: 60 });

  expect(await call(owner, "POST", "/reset")).toEqual({
    status: 200,
    body: { psus: 2, accounts: 1 },
  });
  expect((await call(owner, "GET", "/psus")).body).toEqual({ psus: [] });
  expect((await call(owner, "GET", "/clock")).body).toMatchObject({ aheadSeconds: 0 });
  expect(granted(await owner.bank.accounts(permission)).accounts).toEqual([]);
  expect((await fetch(`${bank.webUrl}/sandbox/messages?psu=${userId}`)).status).toBe(404);
});

test("of two TPPs at once one has its core bank slow, away and broken, and the other, which reads all the while, sees nothing of it", async ({
  newTpp,
  bank,
}) => {
  // Its 503 are expected, and noted by nobody.
  const failing = await testTpp({ bank });
  const mine = await people(failing, "100.00", bank.webUrl);
  const other = await people(await newTpp(), "200.00", bank.webUrl);
  const state = (state: string) => made(mine.tpp, "PUT", "/core-bank", { state });

  let isOver = false;
  const first = granted(await other.balances());
  expect(JSON.stringify(first)).toContain("200.00");
  const reading = async () => {
    let read = 0;
    for (; !isOver; read += 1) {
      const list = granted(await other.tpp.bank.accounts(other.permission)).accounts;
      expect(list.map(({ iban }) => iban)).toEqual([other.iban]);
      expect(granted(await other.balances())).toEqual(first);
      // What the one has is to the other what there is not.
      const foreign = await other.tpp.bank.balances(other.permission, mine.id);
      const unknown = await other.tpp.bank.balances(other.permission, UNKNOWN_ID);
      expect([foreign.status, foreign.body]).toEqual([unknown.status, unknown.body]);
      expect((await call(other.tpp, "GET", "/core-bank")).body).toEqual({ state: "available" });
    }
    return read;
  };
  const readers = Promise.all([reading(), reading(), reading()]);
  try {
    const asked = await mine.tpp.askToPay(instant({ debtorAccount: { iban: mine.iban } }));
    const browser = browsing(() => false);
    const agreed = () => agreeing(mine.tpp, mine.psu, asked.request.url, bank.webUrl);
    await state("slow");
    expect((await mine.balances()).status).toBe(200);
    for (const fault of ["away", "broken"]) {
      await state(fault);
      expect(await mine.balances()).toMatchObject({
        status: 503,
        body: { tppMessages: [{ code: "SERVICE_UNAVAILABLE" }] },
      });
      const login = await browser.open(asked.request.url);
      const signedIn = signIn(browser, login, credentialsOf(mine.psu));
      await expect(signedIn).rejects.toMatchObject({ status: 503 });
    }
    await state("available");
    await fetch((await agreed()).url);
    await mine.tpp.collect(asked);
    const status = async () => granted(await mine.tpp.bank.paymentStatus(asked)).transactionStatus;
    await expect.poll(status, { timeout: 60_000 }).toMatch(/^AC[SC]C$/);
    expect(JSON.stringify(granted(await mine.balances()))).toContain("75.00");
  } finally {
    isOver = true;
    await failing.close();
  }
  for (const read of await readers) expect(read).toBeGreaterThan(3);
});

test("a PSU blocked in all channels: account data is 403 SERVICE_BLOCKED, and the PSU's page refuses", async ({
  tpp,
  bank,
}) => {
  const { psu, permission, id, balances } = await people(tpp, "100.00", bank.webUrl);
  const limit = (paymentLimit: string | null) =>
    made(tpp, "PUT", `/psus/${psu["psuId"]}/payment-limit`, { paymentLimit });
  await limit("777.05");
  expectRefusal(await tpp.bank.accounts(permission), 403, "SERVICE_BLOCKED");
  expectRefusal(await tpp.bank.account(permission, id), 403, "SERVICE_BLOCKED");
  expectRefusal(await balances(), 403, "SERVICE_BLOCKED");

  const asked = await tpp.ask();
  const browser = browsing(() => false);
  const login = await browser.open(asked.request.url);
  const { html } = await signIn(browser, login, credentialsOf(psu));
  expect(html).toContain("The bank has blocked you");
  expect(granted(await tpp.bank.consentStatus(asked.consentId)).consentStatus).toBe("rejected");
  await limit(null);
  expect((await balances()).status).toBe(200);
});

test("two TPPs with clocks a year apart that read and pay at once see nothing of each other's time", async ({
  newTpp,
  bank,
}) => {
  const [ahead, other] = [await newTpp(), await newTpp()];
  const setAhead = (days: number) => made(ahead, "PUT", "/clock", { aheadSeconds: days * 86_400 });
  const daysAhead = async (tpp: TestTpp) => {
    const { now } = (await call(tpp, "GET", "/clock")).body;
    return Math.abs(Math.round((Date.parse(String(now)) - Date.now()) / 86_400_000));
  };
  await setAhead(365);
  const inDays = (days: number) => bankDayAt(new Date(), days);
  const until = (days: number) => consentRequest({ validUntil: inDays(days) });
  // By the clock of each: a date that is past for the one is too far ahead for the other.
  const [mine, theirs] = [
    await people(ahead, "100.00", bank.webUrl, until(365 + 90)),
    await people(other, "200.00", bank.webUrl, until(90)),
  ];
  await expect(ahead.ask(until(90))).rejects.toMatchObject({ status: 400 });

  let isOver = false;
  const reading = async ({ tpp, iban, permission }: typeof mine, days: number) => {
    let read = 0;
    for (; !isOver; read += 1) {
      const list = granted(await tpp.bank.accounts(permission)).accounts;
      expect(list.map((account) => account.iban)).toEqual([iban]);
      expect(await daysAhead(tpp)).toBe(days);
    }
    return read;
  };
  const paying = async ({ tpp, psu, iban, permission, id }: typeof mine, days: number) => {
    const asked = await tpp.askToPay(instant({ debtorAccount: { iban } }));
    await fetch((await agreeing(tpp, psu, asked.request.url, bank.webUrl)).url);
    await tpp.collect(asked);
    const status = async () => granted(await tpp.bank.paymentStatus(asked)).transactionStatus;
    await expect.poll(status, { timeout: 60_000 }).toBe("ACCC");
    const period = { bookingStatus: "booked", dateFrom: inDays(days - 1) } as const;
    const { transactions } = granted(await tpp.bank.transactions(permission, id, period));
    const dates = transactions.booked?.map(({ bookingDate }) => bookingDate);
    expect(dates).toHaveLength(2);
    for (const date of dates ?? []) expect([inDays(days), inDays(days - 1)]).toContain(date);
  };
  const readers = Promise.all([0, 1, 2].flatMap(() => [reading(mine, 365), reading(theirs, 0)]));
  try {
    await Promise.all([paying(mine, 365), paying(theirs, 0)]);

    // Shared people sign in by the sandbox's clock alone, and no failure at this TPP counts against them.
    const stranger = browsing(() => false);
    let page = await stranger.open((await ahead.ask(until(365 + 90))).request.url);
    const ana = { userId: "ana", password: "ana-sandbox" };
    for (let tried = 0; tried < 6; tried += 1) page = await signIn(stranger, page, ana);
    expect(page.html).toContain("do not match");
    const elsewhere = await stranger.open((await other.ask(until(90))).request.url);
    const { html } = await signIn(stranger, elsewhere, ana);
    expect(html).toContain("Choose the accounts");
  } finally {
    isOver = true;
  }
  for (const read of await readers) expect(read).toBeGreaterThan(3);

  // The consent and the token of the one run out.
  await setAhead(365 + 181);
  expect((await mine.balances()).status).toBe(401);
  const statusOf = async ({ tpp, permission }: typeof mine) =>
    granted(await tpp.bank.consentStatus(permission.consentId)).consentStatus;
  expect([await statusOf(mine), await statusOf(theirs)]).toEqual(["expired", "valid"]);
  expect((await theirs.balances()).status).toBe(200);
});

test("the sandbox API refuses what it does not know, and is not on the browsers' host", async ({
  tpp,
  bank,
}) => {
  const faulty: readonly (readonly [string, string, object | undefined, number])[] = [
    ["GET", "/nothing", undefined, 404],
    ["DELETE", "/psus", undefined, 405],
    ["POST", "/psus", { login: "UPPER", name: "X" }, 400],
    ["POST", "/psus", { login: "x", name: "X", more: 1 }, 400],
    ["POST", "/reset", {}, 400],
  ];
  for (const [method, path, body, status] of faulty) {
    const answer = await call(tpp, method, path, body);
    expect([path, answer.status]).toEqual([path, status]);
    expect(answer.body).toHaveProperty("tppMessages");
  }
  expect((await fetch(`${bank.webUrl}/sandbox/api/v1/openapi.json`)).status).toBe(404);
});

test("magic values: creditors make payments RJCT, PDNG, partly funded and slow, and a login makes SCA fail", async ({
  tpp,
  page,
  bank,
}) => {
  const payer = await made(tpp, "POST", "/psus", { login: "payer", name: "Maria Ene" });
  const opened = { currency: "RON", balance: "1000.00" };
  const { iban } = await made(tpp, "POST", `/psus/${payer["psuId"]}/accounts`, opened);
  const paid = (creditorName: string) =>
    instant({ debtorAccount: { iban: String(iban) }, creditorName });
  const expected = [
    ["Sandbox RJCT", ["ACTC", "ACCP", "RJCT"]],
    ["Sandbox PDNG", ["ACTC", "ACCP", "PDNG"]],
    ["Sandbox partly funded", ["ACTC", "ACCP", "PDNG"]],
    ["Sandbox slow", ["ACTC", "ACCP", "ACSP"]],
  ] as const;
  const amounts = ["777.01", "777.02", "777.03", "777.04"];
  for (const [name, way] of expected) {
    const asked = await tpp.askToPay(paid(name));
    const back = await agreeing(tpp, payer, asked.request.url, bank.webUrl);
    await fetch(back.url);
    await tpp.collect(asked);
    const status = async () => granted(await tpp.bank.paymentStatus(asked)).transactionStatus;
    const seen: string[] = [];
    await expect
      .poll(async () => seen.push(await status()) && seen.at(-1), {
        message: name,
        timeout: 60_000,
      })
      .toBe(way.at(-1));
    expect(
      seen.filter((one) => !way.some((step) => step === one)),
      name,
    ).toEqual([]);
  }

  const failing = await made(tpp, "POST", "/psus", { login: "sca-fails", name: "Radu Ene" });
  await made(tpp, "POST", `/psus/${failing["psuId"]}/accounts`, opened);
  const asked = await tpp.ask();
  const { html } = await agreeing(tpp, failing, asked.request.url, bank.webUrl);
  expect(html).toContain("The code is wrong.");

  // A form for each call, for the demo TPP.
  await page.setViewportSize({ width: 320, height: 640 });
  const [send, answer] = [page.getByRole("button", { name: "Send" }), page.locator("pre")];
  const call = async (name: string, fields: Readonly<Record<string, string>> = {}) => {
    await page.getByRole("link", { name }).click();
    for (const [field, value] of Object.entries(fields)) {
      await page.getByLabel(field, { exact: true }).fill(value);
    }
    await send.click();
  };
  await page.goto(`${bank.webUrl}/sandbox/namespace`);
  await call("A new PSU", { login: "maria", name: "Maria Ene" });
  await expect(answer).toContainText('"userId": "maria-');
  await call("A new payment account of a PSU", { currency: "RON", balance: "10" });
  await expect(answer).toContainText('"booked": "10.00"');
  await expectReflow(page);
  await expectAccessible(page);
  await call("A standing order of the account", {
    ...{ amount: "50", startDate: "2026-01-01", dayOfExecution: "1" },
    "counterparty.name": "Landlord",
  });
  await expect(answer).toContainText('"standingOrderId"');
  await call("How far below zero the balance may go", { overdraft: "much" });
  await expect(answer).toContainText("400 FORMAT_ERROR");
  await page.getByRole("link", { name: "Makes the core bank away" }).click();
  await page.getByLabel("state").selectOption("away");
  await send.click();
  await expect(answer).toContainText('"state": "away"');
  await expect(page.getByText("The core bank is away.")).toBeVisible();
  await call("Gives the namespace a clock", { aheadSeconds: "60" });
  await expect(answer).toContainText('"aheadSeconds": 60');
  await call("Ends every PSU and account");
  await expect(answer).toContainText('"accounts": 1');
  await page.goto(`${bank.webUrl}/sandbox/magic-values`);
  for (const value of [
    ...expected.map(([name]) => name),
    ...amounts,
    ...["777.05", "sca-fails", "passkey-fails"],
  ]) {
    await expect(page.getByText(value, { exact: true })).toBeVisible();
  }
  await expectReflow(page);
  await expectAccessible(page);
});
