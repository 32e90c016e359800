import { expect, it } from "vitest";
import { aspspProfile } from "../aspsp-profile";
import { opened } from "../testing/flow";
import { current, now } from "../testing/samples";
import { speltOut } from "../testing/spelt-out";
import { sendNewCode } from "./open-challenge";

/** A PSU whose first code the gateway has not taken. */
async function undelivered() {
  const flow = await opened();
  flow.bank.delivers = false;
  await flow.login("ana", "ana-sandbox");
  expect(await flow.select(current.id)).toEqual({ outcome: "not-delivered" });
  const again = async () =>
    sendNewCode(flow.ports, { authorisation: await flow.authorisation(), wording: speltOut, now });
  return { ...flow, again };
}

it("a code that the gateway has not taken confirms nothing, even if it comes after all", async () => {
  const { bank, confirm, authorisation } = await undelivered();
  expect(await authorisation()).toMatchObject({ scaStatus: "started", codesSent: 0 });
  expect(await confirm(bank.texts[0]?.code ?? "none")).toEqual({ outcome: "code-expired" });
  expect(await authorisation()).toMatchObject({ failedAttempts: 0 });
});

it("once the gateway is back, the PSU has as many codes as anybody", async () => {
  const { bank, again, confirm } = await undelivered();
  expect(await again()).toEqual({ outcome: "not-delivered" });
  bank.delivers = true;
  for (let sent = 0; sent < aspspProfile.sca.codesSentMax; sent += 1) {
    expect(await again()).toEqual({ outcome: "code-sent" });
  }
  expect(await again()).toEqual({ outcome: "too-many-codes" });
  expect(await confirm(bank.texts.at(-1)?.code ?? "none")).toEqual({ outcome: "finalised" });
});

it("P6: a gateway that takes texts and says no sends no flood: ten at most", async () => {
  const { bank, again } = await undelivered();
  for (let tries = 0; tries < 30; tries += 1) await again();
  const { codesSentMax, codesUndeliveredMax } = aspspProfile.sca;
  expect(bank.texts).toHaveLength(codesSentMax + codesUndeliveredMax);
  expect(bank.texts).toHaveLength(10);
  expect(await again()).toEqual({ outcome: "too-many-codes" });
});
