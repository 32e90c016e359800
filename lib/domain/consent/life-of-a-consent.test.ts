import { describe, expect, it } from "vitest";
import { openConsent } from "../account-access/open-consent";
import { isUuid, type TppId } from "../identifiers";
import { inMemoryBank } from "../testing/in-memory-bank";
import { later, now, receivedConsent, tpp, validConsent } from "../testing/samples";
import { deleteAccountConsent } from "./delete-account-consent";
import { readAccountConsent, readConsentAuthorisation } from "./read-account-consent";

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
    const house = inMemoryBank();
    const asked = { recurringIndicator: false, frequencyPerDay: 1, validUntil: "2026-11-20" };
    const consent = await validConsent(house, asked);
    expect(await openConsent(house.ports, consent, later(9.99))).toMatchObject({ status: "valid" });
    await expect(openConsent(house.ports, consent, later(10))).rejects.toMatchObject({
      status: 401,
      faults: [{ code: "CONSENT_EXPIRED" }],
    });
  });

  it("recurring opens nothing any more 180 days after SCA without another", async () => {
    const house = inMemoryBank();
    const consent = await validConsent(house, { validUntil: "2027-12-31" });
    const days = (count: number) => later(count * 1_440);
    expect(await openConsent(house.ports, consent, days(179.99))).toMatchObject({
      status: "valid",
    });
    await expect(openConsent(house.ports, consent, days(180))).rejects.toMatchObject({
      status: 401,
      faults: [{ code: "CONSENT_EXPIRED" }],
    });
  });

  it("recurring opens nothing any more after the local day validUntil", async () => {
    const house = inMemoryBank();
    const consent = await validConsent(house, { validUntil: "2027-02-01" });
    const open = (at: string) => openConsent(house.ports, consent, new Date(at));
    expect(await open("2027-02-01T21:59:59Z")).toMatchObject({ status: "valid" });
    await expect(open("2027-02-01T22:00:00Z")).rejects.toMatchObject({
      faults: [{ code: "CONSENT_EXPIRED" }],
    });
  });

  it.each(["received", "rejected", "terminatedByTpp", "revokedByPsu"] as const)(
    "that is %s opens no account: CONSENT_INVALID",
    async (status) => {
      const house = inMemoryBank();
      const consent = { ...(await validConsent(house)), status };
      await expect(openConsent(house.ports, consent, now)).rejects.toMatchObject({
        status: 401,
        faults: [{ code: "CONSENT_INVALID" }],
      });
    },
  );

  it.each([receivedConsent, undefined])(
    "can be deleted while it is received or valid",
    async (make) => {
      const house = inMemoryBank();
      const { id } = make === undefined ? await validConsent(house) : await make(house.ports);
      await deleteAccountConsent(house.ports, of(id));
      expect(await readAccountConsent(house.ports, of(id))).toMatchObject({
        status: "terminatedByTpp",
      });
    },
  );

  it("that has ended is deleted without any change", async () => {
    const house = inMemoryBank();
    const { id } = await validConsent(house);
    await house.ports.consents.end({
      consentId: id,
      from: "valid",
      to: "expired",
      on: "2026-11-21" as never,
      at: now,
    });
    await deleteAccountConsent(house.ports, of(id));
    expect(await readAccountConsent(house.ports, of(id))).toMatchObject({ status: "expired" });
  });

  it("names an account by a resourceId that is opaque and belongs to this consent alone", async () => {
    const house = inMemoryBank();
    const [one, other] = [await validConsent(house), await validConsent(house)];
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
