import { describe, expect, it } from "vitest";
import { aspspProfile } from "../aspsp-profile";
import { currentConsent } from "../consent/current-consent";
import { opened } from "../testing/flow";
import { later } from "../testing/samples";
import { cancelAuthorisation } from "./cancel-authorisation";
import { extendWindow } from "./extend-window";

async function waiting() {
  const flow = await opened();
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
    await cancelAuthorisation(ports, { authorisation: await authorisation(), now: later(1) });
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
