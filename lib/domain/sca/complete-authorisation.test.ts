import { describe, expect, it } from "vitest";
import { opened, started } from "../testing/flow";
import { current, later, now } from "../testing/samples";
import { readBack } from "../testing/spelt-out";
import { cancelAuthorisation } from "./cancel-authorisation";
import { currentAuthorisation } from "./current-authorisation";

describe("the PSU authorises a consent", () => {
  it("login, selection and code make the consent valid with the selected accounts", async () => {
    const { bank, confirm, consent, authorisation } = await started();
    expect(await confirm("123456")).toEqual({ outcome: "finalised" });
    expect(await authorisation()).toMatchObject({ scaStatus: "finalised", failedAttempts: 0 });
    const made = bank.consents.get(consent.id);
    expect(made).toMatchObject({ status: "valid", psuId: "ana", authorisedAt: now });
    expect(made?.grantedAccounts.map(({ accountId }) => accountId)).toEqual([
      "current",
      "multi-eur",
    ]);
    expect(new Set(made?.grantedAccounts.map(({ resourceId }) => resourceId)).size).toBe(2);
  });

  it("the text says who may read how many accounts until when, and the code", async () => {
    const { bank } = await started();
    expect(readBack(bank.texts[0]?.text)).toEqual({
      code: "123456",
      tppName: "PSDRO-NBR-1234567",
      purpose: { kind: "AIS", accounts: 2, until: "2027-02-01" },
    });
  });

  it("the end of the 15 minute window fails it and rejects the consent", async () => {
    const { authorisation, status } = await started();
    expect(await authorisation(later(14.99))).toMatchObject({ scaStatus: "started" });
    expect(await authorisation(later(15))).toMatchObject({ scaStatus: "failed" });
    expect(status()).toBe("rejected");
  });

  it("cancelling rejects the consent; afterwards nothing moves any more", async () => {
    const { ports, authorisation, status, confirm, select } = await started();
    await cancelAuthorisation(ports, { authorisation: await authorisation(), now });
    expect(status()).toBe("rejected");
    expect(await confirm("123456")).toEqual({ outcome: "ended" });
    expect(await select(current.id)).toEqual({ outcome: "ended" });
  });

  it("cancelling after the yes changes nothing", async () => {
    const { ports, authorisation, status, confirm } = await started();
    await confirm("123456");
    await cancelAuthorisation(ports, { authorisation: await authorisation(), now });
    expect(status()).toBe("valid");
  });

  it("O1: the authorisation of another TPP's consent is not found", async () => {
    const { ports, consent } = await opened();
    const asked = {
      kind: "AIS",
      resourceId: consent.id,
      tppId: "PSDDE-BAFIN-1" as never,
      now,
    } as const;
    expect(await currentAuthorisation(ports, asked)).toBeUndefined();
  });
});
