import { describe, expect, it } from "vitest";
import { aspspProfile } from "@/lib/testing-profile";
import {
  type ApprovalApp,
  type ApprovalRequest,
  askInApp,
  collectApproval,
  completeApproval,
  identifyByProvider,
  openApproval,
} from "./identity-provider";
import { takeAttempt } from "./psu-attempts";
import { inMemoryBank } from "./testing/in-memory-bank";
import { openedConsent } from "./testing/journeys";
import { ana, current, later, multiEur, now, readBack, speltOut } from "./testing/samples";
import { type IsoDate, type PsuId, sha256 } from "./values";

const identified = { customerId: ana, idToken: "token", acr: "sca", authTime: now };
type Answer = Awaited<ReturnType<ApprovalApp["answerTo"]>>;

/** Ana, signed in at the provider, and an app that answers what a test wants. */
async function signedIn(at = inMemoryBank(), approvedDetailsReturned = true) {
  const flow = await openedConsent(undefined, at);
  const asked: ApprovalRequest[] = [];
  let questions = 0;
  const app: { answer: Answer; reachable: boolean } = {
    answer: { outcome: "approved", identified },
    reachable: true,
  };
  const approvalApp: ApprovalApp = {
    ask: async (request) => {
      asked.push(request);
      const requestId = `request ${asked.length}`;
      return app.reachable
        ? { outcome: "asked", requestId, pollSeconds: 5 }
        : { outcome: "provider-unavailable" };
    },
    answerTo: async () => {
      questions += 1;
      return app.answer;
    },
  };
  const profile = { ...aspspProfile, sca: { ...aspspProfile.sca, approvedDetailsReturned } };
  const ports = { ...flow.ports, profile, approvalApp };
  const authorisation = flow.authorisation;
  await identifyByProvider(ports, { authorisation: await authorisation(), identified, now });
  const ask = async (selection = [current.id], at = now) =>
    askInApp(ports, {
      authorisation: await authorisation(),
      selection,
      wording: speltOut,
      now: at,
    });
  const collect = async (at = later(1)) =>
    collectApproval(ports, { authorisation: await authorisation(at), now: at });
  /** As the app's customer approves what it was asked last. */
  const approve = (request = asked.at(-1), customerId = ana) => {
    app.answer = {
      outcome: "approved",
      identified: { ...identified, customerId, approvedHash: request?.hash },
    };
  };
  return { ...flow, ports, asked, questions: () => questions, app, ask, collect, approve };
}

describe("a customer who signs in at the identity provider", () => {
  it("is bound to the authorisation, and nobody else goes on from there", async () => {
    const { ports, authorisation } = await signedIn();
    expect((await authorisation()).psuId).toBe(ana);
    const other = { ...identified, customerId: "mihai" as PsuId };
    const given = { authorisation: await authorisation(), identified: other, now };
    expect(await identifyByProvider(ports, given)).toBe("another-psu");
  });

  it("takes no attempt, right or wrong", async () => {
    const { authorisation } = await signedIn();
    expect((await authorisation()).failedAttempts).toBe(0);
  });
});

