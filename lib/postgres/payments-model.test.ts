import { expect, test } from "vitest";
import { transactionTransitions } from "@/lib/domain/payment-order";
import { modelHolds, undisturbed } from "./testing-payments";

/** Sequences of commands. `npm run model` runs 10,000 over the two files, which takes some minutes. */
const RUNS = Number(process.env["MODEL_RUNS"] ?? 100);

test("whatever TPP, PSU, servers and time do: no money made or lost, no payment twice, no status backwards, no balance under the overdraft, and no limit passed", async () => {
  const reached = await modelHolds(undisturbed, RUNS);
  expect(reached.toSorted()).toEqual(Object.keys(transactionTransitions).toSorted());
}, 600_000);
