import { describe, expect, it } from "vitest";
import { aspspProfile } from "@/lib/testing-profile";
import {
  type ConsentStatus,
  consentIsFinal,
  consentMayBecome,
  consentTransitions,
  deleteAccountConsent,
  endOfConsent,
  openConsent,
  readAccountConsent,
  readConsentAuthorisation,
  settleValidUntil,
  validUntilFault,
} from "./consents";
import { inMemoryBank } from "./testing/in-memory-bank";
import { later, newRequestId, now, receivedConsent, tpp, validConsent } from "./testing/samples";
import { type IsoDate, isUuid, type TppId } from "./values";

const of = (id: Awaited<ReturnType<typeof receivedConsent>>["id"], at = now) => ({
  id,
  tppId: tpp.id,
  now: at,
});

describe("an account information consent", () => {
  it("is received when it is created, with its authorisation", async () => {
    const { ports } = inMemoryBank();
    const consent = await receivedConsent(ports);
    expect(consent).toMatchObject({ status: "received", lastActionDate: "2026-11-20" });
    const asked = { ...of(consent.id), authorisationId: consent.authorisationId };
    expect(await readConsentAuthorisation(ports, asked)).toMatchObject({ scaStatus: "received" });
  });

  it("O1: of another TPP is as unknown as one that does not exist", async () => {
    const { ports } = inMemoryBank();
    const { id } = await receivedConsent(ports);
    const foreign = readAccountConsent(ports, { ...of(id), tppId: "PSDDE-BAFIN-1" as TppId });
    const unknown = readAccountConsent(ports, of(crypto.randomUUID() as typeof id));
    const [one, other] = await Promise.allSettled([foreign, unknown]);
    expect(one).toMatchObject({ reason: { status: 403, faults: [{ code: "CONSENT_UNKNOWN" }] } });
    expect(one).toEqual(other);
  });

  it("is rejected when no SCA took place within 15 minutes", async () => {
    const { ports } = inMemoryBank();
    const { id } = await receivedConsent(ports);
    const before = await readAccountConsent(ports, of(id, later(14.99)));
    expect(before.status).toBe("received");
    expect(await readAccountConsent(ports, of(id, later(15)))).toMatchObject({
      status: "rejected",
    });
  });

  it("one-off expires 10 minutes after SCA", async () => {
    const world = inMemoryBank();
    const asked = { recurringIndicator: false, frequencyPerDay: 1, validUntil: "2026-11-20" };
    const consent = await validConsent(world, asked);
    expect(await openConsent(world.ports, consent, later(9.99))).toMatchObject({
      status: "valid",
    });
    await expect(openConsent(world.ports, consent, later(10))).rejects.toMatchObject({
      status: 401,
      faults: [{ code: "CONSENT_EXPIRED" }],
    });
  });

  it("recurring opens nothing any more 180 days after SCA without another", async () => {
    const world = inMemoryBank();
    const consent = await validConsent(world, { validUntil: "2027-12-31" });
    const days = (count: number) => later(count * 1_440);
    expect(await openConsent(world.ports, consent, days(179.99))).toMatchObject({
      status: "valid",
    });
    await expect(openConsent(world.ports, consent, days(180))).rejects.toMatchObject({
      status: 401,
      faults: [{ code: "CONSENT_EXPIRED" }],
    });
  });

  it("recurring opens nothing any more after the local day validUntil", async () => {
    const world = inMemoryBank();
    const consent = await validConsent(world, { validUntil: "2027-02-01" });
    const open = (at: string) => openConsent(world.ports, consent, new Date(at));
    expect(await open("2027-02-01T21:59:59Z")).toMatchObject({ status: "valid" });
    await expect(open("2027-02-01T22:00:00Z")).rejects.toMatchObject({
      faults: [{ code: "CONSENT_EXPIRED" }],
    });
  });

  it.each([
    ["by time", 181, /^this consent has expired; the PSU has to authorise a new one$/],
    ["by a newer one", 1, /newer consent/],
  ])("that has expired %s says so", async (_how, days, text) => {
    const world = inMemoryBank();
    const consent = { ...(await validConsent(world)), status: "expired" as const };
    await expect(openConsent(world.ports, consent, later(days * 1_440))).rejects.toMatchObject({
      status: 401,
      faults: [{ code: "CONSENT_EXPIRED", text: expect.stringMatching(text) }],
    });
  });

  it.each(["received", "rejected", "terminatedByTpp", "revokedByPsu"] as const)(
    "that is %s opens no account: CONSENT_INVALID",
    async (status) => {
      const world = inMemoryBank();
      const consent = { ...(await validConsent(world)), status };
      await expect(openConsent(world.ports, consent, now)).rejects.toMatchObject({
        status: 401,
        faults: [{ code: "CONSENT_INVALID" }],
      });
    },
  );

  it.each([receivedConsent, undefined])(
    "can be deleted while it is received or valid",
    async (make) => {
      const world = inMemoryBank();
      const { id } = make === undefined ? await validConsent(world) : await make(world.ports);
      await deleteAccountConsent(world.ports, { ...of(id), requestId: newRequestId() });
      expect(await readAccountConsent(world.ports, of(id))).toMatchObject({
        status: "terminatedByTpp",
      });
    },
  );

  it("that has ended is deleted without any change", async () => {
    const world = inMemoryBank();
    const { id } = await validConsent(world);
    await world.ports.consents.end({
      consentId: id,
      from: "valid",
      to: "expired",
      on: "2026-11-21" as never,
      at: now,
    });
    await deleteAccountConsent(world.ports, { ...of(id), requestId: newRequestId() });
    expect(await readAccountConsent(world.ports, of(id))).toMatchObject({ status: "expired" });
  });

  it("names an account by a resourceId that is opaque and belongs to this consent alone", async () => {
    const world = inMemoryBank();
    const [one, other] = [await validConsent(world), await validConsent(world)];
    const ids = [one, other].flatMap(({ grantedAccounts }) => grantedAccounts);
    expect(new Set(ids.map(({ accountId }) => accountId)).size).toBe(1);
    expect(new Set(ids.map(({ resourceId }) => resourceId)).size).toBe(2);
    for (const { resourceId } of ids) expect(isUuid(resourceId)).toBe(true);
  });

  it("another authorisation than its own is unknown", async () => {
    const { ports } = inMemoryBank();
    const one = await receivedConsent(ports);
    const other = await receivedConsent(ports);
    const asked = { ...of(one.id), authorisationId: other.authorisationId };
    await expect(readConsentAuthorisation(ports, asked)).rejects.toMatchObject({
      status: 404,
      faults: [{ code: "RESOURCE_UNKNOWN" }],
    });
  });
});

