import { describe, expect, it } from "vitest";
import { aspspProfile } from "@/lib/testing-profile";
import {
  extendWindow,
  failAuthorisation,
  isDecided,
  mayMove,
  type ScaStatus,
  scaTransitions,
  statesBefore,
} from "./authorisation";
import { currentConsent } from "./consents";
import { initiatePayment } from "./payments";
import type { InMemoryBank } from "./testing/in-memory-authorisations";
import { inMemoryBank } from "./testing/in-memory-bank";
import { asked, openedConsent, receivedFundsConsent } from "./testing/journeys";
import { later, newRequestId, receivedConsent, tpp } from "./testing/samples";
import type { TppId } from "./values";

const statuses = Object.keys(scaTransitions) as ScaStatus[];

describe("states of an authorisation", () => {
  it.each([
    ["received", ["psuAuthenticated", "failed"]],
    ["psuAuthenticated", ["started", "failed"]],
    ["started", ["started", "finalised", "failed"]],
    ["finalised", []],
    ["failed", []],
  ] as const)("%s can move to %j and nowhere else", (from, to) => {
    expect(statuses.filter((status) => mayMove(from, status)).sort()).toEqual([...to].sort());
  });

  it("finalised and failed are decided", () => {
    expect(statuses.filter(isDecided)).toEqual(["finalised", "failed"]);
  });

  it("finalised is reached from started only", () => {
    expect(statesBefore("finalised")).toEqual(["started"]);
  });
});

describe("an authorisation that begins with its resource", () => {
  const OPEN_MAX = 5_000;

  /** Copies of the one authorisation there is, until there are so many. */
  function haveOpen(bank: InMemoryBank, count: number): void {
    const [one] = bank.authorisations.values();
    if (one === undefined) throw new Error("nothing has started");
    for (let nth = bank.authorisations.size; nth < count; nth += 1) {
      bank.authorisations.set(String(nth), { ...one, requestId: newRequestId() });
    }
  }

  it("X17: with 5,000 authorisations of a TPP open the next is 429 ACCESS_EXCEEDED, whatever it is for, and says when to try again", async () => {
    const { bank, ports } = inMemoryBank();
    await receivedConsent(ports);
    haveOpen(bank, OPEN_MAX - 1);
    const payment = asked();
    const first = await initiatePayment(ports, payment);
    expect(first.status).toBe(201);
    const tooMany = {
      status: 429,
      faults: [{ code: "ACCESS_EXCEEDED" }],
      headers: { "retry-after": "60" },
    };
    await expect(receivedConsent(ports)).rejects.toMatchObject(tooMany);
    await expect(receivedFundsConsent({ ports })).rejects.toMatchObject(tooMany);
    await expect(initiatePayment(ports, asked())).rejects.toMatchObject(tooMany);
    expect(bank.authorisations.size).toBe(OPEN_MAX);
    expect(await initiatePayment(ports, payment)).toEqual(first);
    const other = { ...tpp, id: "PSDDE-BAFIN-1" as TppId };
    expect((await initiatePayment(ports, asked({ tpp: other }))).status).toBe(201);
  });
});

async function waiting() {
  const flow = await openedConsent();
  const more = async (minutes: number) => {
    const now = later(minutes);
    return extendWindow(flow.ports, { authorisation: await flow.authorisation(now), now });
  };
  return { ...flow, more };
}

describe("more time", () => {
  it("is a whole window from now on, as often as it is asked for", async () => {
    const { more } = await waiting();
    expect((await more(14)).expiresAt).toEqual(later(29));
    expect((await more(28)).expiresAt).toEqual(later(43));
  });

  it("WCAG 2.2.1: can be asked for ten times in the last minute, and more often before it", async () => {
    const { more } = await waiting();
    let end = later(aspspProfile.sca.windowMinutes);
    const ends = [];
    for (let times = 0; times < 10; times += 1) {
      const minutes = (end.getTime() - later(0).getTime()) / 60_000 - 1;
      end = (await more(minutes)).expiresAt;
      ends.push((end.getTime() - later(minutes).getTime()) / 60_000);
    }
    expect(ends).toEqual(Array.from({ length: 10 }, () => 15));
  });

  it("ends after 165 minutes all the same", async () => {
    const { more, authorisation } = await waiting();
    for (let minutes = 10; minutes < 165; minutes += 10) await more(minutes);
    expect((await more(164)).expiresAt).toEqual(later(165));
    expect(await authorisation(later(165))).toMatchObject({ failedBecause: "window-over" });
  });

  it("takes none away: who asks early keeps what was there", async () => {
    const { more } = await waiting();
    await more(5);
    expect((await more(2)).expiresAt).toEqual(later(20));
  });

  it("is none once the window is over, or the PSU has said no", async () => {
    const over = await waiting();
    expect(await over.more(15)).toMatchObject({ scaStatus: "failed", expiresAt: later(15) });
    const { more, ports, authorisation } = await waiting();
    await failAuthorisation(ports, {
      id: (await authorisation()).id,
      because: "cancelled",
      now: later(1),
    });
    expect(await more(2)).toMatchObject({ failedBecause: "cancelled", expiresAt: later(15) });
  });

  it("keeps the consent from being rejected when its TPP looks after the first end", async () => {
    const { more, ports, consent, status } = await waiting();
    await more(14);
    await currentConsent(ports, consent, later(20));
    expect(status()).toBe("received");
    await currentConsent(ports, consent, later(29));
    expect(status()).toBe("rejected");
  });

  it("a session and an interaction last as long as the longest window", () => {
    const { sessionMinutes, windowMinutesMax } = aspspProfile.sca;
    expect(sessionMinutes).toBeGreaterThanOrEqual(windowMinutesMax);
  });
});
