import { describe, expect, it, vi } from "vitest";
import { textLimits } from "@/lib/domain/psu";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import { ana, now } from "@/lib/domain/testing/samples";
import { blockNotices } from "./block-notices";
import { desk } from "./testing/authorisation";
import { ownBrowser } from "./testing/own-channel";

function telling() {
  const { bank, ports } = inMemoryBank();
  const onFault = vi.fn();
  const { tell } = blockNotices(ports, { onFault });
  const told = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return bank.texts.map(({ psuId, text }) => `${psuId}: ${text}`);
  };
  return { bank, ports, tell, told, onFault };
}

describe("RTS 4(4): the customer is told of a block by text message", () => {
  it("in the language in which they last completed SCA, whoever causes it", async () => {
    const ours = await desk();
    await ownBrowser(ours, "ro").signIn();
    expect(ours.bank.languages.get(ana)).toBe("ro");
    const { bank, tell, told } = telling();
    bank.languages.set(ana, "ro");
    tell("ana", "blocked", now);
    tell("mihai", "warned", now);
    const [romanian, english] = await told();
    expect(romanian).toMatch(
      /^ana: Drawbridge Bank: după prea multe încercări .* blocată 15 minute/,
    );
    expect(english).toMatch(/^mihai: Drawbridge Bank: somebody who knows your password/);
  });

  it("although all codes of the hour were sent, and never more than a few", async () => {
    const { ports, tell, told } = telling();
    const limits = textLimits(ports.profile, now);
    while (await ports.textBudget.take(ana, limits, now));
    for (let times = 0; times < 9; times += 1) tell("ana", "blocked", now);
    expect(await told()).toHaveLength(3);
  });

  it("P11: and nobody waits for it, or is told, where nobody has the user ID", async () => {
    const { tell, told, onFault } = telling();
    expect(tell("nobody", "blocked", now)).toBeUndefined();
    expect(await told()).toEqual([]);
    expect(onFault).not.toHaveBeenCalled();
  });

  it("what cannot be sent is a fault for the log, and ends no sign-in", async () => {
    const { ports, tell, told, onFault } = telling();
    vi.spyOn(ports.psuDirectory, "findByUserId").mockRejectedValue(new Error("no database"));
    tell("ana", "blocked", now);
    await told();
    expect(onFault).toHaveBeenCalledOnce();
  });
});