const today = "2026-11-20" as IsoDate;
const fault = (recurringIndicator: boolean, validUntil: string) =>
  validUntilFault({ recurringIndicator, validUntil: validUntil as IsoDate }, today, aspspProfile);

describe("validUntil", () => {
  it("of a recurring consent is at most 180 days ahead", () => {
    expect(fault(true, "2027-05-19")).toBeUndefined();
    expect(fault(true, "2027-05-20")).toContain("at most 180 days");
  });

  it("B7: of a recurring consent is not in the past", () => {
    expect(fault(true, "2026-11-20")).toBeUndefined();
    expect(fault(true, "2026-11-19")).toContain("in the past");
  });

  it("counts leap days", () => {
    const on = (day: string, validUntil: string) =>
      validUntilFault(
        { recurringIndicator: true, validUntil: validUntil as IsoDate },
        day as IsoDate,
        aspspProfile,
      );
    expect(on("2027-12-01", "2028-05-29")).toBeUndefined();
    expect(on("2027-12-01", "2028-05-30")).toContain("at most 180 days");
    expect(on("2026-12-01", "2027-05-30")).toBeUndefined();
    expect(on("2026-12-01", "2027-05-31")).toContain("at most 180 days");
  });

  it("of a one-off consent is today's date", () => {
    expect(fault(false, "2026-11-20")).toBeUndefined();
    expect(fault(false, "2026-11-21")).toContain("today only");
    expect(fault(false, "2026-11-19")).toContain("in the past");
  });

  it.each([
    [true, "2027-05-19"],
    [false, "2026-11-20"],
  ])("9999-12-31 is shortened (recurring %s: %s)", (recurringIndicator, expected) => {
    const asked = { recurringIndicator, validUntil: "9999-12-31" as IsoDate };
    expect(validUntilFault(asked, today, aspspProfile)).toBeUndefined();
    const settled = settleValidUntil(asked, today, aspspProfile);
    expect(settled).toEqual({ validUntil: expected, shortened: true });
  });
});

