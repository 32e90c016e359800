import { describe, expect, it, vi } from "vitest";
import { textLimits } from "@/lib/domain/psu";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import { ana, now } from "@/lib/domain/testing/samples";
import { blockNotices } from "./block-notices";
import { bankWithConsent } from "./testing/authorisation";
import { ownBrowser } from "./testing/own-channel";

function notices() {
  const { bank, ports } = inMemoryBank();
  const onFault = vi.fn();
  const { tell } = blockNotices(ports, { onFault });
  const textsSent = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return bank.texts.map(({ psuId, text }) => `${psuId}: ${text}`);
  };
  return { bank, ports, tell, textsSent, onFault };
}

describe("RTS 4(4): the customer gets a text message about a block", () => {
  it("in the language in which they last completed SCA", async () => {
    const ours = await bankWithConsent();
    await ownBrowser(ours, "ro").signIn();
    expect(ours.bank.languages.get(ana)).toBe("ro");
    const { bank, tell, textsSent } = notices();
    bank.languages.set(ana, "ro");
    tell("ana", "blocked", now);
    tell("mihai", "warned", now);
    const [romanian, english] = await textsSent();
    expect(romanian).toMatch(
      /^ana: Drawbridge Bank: după prea multe încercări .* blocată timp de 15 minute/,
    );
    expect(english).toMatch(/^mihai: Drawbridge Bank: somebody who knows your password/);
  });

  it("although all codes of the hour were sent, and never more than a few", async () => {
    const { ports, tell, textsSent } = notices();
    const limits = textLimits(ports.profile, now);
    while (await ports.textBudget.take(ana, limits, now));
    for (let times = 0; times < 9; times += 1) tell("ana", "blocked", now);
    expect(await textsSent()).toHaveLength(3);
  });

  it("P11: no message and no delay for a user ID that nobody has", async () => {
    const { tell, textsSent, onFault } = notices();
    expect(tell("nobody", "blocked", now)).toBeUndefined();
    expect(await textsSent()).toEqual([]);
    expect(onFault).not.toHaveBeenCalled();
  });

  it("what cannot be sent is a fault for the log, and ends no sign-in", async () => {
    const { ports, tell, textsSent, onFault } = notices();
    vi.spyOn(ports.psuDirectory, "findByUserId").mockRejectedValue(new Error("no database"));
    tell("ana", "blocked", now);
    await textsSent();
    expect(onFault).toHaveBeenCalledOnce();
  });
});
