import { describe, expect, it } from "vitest";
import { revokeAccountConsent } from "../consent/revoke-account-consent";
import type { PsuId } from "../identifiers";
import type { IsoDate } from "../iso-date";
import { receivedFundsConsent, validFundsConsent } from "../testing/funds";
import { inMemoryBank } from "../testing/in-memory-bank";
import { ana, later, now, receivedConsent, validConsent } from "../testing/samples";
import { revokeFundsConsent } from "./revoke-funds-consent";

const mihai = "mihai" as PsuId;

describe("the PSU at the bank", () => {
  it("revokes a valid funds consent, once", async () => {
    const { bank, ports } = inMemoryBank();
    const { id } = await validFundsConsent({ bank, ports });
    expect(await revokeFundsConsent(ports, { id, psuId: ana, now })).toBe(true);
    expect(bank.fundsConsents.get(id)?.status).toBe("revokedByPsu");
    expect(await revokeFundsConsent(ports, { id, psuId: ana, now })).toBe(false);
  });

  it("revokes a valid account information consent, once", async () => {
    const { bank, ports } = inMemoryBank();
    const { id } = await validConsent({ bank, ports });
    expect(await revokeAccountConsent(ports, { id, psuId: ana, now })).toBe(true);
    expect(bank.consents.get(id)).toMatchObject({ status: "revokedByPsu" });
    expect(await revokeAccountConsent(ports, { id, psuId: ana, now })).toBe(false);
  });

  it("P1: cannot revoke what another PSU has authorised", async () => {
    const { bank, ports } = inMemoryBank();
    const funds = await validFundsConsent({ bank, ports });
    const accounts = await validConsent({ bank, ports });
    expect(await revokeFundsConsent(ports, { id: funds.id, psuId: mihai, now })).toBe(false);
    expect(await revokeAccountConsent(ports, { id: accounts.id, psuId: mihai, now })).toBe(false);
    expect(bank.fundsConsents.get(funds.id)?.status).toBe("valid");
    expect(bank.consents.get(accounts.id)?.status).toBe("valid");
  });

  it("cannot revoke what nobody has authorised, or what is unknown", async () => {
    const { ports } = inMemoryBank();
    const funds = await receivedFundsConsent({ ports });
    const accounts = await receivedConsent(ports);
    const unknown = crypto.randomUUID() as string as typeof funds.id;
    for (const id of [funds.id, accounts.id, unknown]) {
      expect(await revokeFundsConsent(ports, { id, psuId: ana, now })).toBe(false);
      expect(await revokeAccountConsent(ports, { id, psuId: ana, now })).toBe(false);
    }
  });

  it("finds what time has ended expired, not revoked", async () => {
    const { bank, ports } = inMemoryBank();
    const cardExpiryDate = "2026-11-20" as IsoDate;
    const funds = await validFundsConsent({ bank, ports }, { cardExpiryDate });
    const accounts = await validConsent({ bank, ports }, { validUntil: "2026-11-20" });
    const at = later(1_440);
    expect(await revokeFundsConsent(ports, { id: funds.id, psuId: ana, now: at })).toBe(false);
    expect(await revokeAccountConsent(ports, { id: accounts.id, psuId: ana, now: at })).toBe(false);
    expect(bank.fundsConsents.get(funds.id)?.status).toBe("expired");
    expect(bank.consents.get(accounts.id)?.status).toBe("expired");
  });
});
