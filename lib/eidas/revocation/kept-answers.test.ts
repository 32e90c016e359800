import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { after } from "@/lib/domain/clock";
import { certificateLimits } from "../limits";
import { revocation } from "./revocation";
import { naming, startIssuer } from "./testing/issuer";
import { LIST, nothing, OCSP, startStubs } from "./testing/stub-places";

const now = new Date(Math.floor(Date.now() / 1_000) * 1_000);
const at = (seconds: number) => after(now, seconds, "second");
let stubs: Awaited<ReturnType<typeof startStubs>>;
beforeAll(async () => {
  stubs = await startStubs(now);
});
afterAll(() => stubs.issuer.close());

describe("C5: an answer is kept", () => {
  it("good: for ten minutes, however long its issuer lets it stand", async () => {
    const bank = stubs.house();
    bank.answers[OCSP] = stubs.goodOf(stubs.tpp, now);
    for (const seconds of [0, 1, 599])
      expect(await bank.told(stubs.tpp, at(seconds))).toBe("counts");
    expect(bank.asked).toHaveLength(1);
    bank.answers[OCSP] = stubs.revokedOf(stubs.tpp);
    expect(await bank.told(stubs.tpp, at(600))).toBe("revoked");
    expect(bank.asked).toHaveLength(2);
  });

  it("good: until it ends, if that is sooner; then an issuer that is silent leaves it unknown", async () => {
    const bank = stubs.house();
    bank.answers[OCSP] = stubs.goodOf(stubs.tpp, now, 60);
    expect(await bank.told(stubs.tpp, at(59))).toBe("counts");
    bank.answers[OCSP] = nothing;
    expect(await bank.told(stubs.tpp, at(59 + 60))).toBe("untold");
  });

  it("good: not past an hour that the clock was set back by", async () => {
    const bank = stubs.house();
    bank.answers[OCSP] = stubs.goodOf(stubs.tpp, now);
    expect(await bank.told(stubs.tpp, now)).toBe("counts");
    bank.answers[OCSP] = stubs.revokedOf(stubs.tpp);
    expect(await bank.told(stubs.tpp, at(-300))).toBe("counts");
    bank.answers[OCSP] = stubs.goodOf(stubs.tpp, at(-3_600));
    expect(await bank.told(stubs.tpp, at(-3_600))).toBe("counts");
    expect(bank.asked).toHaveLength(2);
  });

  it("unknown: for half a minute", async () => {
    const bank = stubs.house();
    expect(await bank.told(stubs.tpp)).toBe("untold");
    bank.answers[OCSP] = stubs.goodOf(stubs.tpp, now);
    expect(await bank.told(stubs.tpp, at(29))).toBe("untold");
    expect(bank.asked).toEqual([OCSP, LIST]);
    expect(await bank.told(stubs.tpp, at(30))).toBe("counts");
  });

  it("revoked: for good, whatever is said later and however many others come in between", async () => {
    const bank = stubs.house("soft");
    bank.answers[OCSP] = stubs.revokedOf(stubs.tpp);
    expect(await bank.told(stubs.tpp)).toBe("revoked");
    bank.answers[OCSP] = stubs.goodOf(stubs.tpp, at(86_400));
    bank.answers[LIST] = stubs.listOf(at(86_400));
    for (let one = 0; one <= certificateLimits.cachedCertificatesMax; one += 1) {
      await bank.told({ ...stubs.other, serialNumber: BigInt(one) }, at(86_400));
    }
    const asked = bank.asked.length;
    expect(await bank.told(stubs.tpp, at(86_400))).toBe("revoked");
    expect(bank.asked).toHaveLength(asked);
  });

  it("for calls at the same time: one asks, and all are told", async () => {
    for (const expected of ["counts", "revoked"]) {
      const bank = stubs.house();
      bank.answers[OCSP] =
        expected === "counts" ? stubs.goodOf(stubs.tpp, now) : stubs.revokedOf(stubs.tpp);
      const calls = Array.from({ length: 50 }, () => bank.told(stubs.tpp));
      expect(await Promise.all(calls)).toEqual(calls.map(() => expected));
      expect(bank.asked).toEqual([OCSP]);
    }
  });

  it("for calls at the same time when it has ended: one asks anew", async () => {
    const bank = stubs.house();
    bank.answers[OCSP] = stubs.goodOf(stubs.tpp, now);
    await bank.told(stubs.tpp);
    bank.answers[OCSP] = stubs.goodOf(stubs.tpp, at(700));
    const calls = Array.from({ length: 50 }, () => bank.told(stubs.tpp, at(700)));
    expect(await Promise.all(calls)).toEqual(calls.map(() => "counts"));
    expect(bank.asked).toEqual([OCSP, OCSP]);
  });

  it("for one while a slow responder still thinks about another", async () => {
    const bank = stubs.house();
    bank.answers[OCSP] = () => new Promise(() => undefined);
    const slow = Array.from({ length: 50 }, () => bank.told(stubs.tpp));
    const quick = "http://quick.example/";
    bank.answers[quick] = stubs.goodOf(stubs.other, now);
    expect(await bank.told(naming(stubs.other, { ocsp: [quick] }))).toBe("counts");
    expect(bank.asked).toEqual([OCSP, quick]);
    expect(slow).toHaveLength(50);
  });

  it("for each issuer on its own, though its certificate has the same number", async () => {
    const elsewhere = await startIssuer(now);
    const bank = stubs.house();
    bank.answers[OCSP] = stubs.revokedOf(stubs.tpp);
    expect(await bank.told(stubs.tpp)).toBe("revoked");
    const theirs = { certificate: stubs.tpp, issuer: elsewhere.certificate };
    expect(await bank.check(theirs, { hard: false, now })).toBe("untold");
    await elsewhere.close();
  });

  it("for each certificate on its own", async () => {
    const bank = stubs.house();
    bank.answers[OCSP] = stubs.revokedOf(stubs.tpp);
    expect(await bank.told(stubs.tpp)).toBe("revoked");
    bank.answers[OCSP] = stubs.goodOf(stubs.other, now);
    expect(await bank.told(stubs.other)).toBe("counts");
  });
});

