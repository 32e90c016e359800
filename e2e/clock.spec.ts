import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { granted, type Permission } from "@/clients/typescript/src";
import { addDays, bankDayAt, later, nextDayOf, startOfBankDay } from "./harness/bank-time";
import { cameraFor } from "./harness/camera";
import { type Between, expect, test } from "./harness/clock-test";
import { consentRequest } from "./harness/consent-request";
import { authoriseFunds, fundsQuestion } from "./harness/funds";
import { pageExamples, withoutBlanks } from "./harness/page-examples";
import { expectRefusal } from "./harness/refusals";
import type { Grant } from "./harness/test-tpp";

// One clock for all who use the bank: only one test at a time may move it.
test.describe.configure({ mode: "serial" });

// The clock goes on while a test works: half a minute before a limit is before it on a busy machine as well.

/** Noon of the bank's day before the specs run: whatever a test does first lies ahead of it. */
const START = later(startOfBankDay(bankDayAt(new Date(), 2)), { hours: 12 });

const recurring = (instant = START) => consentRequest({ validUntil: bankDayAt(instant, 180) });
const once = (instant = START) =>
  consentRequest({
    recurringIndicator: false,
    validUntil: bankDayAt(instant),
    frequencyPerDay: 1,
  });

/** The grant with a fresh access token, which lives for a quarter of an hour only. */
async function refreshed(grant: Grant & Between): Promise<Grant & Between> {
  const token = await grant.asked.server.refresh(String(grant.token.refreshToken));
  return { ...grant, token, accessToken: token.accessToken };
}

const invalidGrant = { error: "invalid_grant" };

test.describe("a recurring consent", () => {
  test("opens accounts for 180 days after SCA: day 179, 180 and 181", async ({
    tpp,
    clock,
    authoriseAt,
  }) => {
    let grant = await authoriseAt(START, recurring());
    await clock.set(later(START, { days: 179 }));
    grant = await refreshed(grant);
    granted(await tpp.bank.accounts(grant));

    await clock.set(later(START, { days: 180, minutes: -1 }));
    grant = await refreshed(grant);
    granted(await tpp.bank.accounts(grant));

    await clock.set(later(grant.latest, { days: 180 }));
    expectRefusal(await tpp.bank.accounts(grant), 401, "CONSENT_EXPIRED");
    await clock.set(later(START, { days: 181 }));
    expectRefusal(await tpp.bank.accounts(grant), 401, "CONSENT_EXPIRED");
    await expect(refreshed(grant)).rejects.toMatchObject(invalidGrant);
    const { consentStatus } = granted(await tpp.bank.consentStatus(grant.consentId));
    expect(consentStatus).toBe("expired");
  });

  for (const hours of [23, 25] as const) {
    test(`ends with the local day validUntil, on a day of ${hours} hours too`, async ({
      tpp,
      clock,
      authoriseAt,
    }) => {
      const validUntil = nextDayOf(hours);
      const midnight = startOfBankDay(addDays(validUntil, 1));
      expect(later(midnight, { hours: -hours })).toEqual(startOfBankDay(validUntil));
      const sca = later(midnight, { hours: -hours, minutes: -30 });
      let grant = await authoriseAt(sca, consentRequest({ validUntil }));
      await clock.set(later(midnight, { minutes: -1 }));
      grant = await refreshed(grant);
      granted(await tpp.bank.accounts(grant));
      await clock.set(midnight);
      expectRefusal(await tpp.bank.accounts(grant), 401, "CONSENT_EXPIRED");
    });
  }
});

test("a one-off consent opens accounts for 10 minutes after SCA: 9:30 and 10:01", async ({
  tpp,
  clock,
  authoriseAt,
}) => {
  const grant = await authoriseAt(START, once());
  await clock.set(later(START, { minutes: 9, seconds: 30 }));
  granted(await tpp.bank.accounts(grant));
  await clock.set(later(grant.latest, { minutes: 10, seconds: 1 }));
  expectRefusal(await tpp.bank.accounts(grant), 401, "CONSENT_EXPIRED");
});

