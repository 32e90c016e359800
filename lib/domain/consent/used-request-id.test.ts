import { describe, expect, it } from "vitest";
import type { TppId } from "../identifiers";
import type { IsoDate } from "../iso-date";
import { inMemoryBank } from "../testing/in-memory-bank";
import { everything, newRequestId, now, tpp } from "../testing/samples";
import { createAccountConsent } from "./create-account-consent";

function opened() {
  const { bank, ports } = inMemoryBank();
  const create = (requestId = newRequestId(), tppId = tpp.id) =>
    createAccountConsent(ports, {
      tpp: { ...tpp, id: tppId },
      requestId,
      request: {
        requestedAccess: {},
        access: everything,
        recurringIndicator: true,
        validUntil: "2027-02-01" as IsoDate,
        frequencyPerDay: 4,
      },
      wayBack: { redirectUri: "https://tpp.example/cb" },
      now,
    });
  return { bank, create };
}

describe("the X-Request-ID of a consent", () => {
  it("S9: used again creates no consent: 400 FORMAT_ERROR", async () => {
    const { bank, create } = opened();
    const requestId = newRequestId();
    await create(requestId);
    await expect(create(requestId)).rejects.toMatchObject({
      status: 400,
      faults: [{ code: "FORMAT_ERROR", path: "X-Request-ID" }],
    });
    expect([bank.consents.size, bank.authorisations.size]).toEqual([1, 1]);
  });

  it("S9: is unique for its own TPP: another one, or another TPP's same one, is a new request", async () => {
    const { bank, create } = opened();
    const requestId = newRequestId();
    await create(requestId);
    await create(newRequestId());
    await create(requestId, "PSDDE-BAFIN-1" as TppId);
    expect(bank.consents.size).toBe(3);
  });
});
