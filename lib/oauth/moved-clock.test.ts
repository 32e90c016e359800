import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { AccountConsent } from "@/lib/domain/consents";
import { endByMachineTime } from "./adapter";
import {
  accepted,
  authorisationRequest,
  errorOf,
  open,
  testBrowser,
  tokenClient,
  tokensFrom,
  uidOf,
} from "./testing";

const MINUTE = 60;
const DAY = 1_440 * MINUTE;

let client: Awaited<ReturnType<typeof tokenClient>>;
beforeAll(async () => {
  client = await tokenClient();
});
afterAll(() => client.bank.close());

let machineSeconds = 0;
/** Time passes on the machine alone: the bank's clock is set back by as much. */
function passMachineTime(seconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + seconds * 1_000 });
  client.bank.passTime(-seconds, "second");
  machineSeconds += seconds;
}
afterEach(() => {
  vi.useRealTimers();
  client.bank.passTime(machineSeconds, "second");
  machineSeconds = 0;
});

/** The PSU's browser at the bank's pages, and what becomes of the request there. */
async function atTheBank() {
  const { bank, example } = client;
  const consent = await bank.consent(example.tpp);
  const browser = testBrowser();
  const page = await open(bank, authorisationRequest(example.tpp, consent), browser);
  const cookies = browser.cookiesFor(page.pathname);
  const { interactions } = bank.server;
  const read = () => interactions.read(uidOf(page), cookies);
  const accept = () => accepted(bank, page, cookies, consent);
  return { consent, read, accept, goOn: (onward: string) => open(bank, onward, browser) };
}

describe("what the bank keeps open, the library keeps open, however late it is on the machine", () => {
  it("an interaction and its acceptance", async () => {
    const { consent, read, accept, goOn } = await atTheBank();
    passMachineTime(31 * MINUTE);
    expect(await read()).toMatchObject({ resourceId: consent.id });
    await client.bank.finalise(consent);
    const onward = await accept();
    passMachineTime(31 * MINUTE);
    expect((await goOn(onward)).searchParams.get("code")).toBeTruthy();
  });

  it("a code", async () => {
    const { back } = await client.authorised();
    passMachineTime(61);
    expect((await client.redeem(back)).status).toBe(200);
  });

  it("a refresh token and the grant it stands on", async () => {
    const { tokens } = await client.redeemed();
    passMachineTime(200 * DAY);
    const rotated = await tokensFrom(await client.refresh(tokens));
    passMachineTime(200 * DAY);
    expect((await client.refresh(rotated)).status).toBe(200);
  });

  it("an access token, which says its end by the bank's clock", async () => {
    const { tokens } = await client.redeemed();
    const read = () => client.bank.server.accessTokens.read(tokens.access_token);
    const before = await read();
    passMachineTime(DAY);
    expect(await read()).toEqual(before);
    const bankNow = await client.bank.ports.clock.now();
    expect(before?.expiresAt.getTime()).toBeGreaterThan(bankNow.getTime());
  });
});

describe("what the bank's clock has ended is over, however early it is on the machine", () => {
  const endOf = async (
    model: string,
    { authorisationId }: Pick<AccountConsent, "authorisationId">,
  ) => {
    const [row] = await client.bank.sql<{ expires_at: string }[]>`
      select expires_at from oidc_payload
      where model = ${model} and account_id = ${authorisationId} and consumed_at is null`;
    return row === undefined ? undefined : Date.parse(row.expires_at);
  };

  it("an interaction ends after 180 minutes, and no acceptance prolongs it", async () => {
    const { consent, read, accept } = await atTheBank();
    await client.bank.finalise(consent);
    client.bank.passTime(100 * MINUTE, "second");
    await accept();
    client.bank.passTime(79 * MINUTE, "second");
    expect(await read()).toBeDefined();
    await accept();
    client.bank.passTime(MINUTE + 2, "second");
    expect(await read()).toBeUndefined();
    expect(await accept()).toContain("/authorise/ended?reason=gone");
  });

  it("O5: a code after 60 seconds, also when the clock was moved by days in between", async () => {
    const [one, other] = [
      await client.authorised({ recurringIndicator: false }),
      await client.authorised(),
    ];
    client.bank.passTime(61, "second");
    expect(await errorOf(await client.redeem(one.back))).toBe("400 invalid_grant");
    client.bank.passTime(30, "day");
    expect(await errorOf(await client.redeem(other.back))).toBe("400 invalid_grant");
    client.bank.passTime(-30, "day");
  });

  it("a refresh token after 180 days; a day before, it works and ends no later", async () => {
    const { consent, tokens } = await client.redeemed();
    const end = await endOf("RefreshToken", consent);
    client.bank.passTime(178, "day");
    const rotated = await tokensFrom(await client.refresh(tokens));
    const movedEnd = await endOf("RefreshToken", consent);
    expect(Math.abs(Number(movedEnd) - Number(end))).toBeLessThan(2_000);
    client.bank.passTime(3, "day");
    expect(await errorOf(await client.refresh(rotated))).toBe("400 invalid_grant");
    client.bank.passTime(-181, "day");
  });
});

it("set back after it was ahead: what was issued then stays valid until its own end", async () => {
  client.bank.passTime(30, "day");
  const { tokens } = await client.redeemed();
  const { back } = await client.authorised({ recurringIndicator: false });
  client.bank.passTime(-30, "day");
  expect((await client.redeem(back)).status).toBe(200);
  const rotated = await tokensFrom(await client.refresh(tokens));
  const read = await client.bank.server.accessTokens.read(rotated.access_token);
  const bankNow = await client.bank.ports.clock.now();
  // Issued after the clock was set back, so its fifteen minutes begin there.
  expect(Number(read?.expiresAt) - bankNow.getTime()).toBeLessThanOrEqual(900_000);
});

it("an expiry has not come by the machine's clock as long as a millisecond is left by the bank's", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-20T10:00:00.700Z") });
  const machine = Date.now();
  for (const now of [machine, machine + 365 * DAY * 1_000, machine - 365 * DAY * 1_000]) {
    const left = async (milliseconds: number) =>
      (await endByMachineTime(new Date(now + milliseconds), new Date(now))) - machine / 1_000;
    expect(await left(60_000)).toBeCloseTo(59.3);
    expect(await left(1)).toBeGreaterThan(0);
  }
});
