import { describe, expect, it } from "vitest";
import { judgeAssertion } from "./passkeys";
import { authenticator, enrolled } from "./testing/authenticator";
import { inMemoryBank } from "./testing/in-memory-bank";
import { ana, later, now } from "./testing/samples";

const challenge = "a-challenge-that-somebody-has-made";

async function known() {
  const { bank, ports } = inMemoryBank();
  const { device, passkey } = await enrolled(ports, ana);
  const judge = (assertion = device.use(challenge), at = now) =>
    judgeAssertion(ports, { psuId: ana, assertion, challenge, now: at });
  return { bank, ports, device, passkey, judge };
}

describe("a passkey that has signed", () => {
  it("is kept with its counter and the time", async () => {
    const { bank, passkey, judge } = await known();
    expect(await judge(undefined, later(1))).toBeDefined();
    expect(bank.passkeys.get(passkey.id)).toMatchObject({ counter: 2, lastUsedAt: later(1) });
  });

  it("is handed on as it was given, with the key that made it", async () => {
    const { device, passkey, judge } = await known();
    const { clientDataJson, authenticatorData, signature } = device.use(challenge);
    const { credentialId, publicKey } = passkey;
    const given = { credentialId, clientDataJson, authenticatorData, signature };
    expect(await judge(given)).toEqual({ ...given, publicKey });
  });

  it("counts once, when the same signature is judged five times at once", async () => {
    const { device, judge } = await known();
    const assertion = device.use(challenge);
    const verdicts = await Promise.all([1, 2, 3, 4, 5].map(() => judge(assertion)));
    expect(verdicts.filter(Boolean)).toHaveLength(1);
  });

  it("counts for nothing when it is removed while it is judged", async () => {
    const { ports, passkey, judge } = await known();
    const verdict = judge();
    await ports.passkeys.remove(passkey.id, ana, now);
    expect(await verdict).toBeUndefined();
  });

  it("counts for nothing when it has signed something else, or is unknown", async () => {
    const { device, judge } = await known();
    expect(await judge(device.use("another"))).toBeUndefined();
    expect(await judge(authenticator().use(challenge))).toBeUndefined();
  });
});
