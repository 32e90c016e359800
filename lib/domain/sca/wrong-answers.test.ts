import { describe, expect, it } from "vitest";
import { opened, started } from "../testing/flow";
import { inMemoryBank } from "../testing/in-memory-bank";
import { current, later, multiEur, multiRon, now } from "../testing/samples";
import { speltOut } from "../testing/spelt-out";
import { sendNewCode } from "./open-challenge";

describe("wrong answers", () => {
  it("the same outcome for an unknown user ID and a wrong password", async () => {
    const unknown = await (await opened()).login("nobody", "x");
    const wrong = await (await opened()).login("ana", "x");
    expect(unknown).toEqual({ outcome: "wrong-credentials", attemptsLeft: 4 });
    expect(wrong).toEqual(unknown);
  });

  it("the fifth wrong password rejects the consent", async () => {
    const { login, status } = await opened();
    for (const attemptsLeft of [4, 3, 2, 1]) {
      expect(await login("ana", "wrong")).toEqual({ outcome: "wrong-credentials", attemptsLeft });
    }
    expect(await login("ana", "wrong")).toEqual({ outcome: "ended" });
    expect(status()).toBe("rejected");
    expect(await login("ana", "ana-sandbox")).toEqual({ outcome: "ended" });
  });

  it("P5: wrong passwords and wrong codes are counted together", async () => {
    const { login, select, confirm, status } = await opened();
    await login("ana", "wrong");
    await login("ana", "wrong");
    await login("ana", "ana-sandbox");
    await select(current.id);
    expect(await confirm("000000")).toEqual({ outcome: "wrong-code", attemptsLeft: 2 });
    expect(await confirm("000000")).toEqual({ outcome: "wrong-code", attemptsLeft: 1 });
    expect(await confirm("000000")).toEqual({ outcome: "ended" });
    expect(status()).toBe("rejected");
  });

  it("P1: another PSU cannot go on where one has logged in", async () => {
    const { login } = await opened();
    await login("ana", "ana-sandbox");
    expect(await login("mihai", "mihai-sandbox")).toEqual({ outcome: "another-psu" });
  });

  it("P1: another PSU's fifth try ends the authorisation as any other would", async () => {
    const { login, status } = await opened();
    await login("ana", "ana-sandbox");
    for (let tries = 0; tries < 4; tries += 1) {
      expect(await login("mihai", "mihai-sandbox")).toEqual({ outcome: "another-psu" });
    }
    expect(await login("mihai", "mihai-sandbox")).toEqual({ outcome: "ended" });
    expect(status()).toBe("rejected");
  });

  it("P6: a code is good for 5 minutes", async () => {
    const { confirm } = await started();
    expect(await confirm("123456", later(5))).toEqual({ outcome: "code-expired" });
    expect(await confirm("123456", later(4.99))).toEqual({ outcome: "finalised" });
  });

  it("P6: a code is used once", async () => {
    const { confirm } = await started();
    await confirm("123456");
    expect(await confirm("123456")).toEqual({ outcome: "ended" });
  });

  it("P6: a code stands for one authorisation: in another the very same digits are wrong", async () => {
    const at = inMemoryBank();
    const [one, other] = [await started(at), await started(at)];
    const { challenge } = await one.authorisation();
    const its = await other.authorisation();
    at.bank.authorisations.set(its.id, { ...its, ...(challenge && { challenge }) });
    expect(await other.confirm("123456")).toMatchObject({ outcome: "wrong-code" });
    expect(await one.confirm("123456")).toEqual({ outcome: "finalised" });
  });

  it("P6: a new code replaces the one before, and there are only so many", async () => {
    const { ports, authorisation, confirm } = await started();
    const again = async () =>
      sendNewCode(ports, { authorisation: await authorisation(), wording: speltOut, now });
    expect(await again()).toEqual({ outcome: "code-sent" });
    expect(await confirm("123456")).toMatchObject({ outcome: "wrong-code" });
    expect(await again()).toEqual({ outcome: "code-sent" });
    expect(await again()).toEqual({ outcome: "code-sent" });
    expect(await again()).toEqual({ outcome: "too-many-codes" });
    expect(await confirm("456789")).toEqual({ outcome: "finalised" });
  });

  it("P7: a code sent for one selection does not confirm another", async () => {
    const { select, confirm } = await started();
    await select(current.id, multiRon.id, multiEur.id);
    expect(await confirm("123456")).toMatchObject({ outcome: "wrong-code" });
    expect(await confirm("234567")).toEqual({ outcome: "finalised" });
  });

  it("P7: a selection that was changed behind the code does not fit it", async () => {
    const { bank, authorisation, confirm } = await started();
    const before = await authorisation();
    bank.authorisations.set(before.id, { ...before, selection: [current.id, multiRon.id] });
    expect(await confirm("123456")).toMatchObject({ outcome: "wrong-code" });
  });

  it("a text that could not be delivered says so", async () => {
    const { bank, login, select } = await opened();
    bank.delivers = false;
    await login("ana", "ana-sandbox");
    expect(await select(current.id)).toEqual({ outcome: "not-delivered" });
  });
});