test("history is 90 days, and unlimited in the first 10 minutes, for list and single transaction", async ({
  tpp,
  clock,
  authoriseAt,
}) => {
  const grant = await authoriseAt(START, recurring());
  const { accounts } = granted(await tpp.bank.accounts(grant));
  const id = String(accounts.find(({ name }) => name === "Current account")?.resourceId);
  const since = (days: number) =>
    ({ bookingStatus: "booked", dateFrom: bankDayAt(START, -days) }) as const;
  const report = granted(await tpp.bank.transactions(grant, id, since(400)));
  const next = String(report.transactions._links.next?.href);
  const page = granted(await tpp.bank.nextTransactions(grant, next));
  const known = [...(report.transactions.booked ?? []), ...(page.transactions.booked ?? [])];
  const on = (wanted: (age: string) => boolean) =>
    String(known.find(({ bookingDate }) => wanted(String(bookingDate)))?.transactionId);
  const [young, old] = [
    on((day) => day >= bankDayAt(START, -90)),
    on((day) => day < bankDayAt(START, -90)),
  ];

  await clock.set(later(START, { minutes: 9, seconds: 30 }));
  granted(await tpp.bank.transactions(grant, id, since(91)));
  granted(await tpp.bank.transaction(grant, id, old));

  await clock.set(later(grant.latest, { minutes: 10, seconds: 1 }));
  granted(await tpp.bank.transactions(grant, id, since(90)));
  const tooOld = await tpp.bank.transactions(grant, id, since(91));
  expectRefusal(tooOld, 400, "PERIOD_INVALID", "dateFrom");
  granted(await tpp.bank.transaction(grant, id, young));
  expectRefusal(await tpp.bank.transaction(grant, id, old), 400, "PERIOD_INVALID");
});

test("unattended calls are counted in rolling 24 hours: four at 23:50, and at 00:10 it is too soon", async ({
  tpp,
  clock,
  authoriseAt,
}) => {
  const midnight = startOfBankDay(bankDayAt(START, 1));
  let grant = await authoriseAt(later(midnight, { minutes: -15 }), recurring());
  const call = (permission: Permission) => tpp.unattended.accounts(permission);
  await clock.set(later(midnight, { minutes: -10 }));
  for (let count = 0; count < 4; count += 1) granted(await call(grant));

  await clock.set(later(midnight, { minutes: 10 }));
  grant = await refreshed(grant);
  const refused = await call(grant);
  expectRefusal(refused, 429, "ACCESS_EXCEEDED");
  const hours = Number(refused.headers["retry-after"]) / 3_600;
  expect(hours).toBeGreaterThan(23.6);
  expect(hours).toBeLessThan(23.7);
  granted(await tpp.bank.accounts(grant));

  await clock.set(later(midnight, { days: 1, minutes: -9 }));
  grant = await refreshed(grant);
  granted(await call(grant));
});

