import { describe, expect, it } from "vitest";
import { ana, later, now, tpp } from "@/lib/domain/testing/samples";
import { atFunds, atPayment } from "./testing/at-payment";
import { atSummary, refusedAt, there } from "./testing/at-summary";
import { browser } from "./testing/browser";
import { type Desk, desk, uid } from "./testing/desk";
import { html, textOf } from "./testing/rendered";

/** The bank's staff, meanwhile. */
const block = ({ bank }: Desk, given: { readonly until?: Date } = {}) =>
  bank.blocked.set(tpp.id, { tppId: tpp.id, blockedAt: now, reason: "fraud", ...given });

const failed = { scaStatus: "failed", failedBecause: "tpp-blocked" };

const kinds = [
  ["an account consent", atSummary, "Nothing is shared with “Example TPP”."],
  ["a payment", atPayment, "Nothing was paid."],
  ["a funds consent", atFunds, "Nothing is shared with “Example TPP”."],
] as const;

describe.each(kinds)("C6: the TPP of %s is blocked before the PSU's yes", (_kind, at, nothing) => {
  it("the right code authorises nothing; a page says so, and not why", async () => {
    const { ours, psu } = await at();
    block(ours);
    expect(there(await psu.send("confirm", [["code", psu.lastCode()]]))).toBe(`/authorise/${uid}`);
    expect(ours.authorisation()).toMatchObject(failed);
    const view = await psu.look();
    expect(view).toMatchObject({ page: "tpp-blocked", decided: true });
    const said = textOf(html(view));
    expect(said).toContain("This request was stopped");
    expect(said).toContain("Drawbridge Bank does not accept requests from “Example TPP” now.");
    expect(said).toContain(nothing);
    expect(said).not.toContain("fraud");
    expect(ours.calls).toEqual([]);
  });

  it("the way back leads to the Nok URI with access_denied, also after the block", async () => {
    const { ours, psu } = await at({ nok: "https://tpp.example/nok" });
    block(ours);
    await psu.look();
    ours.bank.blocked.clear();
    expect(await psu.look()).toMatchObject({ page: "tpp-blocked" });
    expect(there(await psu.send("cancel"))).toBe(refusedAt("/nok"));
    expect(ours.calls).toEqual([`refuse ${uid}`]);
  });

  it("no other code is sent", async () => {
    const { ours, psu } = await at();
    const sent = ours.bank.texts.length;
    block(ours);
    await psu.send("code");
    expect(ours.bank.texts).toHaveLength(sent);
    expect(await psu.look()).toMatchObject({ page: "tpp-blocked" });
  });

  it("a block that is over stops nothing", async () => {
    const { ours, psu } = await at();
    block(ours, { until: now });
    await psu.send("confirm", [["code", psu.lastCode()]]);
    expect(ours.authorisation()).toMatchObject({ scaStatus: "finalised" });
  });

  it("what the PSU has confirmed before stays confirmed", async () => {
    const { ours, psu } = await at();
    await psu.send("confirm", [["code", psu.lastCode()]]);
    block(ours);
    expect(await psu.look()).toMatchObject({ page: "continue" });
    expect(ours.authorisation()).toMatchObject({ scaStatus: "finalised" });
  });
});

it("C6: nobody signs in for a blocked TPP, and no attempt is counted", async () => {
  const ours = await desk();
  const psu = browser(ours);
  await psu.look();
  block(ours);
  await psu.send("login", [
    ["userId", "ana"],
    ["password", "ana-sandbox"],
  ]);
  expect(await psu.look()).toMatchObject({ page: "tpp-blocked" });
  expect(ours.authorisation().psuId).toBeUndefined();
  expect(ours.bank.psuFailures.size).toBe(0);
});

it("C6: a block that comes between the page and the database: the page says so", async () => {
  const { ours, psu } = await atPayment();
  const { finalisePayment: _, ...others } = ours.house.authorisations;
  const finalisePayment = async () => {
    block(ours, { until: later(5) });
    return "too-late" as const;
  };
  Object.assign(ours.house.authorisations, { ...others, finalisePayment });
  expect(there(await psu.send("confirm", [["code", psu.lastCode()]]))).toBe(`/authorise/${uid}`);
  expect(await psu.look()).toMatchObject({ page: "tpp-blocked" });
  expect(ours.authorisation()).toMatchObject({ ...failed, psuId: ana });
  // The code was right: it costs the PSU no attempt.
  expect([...ours.bank.psuFailures.values()].map(({ failures }) => failures)).toEqual([0]);
});
