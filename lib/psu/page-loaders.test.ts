import { describe, expect, it } from "vitest";
import type { ClockReading } from "@/lib/domain/values";
import { watchMissingPage } from "@/lib/missing-page";
import { aspspProfile } from "@/lib/testing-profile";
import { noticeOf, viewFor } from "./page-loaders";
import { bankWithConsent, browser, sampleUid } from "./testing/authorisation";
import type { Language } from "./texts/formats";
import { openVisit } from "./visit";

function noticeAt(reading: ClockReading | undefined, language: Language = "en") {
  if (reading === undefined)
    return noticeOf({ profile: aspspProfile, sandboxClock: undefined }, language);
  const read = async () => reading;
  const now = async () => reading.now;
  const clock = { now, read, moveTo: read, advance: read, reset: read };
  return noticeOf({ profile: aspspProfile, sandboxClock: clock }, language);
}

describe("the notice on the PSU's pages", () => {
  it("tells what the moved clock says, as a local day and time of the bank", async () => {
    const summer = { now: new Date("2027-05-20T09:00:00Z"), offsetMilliseconds: 1 };
    expect(await noticeAt(summer)).toBe("The sandbox’s clock is moved: it is 20 May 2027, 12:00.");
    const nextDay = { now: new Date("2026-12-31T22:05:00Z"), offsetMilliseconds: -1 };
    expect(await noticeAt(nextDay)).toBe(
      "The sandbox’s clock is moved: it is 1 January 2027, 00:05.",
    );
    expect(await noticeAt(nextDay, "ro")).toBe(
      "Ceasul mediului de testare este mutat: acum este 1 ianuarie 2027, 00:05.",
    );
  });

  it("is not there while the clock is the real one", async () => {
    expect(await noticeAt({ now: new Date("2027-05-20T09:00:00Z") })).toBeUndefined();
  });

  it("X11: is not there outside the sandbox", async () => {
    expect(await noticeAt(undefined)).toBeUndefined();
  });
});

describe("a PSU at the bank's pages while somebody moves the clock", () => {
  const YEAR = 525_600;

  it("forward: the request is over, and Cancel leads back to the TPP", async () => {
    const ours = await bankWithConsent();
    const psu = browser(ours);
    await psu.signIn();
    ours.wait(YEAR);
    expect(await psu.look()).toMatchObject({ page: "expired" });
    const response = await psu.send("cancel");
    expect(response.headers.get("location")).toBeTruthy();
    expect(ours.open.size).toBe(0);
  });

  it("back: nothing has ended, and they go on where they were", async () => {
    const ours = await bankWithConsent();
    const psu = browser(ours);
    await psu.signIn();
    ours.wait(-YEAR);
    expect(await psu.look()).toMatchObject({ page: "accounts" });
    expect(await psu.choose("current")).toMatchObject({ page: "summary" });
    await psu.enterCode();
    expect(ours.authorisation().scaStatus).toBe("finalised");
  });
});

it("RTS art. 35: a request that is over, or not this browser's, is 404; one that ended and leads back is not", async () => {
  const ours = await bankWithConsent();
  const statusOf = async (visit: Parameters<typeof viewFor>[0]) => {
    const state = { missing: false };
    const { page } = await watchMissingPage(state, () => viewFor(visit, undefined));
    return [page, state.missing];
  };
  const headers = new Headers({ cookie: `_interaction=${sampleUid}` });
  const arrive = async () => (await openVisit(ours.services, sampleUid, headers)) ?? "unknown";
  expect(await statusOf(await arrive())).toEqual(["login", false]);
  ours.wait(525_600);
  expect(await statusOf(await arrive())).toEqual(["expired", false]);
  ours.open.clear();
  expect(await statusOf(await arrive())).toEqual(["unknown", true]);
  expect(await statusOf("fault")).toEqual(["fault", false]);
});