test.describe("a funds consent", () => {
  test("a funds consent ends with the last local day of its card, and its refresh token with it", async ({
    tpp,
    psuByForms: psu,
    clock,
  }) => {
    const cardExpiryDate = bankDayAt(clock.now(), 30);
    const grant = await authoriseFunds({ tpp, psu }, { cardExpiryDate });
    const end = startOfBankDay(bankDayAt(clock.now(), 31));
    await clock.set(later(end, { minutes: -2 }));
    const token = await grant.asked.server.refresh(String(grant.token.refreshToken));
    const permission = { ...grant, accessToken: token.accessToken };
    expect(granted(await tpp.bank.confirmFunds(permission, fundsQuestion()))).toEqual({
      fundsAvailable: true,
    });
    await clock.set(end);
    const late = await tpp.bank.confirmFunds(permission, fundsQuestion());
    expectRefusal(late, 401, "CONSENT_EXPIRED");
    const { consentStatus } = granted(await tpp.bank.fundsConsentStatus(grant.consentId));
    expect(consentStatus).toBe("expired");
    await expect(grant.asked.server.refresh(String(token.refreshToken))).rejects.toThrow();
  });

  test("a funds consent without a card's end answers after a year, as long as the TPP goes on asking", async ({
    tpp,
    psuByForms: psu,
    clock,
  }) => {
    const grant = await authoriseFunds({ tpp, psu });
    let { refreshToken } = grant.token;
    let accessToken = grant.accessToken;
    for (let half = 0; half < 2; half += 1) {
      await clock.advance("P179D");
      const token = await grant.asked.server.refresh(String(refreshToken));
      ({ accessToken, refreshToken } = token);
    }
    const permission = { consentId: grant.consentId, accessToken };
    expect(granted(await tpp.bank.confirmFunds(permission, fundsQuestion()))).toEqual({
      fundsAvailable: true,
    });
  });

  test("checks that were used up come back, one a minute", async ({
    tpp,
    psuByForms: psu,
    clock,
  }) => {
    const grant = await authoriseFunds({ tpp, psu });
    const ask = () => tpp.bank.confirmFunds(grant, fundsQuestion());
    await Promise.all(Array.from({ length: 20 }, ask));
    const refused = await ask();
    expectRefusal(refused, 429, "ACCESS_EXCEEDED");
    await clock.advance(`PT${refused.headers["retry-after"]}S`);
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(429);
  });
});

test("the PSU has 15 minutes from the creation of the consent: 14:30 and 15:01", async ({
  tpp,
  psu,
  clock,
}) => {
  await clock.set(START);
  const asked = await tpp.ask(recurring());
  const created = clock.now();
  await clock.set(later(START, { minutes: 12 }));
  await psu.open(asked.request.url);
  await psu.signIn("ana");
  await psu.chooseAll();
  const code = await psu.codeFor("ana", tpp.name);
  const states = async () => ({
    ...granted(await tpp.bank.consentStatus(asked.consentId)),
    ...granted(await tpp.bank.scaStatus(asked.consentId, asked.authorisationId)),
  });
  await clock.set(later(START, { minutes: 14, seconds: 30 }));
  expect(await states()).toEqual({ consentStatus: "received", scaStatus: "started" });

  await clock.set(later(created, { minutes: 15, seconds: 1 }));
  await psu.confirm(code);
  await expect(psu.wayBack).toBeVisible();
  const camera = cameraFor("late", psu.page);
  await camera.take("expired");
  expect(camera.left()).toEqual([]);
  expect(await states()).toEqual({ consentStatus: "rejected", scaStatus: "failed" });
});

test("RTS 4(3)(d): the PSU's session ends after 5 minutes without activity: 4:30 and 5:01", async ({
  tpp,
  psu,
  clock,
}) => {
  await clock.set(START);
  const asked = await tpp.ask(recurring());
  await psu.open(asked.request.url);
  await psu.signIn("ana");
  await expect(psu.fields.accounts.first()).toBeVisible();
  const look = async () => (await psu.page.request.get(psu.page.url())).text();
  const active = later(START, { minutes: 1 });
  await clock.set(active);
  expect(await look()).toContain("Choose the accounts to share");

  await clock.set(later(active, { minutes: 4, seconds: 30 }));
  expect(await look()).toContain("Choose the accounts to share");
  await clock.set(later(clock.now(), { minutes: 5, seconds: 1 }));
  expect(await look()).toContain("Sign in again");
});