describe("C5: a list is fetched", () => {
  it("once for all certificates that name it, at once or later, and anew after ten minutes", async () => {
    const bank = stubs.house();
    bank.answers[LIST] = stubs.listOf(now, stubs.other.serialNumber);
    const both = await Promise.all([bank.told(stubs.tpp), bank.told(stubs.other)]);
    expect(both).toEqual(["counts", "revoked"]);
    const third = { ...stubs.tpp, serialNumber: 3n };
    expect(await bank.told(third, at(599))).toBe("counts");
    expect(bank.asked.filter((url) => url === LIST)).toHaveLength(1);
    bank.answers[LIST] = stubs.listOf(
      at(600),
      stubs.other.serialNumber,
      stubs.tpp.serialNumber,
      3n,
    );
    expect(await bank.told(third, at(600))).toBe("revoked");
    expect(await bank.told(stubs.tpp, at(600))).toBe("revoked");
    expect(bank.asked.filter((url) => url === LIST)).toHaveLength(2);
  });

  it("by the next certificate when it did not come for one", async () => {
    const bank = stubs.house();
    expect(await bank.told(stubs.tpp)).toBe("untold");
    bank.answers[LIST] = stubs.listOf(now);
    expect(await bank.told(stubs.other)).toBe("counts");
  });

  it("for each issuer on its own, though they name one address", async () => {
    const elsewhere = await startIssuer(now);
    const theirs = naming(await elsewhere.tpp(), { crl: [LIST] });
    const lists = [stubs.listOf(now), stubs.listOf(now)];
    const { check } = revocation({
      mode: "hard",
      fetch: () => (lists.shift() ?? nothing)(),
      onFault: () => undefined,
    });
    await check(stubs.issued(naming(stubs.tpp, { crl: [LIST] })), { hard: false, now });
    const asked = check(
      { certificate: theirs, issuer: elsewhere.certificate },
      { hard: false, now },
    );
    expect(await asked).toBe("untold");
    await elsewhere.close();
  });
});
