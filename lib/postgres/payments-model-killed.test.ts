import { expect, test } from "vitest";
import { transactionTransitions } from "@/lib/domain/payment-order";
import { modelHolds, withKills } from "./testing-payments";

/** Sequences of commands. `npm run model` runs 10,000 over the two files, which takes some minutes. */
const RUNS = Number(process.env["MODEL_RUNS"] ?? 50);

test("B15: whichever packet of whichever transaction is a server's last one: each step is taken whole or not at all, and once", async () => {
  const reached = await modelHolds(withKills, RUNS);
  expect(reached.toSorted()).toEqual(Object.keys(transactionTransitions).toSorted());
}, 600_000);
