import { expect, it } from "vitest";
import { callsOf } from "./reading";
import { sampleRequest } from "./samples";
import { document } from "./testing";

it("an example has the accounts that it is given, and a word in capital letters in their place without them", () => {
  const calls = document.tags.flatMap(({ name }) => callsOf(document, name));
  const ibans = (accounts?: Parameters<typeof sampleRequest>[1]) => {
    const bodies = calls.map(
      (call) => JSON.stringify(sampleRequest(call, accounts).body) ?? "none",
    );
    return bodies.flatMap((body) =>
      [...body.matchAll(/"(?:debtorAccount|account)":{"iban":"(\w+)"/g)].map(([, iban]) => iban),
    );
  };
  expect(ibans({ current: "C", travel: "T" }).toSorted()).toEqual(["C", "C", "T"]);
  expect(new Set(ibans())).toEqual(new Set(["PSU_IBAN"]));
});