describe("the end of a consent", () => {
  const end = (recurringIndicator: boolean, validUntil: string, authorisedAt: string) =>
    endOfConsent(
      { recurringIndicator, validUntil: validUntil as IsoDate },
      new Date(authorisedAt),
      aspspProfile,
    ).toISOString();

  it("recurring: the end of the local day validUntil", () => {
    expect(end(true, "2027-02-01", "2026-11-20T10:00:00Z")).toBe("2027-02-01T22:00:00.000Z");
  });

  it("recurring: 180 days after SCA when that is first", () => {
    expect(end(true, "2027-06-30", "2026-11-20T10:00:00Z")).toBe("2027-05-19T10:00:00.000Z");
  });

  it.each([
    ["of 23 hours", "2027-03-28", "2027-03-28T21:00:00.000Z"],
    ["before one of 23 hours", "2027-03-27", "2027-03-27T22:00:00.000Z"],
    ["of 25 hours", "2026-10-25", "2026-10-25T22:00:00.000Z"],
    ["before one of 25 hours", "2026-10-24", "2026-10-24T21:00:00.000Z"],
    ["that leap years have", "2028-02-29", "2028-02-29T22:00:00.000Z"],
    ["after which the year changes", "2026-12-31", "2026-12-31T22:00:00.000Z"],
  ])("recurring: the end of a local day %s", (_what, validUntil, expected) => {
    const authorisedAt = new Date(Date.parse(expected) - 30 * 86_400_000).toISOString();
    expect(end(true, validUntil, authorisedAt)).toBe(expected);
  });

  it("180 days are 180 times 24 hours, whatever the clocks do in between", () => {
    expect(end(true, "2027-12-31", "2026-10-20T12:00:00Z")).toBe("2027-04-18T12:00:00.000Z");
    expect(end(true, "2028-12-31", "2027-12-01T12:00:00Z")).toBe("2028-05-29T12:00:00.000Z");
  });

  it("one-off: 10 minutes after SCA", () => {
    expect(end(false, "2026-11-20", "2026-11-20T10:00:00Z")).toBe("2026-11-20T10:10:00.000Z");
  });
});

const statuses = Object.keys(consentTransitions) as ConsentStatus[];

describe("states of an account information consent", () => {
  it.each([
    ["received", ["valid", "rejected", "terminatedByTpp"]],
    ["valid", ["expired", "revokedByPsu", "terminatedByTpp"]],
    ["rejected", []],
    ["expired", []],
    ["revokedByPsu", []],
    ["terminatedByTpp", []],
  ] as const)("%s can become %j and nothing else", (from, to) => {
    expect(statuses.filter((status) => consentMayBecome(from, status)).sort()).toEqual(
      [...to].sort(),
    );
  });

  it("a consent that has ended stays as it ended", () => {
    expect(statuses.filter(consentIsFinal)).toEqual([
      "rejected",
      "expired",
      "revokedByPsu",
      "terminatedByTpp",
    ]);
  });
});