describe("a yes in the bank's app", () => {
  it("finalises the consent with the accounts that were shown", async () => {
    const { ask, approve, collect, status } = await signedIn();
    expect(await ask([current.id, multiEur.id])).toEqual({ outcome: "app-asked" });
    approve();
    expect(await collect()).toEqual({ outcome: "finalised" });
    expect(status()).toBe("valid");
  });

  it("RTS 5(1): the app is told what it is asked for, with the reference that the page shows", async () => {
    const { ask, asked } = await signedIn();
    await ask();
    const { text, reference, customerId } = asked[0] ?? {};
    expect(readBack(text)).toMatchObject({ reference, purpose: { kind: "AIS", accounts: 1 } });
    expect(reference).toMatch(/^[2-9A-HJ-NP-Z]{4}$/);
    expect(customerId).toBe(ana);
  });

  it("I6: another customer's yes is none", async () => {
    const { ask, asked, approve, collect, status } = await signedIn();
    await ask();
    approve(asked[0], "mihai" as PsuId);
    expect(await collect()).toEqual({ outcome: "another-customer" });
    expect(status()).toBe("received");
  });

  it("I13: a yes to another selection of accounts is none", async () => {
    const { ask, asked, approve, collect, status } = await signedIn();
    await ask([current.id]);
    await ask([current.id, multiEur.id]);
    approve(asked[0]);
    expect(await collect()).toEqual({ outcome: "not-proved" });
    expect(status()).toBe("received");
  });

  it.each([
    ["also where the provider returns no details", false],
    ["and the provider returns what it was asked", true],
  ])("I13: a yes is none when what was asked for has changed since, %s", async (_how, returns) => {
    const { bank, ask, app, approve, collect, authorisation, status } = await signedIn(
      inMemoryBank(),
      returns,
    );
    await ask([current.id]);
    if (returns) approve();
    const asked = await authorisation();
    bank.authorisations.set(asked.id, { ...asked, selection: [current.id, multiEur.id] });
    expect(app.answer.outcome).toBe("approved");
    expect(await collect()).toEqual({ outcome: "changed" });
    expect(status()).toBe("received");
    expect((await authorisation()).approval).toBeUndefined();
    await ask([current.id, multiEur.id]);
    if (returns) approve();
    expect(await collect(later(2))).toEqual({ outcome: "finalised" });
  });

  it("I13: what the release before has asked for without a hash is judged by the details that come back", async () => {
    const { bank, ask, approve, collect, authorisation } = await signedIn();
    await ask([current.id]);
    approve();
    const { linkHash: _, ...asked } = await authorisation();
    bank.authorisations.set(asked.id, asked);
    expect(await collect()).toEqual({ outcome: "finalised" });
  });

  it("4(3)(b): ends the row of failures, as a right code does", async () => {
    const { bank, ports, authorisation, ask, approve, collect } = await signedIn();
    await ask();
    const attempt = { id: (await authorisation()).id, userId: ana, means: "code", now } as const;
    await takeAttempt(ports, attempt);
    expect(bank.psuFailures.size).toBe(1);
    approve();
    expect(await collect()).toEqual({ outcome: "finalised" });
    expect(bank.psuFailures.size).toBe(0);
  });

  it("a yes after five minutes is too late", async () => {
    const { ask, approve, collect } = await signedIn();
    await ask();
    approve();
    expect(await collect(later(5))).toEqual({ outcome: "approval-expired" });
  });

  it("a yes after the consent's last day authorises nothing, and the reason is the day", async () => {
    const { bank, consent, ask, approve, collect, authorisation, status } = await signedIn();
    await ask();
    approve();
    bank.consents.set(consent.id, { ...consent, validUntil: "2026-11-19" as IsoDate });
    expect(await collect()).toEqual({ outcome: "ended" });
    expect((await authorisation()).failedBecause).toBe("last-day-over");
    expect(status()).toBe("rejected");
  });

  it("is asked about no more often than the provider wishes", async () => {
    const { ask, collect, app } = await signedIn();
    await ask();
    app.answer = { outcome: "pending", pollSeconds: 5 };
    const answers = [later(0), later(0.1), later(0.11), later(0.2)].map((at) => collect(at));
    expect(await Promise.all(answers)).toEqual(Array(4).fill({ outcome: "app-pending" }));
  });

  it("after slow_down is asked about as much later as the provider says", async () => {
    const { ask, collect, app, questions } = await signedIn();
    await ask();
    app.answer = { outcome: "pending", pollSeconds: 60 };
    for (const at of [1, 1.5, 1.9, 2, 2.5]) await collect(later(at));
    expect(questions()).toBe(2);
  });

  const lastWords = ["approval-expired", "not-proved", "acr-too-low"] as const;

  it.each(lastWords)("%s is the last word: nothing waits in the app any more", async (outcome) => {
    const { ask, collect, app, authorisation, status } = await signedIn();
    await ask();
    app.answer = { outcome };
    expect(await collect()).toEqual({ outcome });
    expect((await authorisation()).approval).toBeUndefined();
    expect(status()).toBe("received");
  });

  it("the last word about an earlier request leaves a newer one, and a yes to it, alone", async () => {
    const { ports, ask, approve, collect, authorisation } = await signedIn();
    await ask();
    const answerTo: ApprovalApp["answerTo"] = async () => {
      await ask();
      return { outcome: "not-proved" };
    };
    const approvalApp = { ...ports.approvalApp, answerTo };
    const asked = { authorisation: await authorisation(), now: later(1) };
    expect(await collectApproval({ ...ports, approvalApp }, asked)).toEqual({
      outcome: "not-proved",
    });
    approve();
    expect(await collect(later(2))).toEqual({ outcome: "finalised" });
  });

  it("of two who are told at once, the one who is told nothing ends nothing", async () => {
    const { ports, ask, collect, app, authorisation } = await signedIn();
    await ask();
    app.answer = { outcome: "not-proved" };
    const notified = { authorisation: await authorisation(), isNotified: true, now: later(1) };
    await collectApproval(ports, notified);
    expect(await collect(later(1))).toEqual({ outcome: "app-pending" });
    expect((await authorisation()).approval).toBeDefined();
  });

  it("a no ends the authorisation", async () => {
    const { ask, collect, app, status } = await signedIn();
    await ask();
    app.answer = { outcome: "refused" };
    expect(await collect()).toEqual({ outcome: "refused" });
    expect(status()).toBe("rejected");
  });

  it("while the provider cannot be reached nothing changes, and the PSU may try again", async () => {
    const { ask, collect, approve, app, status } = await signedIn();
    app.reachable = false;
    expect(await ask()).toEqual({ outcome: "provider-unavailable" });
    app.reachable = true;
    await ask();
    app.answer = { outcome: "provider-unavailable" };
    expect(await collect()).toEqual({ outcome: "provider-unavailable" });
    expect(status()).toBe("received");
    approve();
    expect(await collect(later(2))).toEqual({ outcome: "finalised" });
  });

  it("an app that could not be asked costs no request, and the earlier one stands", async () => {
    const { ask, asked, app, approve, collect, authorisation } = await signedIn();
    await ask();
    app.reachable = false;
    for (let times = 0; times < 3; times += 1) {
      expect(await ask()).toEqual({ outcome: "provider-unavailable" });
    }
    expect((await authorisation()).codesSent).toBe(1);
    approve(asked[0]);
    expect(await collect()).toEqual({ outcome: "finalised" });
  });

  it("I11: what the provider may have sent after all is bounded: from a few on it counts", async () => {
    const { ask, app, authorisation } = await signedIn();
    app.reachable = false;
    const { codesUndeliveredMax, codesSentMax } = aspspProfile.sca;
    for (let times = 0; times < codesUndeliveredMax; times += 1) await ask();
    expect((await authorisation()).codesSent).toBe(0);
    for (let times = 0; times < codesSentMax; times += 1) await ask();
    expect(await ask()).toEqual({ outcome: "too-many-codes" });
  });

  it("the app is asked four times for one request", async () => {
    const { ask } = await signedIn();
    for (let times = 0; times < 4; times += 1) expect((await ask()).outcome).toBe("app-asked");
    expect(await ask()).toEqual({ outcome: "too-many-codes" });
  });

  it("I11: one customer's app is asked so many times an hour, over all requests", async () => {
    const bank = inMemoryBank();
    const outcomes: string[] = [];
    for (let requests = 0; requests < 6; requests += 1) {
      const { ask } = await signedIn(bank);
      for (let times = 0; times < 4; times += 1) outcomes.push((await ask()).outcome);
    }
    const { textsPerHourMax } = aspspProfile.sca;
    expect(outcomes.filter((outcome) => outcome === "app-asked")).toHaveLength(textsPerHourMax);
    expect(outcomes.slice(textsPerHourMax)).toEqual(Array(4).fill("too-many-texts"));
  });
});

describe("a yes at the identity provider's page", () => {
  it("counts for the challenge that it was led there with, and not for an earlier one", async () => {
    const { ports, authorisation, status } = await signedIn();
    await ports.authorisations.select((await authorisation()).id, [current.id], now);
    const open = async () =>
      openApproval(ports, {
        authorisation: await authorisation(),
        selection: [current.id],
        shown: await sha256(current.id),
        wording: speltOut,
        now,
      });
    const [earlier, opened] = [await open(), await open()];
    if (typeof earlier !== "object" || typeof opened !== "object") throw new Error("not opened");
    const complete = async (from: typeof opened) =>
      completeApproval(ports, {
        authorisation: await authorisation(),
        nonce: from.nonce,
        means: "oidc",
        identified: { ...identified, approvedHash: from.hash },
        now,
      });
    expect(await complete(earlier)).toEqual({ outcome: "approval-expired" });
    expect(await complete(opened)).toEqual({ outcome: "finalised" });
    expect(status()).toBe("valid");
  });
});