test("the Date of a signature and the certificates are judged by the moved clock", async ({
  tpp,
  newTpp,
  organisation,
  clock,
}) => {
  const { consentId } = await tpp.ask();
  const real = await newTpp(organisation);
  granted(await real.bank.consentStatus(consentId));
  await clock.advance("P1D");
  granted(await tpp.bank.consentStatus(consentId));
  expectRefusal(await real.bank.consentStatus(consentId), 400, "TIMESTAMP_INVALID", "Date");
  const sentAt = (seconds: number) => {
    const date = later(clock.now(), { seconds }).toUTCString();
    return tpp.bank.consentStatus(consentId, { headers: { date } });
  };
  for (const seconds of [-290, 290]) granted(await sentAt(seconds));
  for (const seconds of [-310, 310]) {
    expectRefusal(await sentAt(seconds), 400, "TIMESTAMP_INVALID", "Date");
  }
  await clock.advance("P730D");
  expectRefusal(await tpp.bank.consentStatus(consentId), 401, "CERTIFICATE_EXPIRED");
});

for (const [where, days] of [
  ["a year and a half ahead", 550],
  ["half an hour back", -1 / 48],
] as const) {
  test(`the demo bank can be read with the clock ${where}`, async ({ tpp, authoriseAt }) => {
    const instant = later(new Date(), { days });
    const grant = await authoriseAt(instant, recurring(instant));
    const { accounts } = granted(await tpp.bank.accounts(grant, true));
    expect(accounts.length).toBeGreaterThan(1);
    for (const { resourceId } of accounts) {
      granted(await tpp.bank.balances(grant, resourceId));
      const query = { bookingStatus: "all", dateFrom: bankDayAt(instant, -90) } as const;
      granted(await tpp.bank.transactions(grant, resourceId, query));
    }
  });
}

test("while the clock is moved every page says so, and no page afterwards", async ({
  page,
  bank,
  clock,
  tpp,
  psu,
}) => {
  const notice = page.getByRole("complementary");
  const pages = ["/", "/sandbox/phone?psu=ana", "/authorise/ended?reason=gone"];
  await clock.set(new Date("2027-05-20T09:00:00Z"));
  for (const path of pages) {
    await page.goto(`${bank.webUrl}${path}`);
    await expect(notice).toHaveText("The sandbox’s clock is moved: it is 20 May 2027, 12:00.");
  }
  await clock.set(START);
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await expect(notice).toContainText("The sandbox’s clock is moved: it is ");
  await psu.signIn("ana");
  await expect(notice).toContainText(", 12:0");

  await clock.reset();
  for (const path of pages) {
    await page.goto(`${bank.webUrl}${path}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(notice).toHaveCount(0);
  }
});

test("P2: a page of another origin cannot move the clock", async ({ page, bank }) => {
  const url = `${bank.webUrl}/sandbox/clock`;
  await page.route("http://localhost:4999/**", (route) =>
    route.fulfill({ contentType: "text/html", body: "<p>elsewhere</p>" }),
  );
  await page.goto("http://localhost:4999/");
  const outcomes = await page.evaluate(async (target) => {
    const body = JSON.stringify({ advance: "P1D" });
    const json = { "content-type": "application/json" };
    const tries: readonly RequestInit[] = [
      { method: "PUT", headers: json, body },
      { method: "DELETE" },
      { method: "POST", mode: "no-cors", body },
    ];
    const isAllowed = async (init: RequestInit) => {
      const answer = await fetch(target, init).catch(() => undefined);
      return answer?.ok ?? false;
    };
    return Promise.all(tries.map(isAllowed));
  }, url);
  expect(outcomes).toEqual([false, false, false]);
  expect(await (await fetch(url)).json()).toMatchObject({ moved: false });
});

test("docs/time-travel.md: the command moves the clock as the page says", async ({
  bank,
  clock,
}) => {
  await clock.reset();
  const page = await readFile(join(import.meta.dirname, "../docs/time-travel.md"), "utf8");
  const [example, ...more] = pageExamples(page.replaceAll("http://localhost:3000", bank.webUrl));
  expect(more).toEqual([]);
  const { stdout } = await promisify(execFile)("bash", ["-c", String(example?.command)]);
  expect(withoutBlanks(stdout)).toMatch(example?.answer ?? "no example");
});
