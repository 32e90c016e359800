import { describe, expect, it } from "vitest";
import { setOptOut, settleRefusal } from "./opt-outs";
import { openedConsent, startedConsent } from "./testing/journeys";
import { ana, current, now, tpp } from "./testing/samples";
import type { TppId } from "./values";

const ofAnyTpp = { psuId: ana, kind: "accounts" } as const;

describe("a customer who refuses to be asked", () => {
  it("P16: an authorisation fails as soon as its customer has signed in, and not before", async () => {
    const { ports, authorisation, login, status } = await openedConsent();
    await setOptOut(ports, ofAnyTpp, now);
    const before = await authorisation();
    expect(await settleRefusal(ports, before, now)).toBe(before);
    await login("ana", "ana-sandbox");
    const settled = await settleRefusal(ports, await authorisation(), now);
    expect(settled).toMatchObject({ scaStatus: "failed", failedBecause: "opted-out" });
    expect(status()).toBe("rejected");
  });

  it("P16: refuses what they name and nothing else: the kind, and the TPP where there is one", async () => {
    const { bank, ports, authorisation } = await startedConsent();
    const asked = await authorisation();
    bank.optOuts.length = 0;
    for (const other of [
      { ...ofAnyTpp, kind: "payments" } as const,
      { ...ofAnyTpp, tppId: "PSDDE-BAFIN-1" as TppId },
      { ...ofAnyTpp, psuId: "mihai" as typeof ana },
    ]) {
      await ports.optOuts.set(other, now);
    }
    expect(await settleRefusal(ports, asked, now)).toBe(asked);
    await ports.optOuts.set({ ...ofAnyTpp, tppId: tpp.id }, now);
    expect(await settleRefusal(ports, asked, now)).toMatchObject({ failedBecause: "opted-out" });
  });

  it("keeps what they have confirmed before", async () => {
    const { ports, authorisation, confirm, status } = await startedConsent();
    await confirm("123456");
    await setOptOut(ports, ofAnyTpp, now);
    const decided = await authorisation();
    expect(await settleRefusal(ports, decided, now)).toBe(decided);
    expect(status()).toBe("valid");
  });

  it("says it once, of a TPP that the bank knows, and may change their mind", async () => {
    const { ports, authorisation, select, login } = await openedConsent();
    const unknown = { ...ofAnyTpp, tppId: "PSDXX-NONE-1" as TppId };
    expect(await setOptOut(ports, unknown, now)).toBe("unknown-tpp");
    expect(await setOptOut(ports, ofAnyTpp, now)).toBe("set");
    expect(await setOptOut(ports, ofAnyTpp, now)).toBe("set-already");
    expect(await ports.optOuts.end(ofAnyTpp, now)).toBe(true);
    expect(await ports.optOuts.end(ofAnyTpp, now)).toBe(false);
    await login("ana", "ana-sandbox");
    await select(current.id);
    const asked = await authorisation();
    expect(await settleRefusal(ports, asked, now)).toBe(asked);
  });
});
