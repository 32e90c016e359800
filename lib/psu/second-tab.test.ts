import { describe, expect, it } from "vitest";
import {
  atSummary,
  bankWithConsent,
  browser,
  interactionOf,
  locationOf,
  sampleUid,
  WEB_URL,
} from "./testing/authorisation";

describe("reload, back button, second tab", () => {
  it("P8: a second click on Confirm leads on as well, and makes no second consent", async () => {
    const { ours, psu } = await atSummary();
    const code = [["code", psu.lastCode()]] as const;
    await psu.send("confirm", code);
    expect(locationOf(await psu.send("confirm", code))).toBe(`/authorise/${sampleUid}`);
    expect(await psu.look()).toEqual({
      page: "continue",
      location: `${WEB_URL}/auth/${sampleUid}`,
    });
    expect(ours.bank.consents.size).toBe(1);
  });

  it("P8: the Confirm that another one has overtaken leads on as well", async () => {
    const { ours, psu } = await atSummary();
    const { finaliseAccountConsent } = ours.services.authorisations;
    const overtaken = async (decision: Parameters<typeof finaliseAccountConsent>[0]) => {
      await finaliseAccountConsent(decision);
      return false;
    };
    Object.assign(ours.services.authorisations, { finaliseAccountConsent: overtaken });
    const answer = await psu.enterCode();
    expect(locationOf(answer)).toBe(`${WEB_URL}/auth/${sampleUid}`);
  });

  it("P8: two Confirms at once both lead on", async () => {
    const { psu } = await atSummary();
    const code = [["code", psu.lastCode()]] as const;
    const answers = await Promise.all([psu.send("confirm", code), psu.send("confirm", code)]);
    for (const answer of answers) {
      expect([`${WEB_URL}/auth/${sampleUid}`, `/authorise/${sampleUid}`]).toContain(
        locationOf(answer),
      );
    }
    expect(await psu.look()).toMatchObject({ page: "continue" });
  });

  it("confirmed, and the server died before the answer: the page goes on by itself", async () => {
    const { ours, psu } = await atSummary();
    ours.change({ scaStatus: "finalised" });
    expect(await psu.look()).toMatchObject({ page: "continue" });
  });

  it("confirmed, and the TPP has withdrawn it since: the page says so and leads back", async () => {
    const { ours, psu } = await atSummary();
    const code = [["code", psu.lastCode()]] as const;
    await psu.send("confirm", code);
    const consent = ours.bank.consents.get(ours.consent.id);
    if (consent === undefined) throw new Error("no consent");
    ours.bank.consents.set(consent.id, { ...consent, status: "terminatedByTpp" });
    expect(await psu.look()).toMatchObject({ page: "no-longer-valid" });
    expect(locationOf(await psu.send("confirm", code))).toBe(`/authorise/${sampleUid}`);
    const answer = await psu.send("cancel");
    expect(new URL(locationOf(answer)).searchParams.get("error")).toBe("server_error");
  });

  it("withdrawn in the very moment of the PSU's yes: the page says so as well", async () => {
    const { ours, psu } = await atSummary();
    const { finaliseAccountConsent } = ours.services.authorisations;
    const withdrawn = async (decision: Parameters<typeof finaliseAccountConsent>[0]) => {
      const done = await finaliseAccountConsent(decision);
      const consent = ours.bank.consents.get(ours.consent.id);
      if (consent === undefined) throw new Error("no consent");
      ours.bank.consents.set(consent.id, { ...consent, status: "terminatedByTpp" });
      return done;
    };
    Object.assign(ours.services.authorisations, { finaliseAccountConsent: withdrawn });
    const answer = await psu.enterCode();
    expect(locationOf(answer)).toBe(`/authorise/${sampleUid}`);
    expect(await psu.look()).toMatchObject({ page: "no-longer-valid" });
  });

  it("P1: another open interaction on the same consent gets no code", async () => {
    const { ours, psu } = await atSummary();
    const first = ours.open.get(sampleUid);
    if (first === undefined) throw new Error("no interaction");
    ours.open.set("of-a-stranger", { ...first, uid: "of-a-stranger" });
    const stranger = browser(ours, "of-a-stranger");
    await psu.enterCode();
    expect(await stranger.look()).toMatchObject({ page: "already-confirmed" });
    const answer = await stranger.send("cancel");
    expect(new URL(locationOf(answer)).searchParams.get("error")).toBe("server_error");
    expect(ours.bank.consents.get(ours.consent.id)?.status).toBe("valid");
    expect(ours.calls).not.toContain("accept of-a-stranger");
  });

  it("P1: nor does a second one in the PSU's own browser, opened after the first was answered", async () => {
    const { ours, psu } = await atSummary();
    await psu.enterCode();
    ours.open.set("second", interactionOf(ours.consent, "second"));
    const second = browser(ours, "second");
    for (const [name, value] of psu.jar.cookies) {
      if (name === "drawbridge-psu") second.jar.cookies.set(name, value);
    }
    expect(await second.look()).toMatchObject({ page: "already-confirmed" });
  });

  it("a Cancel that Confirm has overtaken leads to the page, which leads on", async () => {
    const { ours, psu } = await atSummary();
    const overtaken = async () => {
      ours.change({ scaStatus: "finalised" });
      return false;
    };
    Object.assign(ours.services.authorisations, { fail: overtaken });
    expect(locationOf(await psu.send("cancel"))).toBe(`/authorise/${sampleUid}`);
    expect(ours.calls).toEqual([]);
    expect(await psu.look()).toMatchObject({ page: "continue" });
  });

  it("Cancel in a second tab after Confirm does not take the consent back", async () => {
    const { ours, psu } = await atSummary();
    ours.change({ scaStatus: "finalised" });
    const cancel = await psu.send("cancel");
    expect(new URL(locationOf(cancel)).searchParams.get("error")).toBe("server_error");
    expect(ours.authorisation().scaStatus).toBe("finalised");
  });

  it("an unknown, foreign or malformed link shows the same page", async () => {
    const ours = await bankWithConsent();
    const psu = browser(ours);
    psu.jar.cookies.set("_interaction", "of-somebody-else");
    expect(await psu.look()).toEqual({ page: "unknown" });
    const asked: string[] = [];
    const read = async (link: string) => {
      asked.push(link);
      return undefined;
    };
    Object.assign(ours.services.interactions, { read });
    for (const link of ["", "../x", "a b", "x".repeat(200)]) {
      expect(await browser(ours, link).look()).toEqual({ page: "unknown" });
    }
    expect(asked).toEqual([]);
  });
});
