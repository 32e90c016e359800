import { expect, it } from "vitest";
import { opened, started } from "../testing/flow";
import { later, now, tpp } from "../testing/samples";
import { settleBlock } from "./settle-block";

const order = { tppId: tpp.id, blockedAt: now };

it("C6: an authorisation under way fails when its TPP is blocked, and its resource is rejected", async () => {
  const { bank, ports, authorisation, status } = await started();
  bank.blocked.set(tpp.id, order);
  const settled = await settleBlock(ports, await authorisation(), now);
  expect(settled).toMatchObject({ scaStatus: "failed", failedBecause: "tpp-blocked" });
  expect(await authorisation()).toEqual(settled);
  expect(status()).toBe("rejected");
});

it("C6: one of a TPP that is not blocked, or not any more, stays as it is", async () => {
  const { bank, ports, authorisation } = await opened();
  const before = await authorisation();
  expect(await settleBlock(ports, before, now)).toBe(before);
  bank.blocked.set(tpp.id, { ...order, blockedAt: later(-5), until: now });
  expect(await settleBlock(ports, before, now)).toBe(before);
});

it("C6: what its PSU has confirmed stays confirmed, also a moment before the block", async () => {
  const { bank, ports, authorisation, confirm, status } = await started();
  const before = await authorisation();
  await confirm("123456");
  bank.blocked.set(tpp.id, order);
  expect(await settleBlock(ports, before, now)).toMatchObject({ scaStatus: "finalised" });
  expect(status()).toBe("valid");
});

it("C6: nobody is looked up for what is decided", async () => {
  const { ports, authorisation, confirm } = await started();
  await confirm("123456");
  const find = () => Promise.reject(new Error("looked up"));
  const decided = await authorisation();
  const house = { ...ports, stopList: { ...ports.stopList, find } };
  expect(await settleBlock(house, decided, now)).toBe(decided);
});
