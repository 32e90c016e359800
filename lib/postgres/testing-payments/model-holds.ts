import fc from "fast-check";
import { expect } from "vitest";
import type { TransactionStatus } from "@/lib/domain/payment/transaction-status";
import { now } from "../samples";
import { toTheEnd } from "./bank-commands";
import type { Command } from "./command";
import { aLane, type Lane } from "./lane";
import type { Model } from "./model";
import { aWorld } from "./world";

/** Sequences run side by side, each lane in a database of its own: a worker takes whatever is due. */
const LANES = 3;

const terms = fc.record({
  credited: fc.constantFrom(0n, 40_000n, 40_000n, 150_000n),
  overdraft: fc.constantFrom(0n, 0n, 10_000n),
  ownLimit: fc.constantFrom(null, null, 60_000n),
});

/**
 * Fails on the first sequence after which the bank is not where the model is. Yields the statuses that
 * payments have had: a property that never gets anywhere holds as well.
 */
export async function modelHolds(
  sequences: fc.Arbitrary<readonly Command[]>,
  runs: number,
): Promise<readonly TransactionStatus[]> {
  const reached = new Set<TransactionStatus>();
  const lanes = await Promise.all(Array.from({ length: LANES }, aLane));
  try {
    await Promise.all(
      lanes.map(async (lane) => {
        await fc.assert(propertyIn(lane, sequences, reached), { numRuns: Math.ceil(runs / LANES) });
        expect(await unbalanced(lane)).toEqual([]);
      }),
    );
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()));
  }
  return [...reached];
}

function propertyIn(
  lane: Lane,
  sequences: fc.Arbitrary<readonly Command[]>,
  reached: Set<TransactionStatus>,
) {
  return fc.asyncProperty(terms, sequences, async (start, commands) => {
    const world = await aWorld(lane, start);
    const model: Model = { now, lives: [], ...start };
    await fc.asyncModelRun(() => ({ model, real: world }), [...commands, toTheEnd()]);
    for (const { status, history } of model.lives) {
      expect(["RJCT", "ACSC", "ACCC"]).toContain(status);
      for (const had of history) reached.add(had);
    }
  });
}

/** Currencies in which all the entries there are do not add up to zero. */
function unbalanced({ sql }: Lane): Promise<readonly unknown[]> {
  return sql`select currency from ledger_entry e join ledger_account a on a.id = e.account_id
    group by currency having sum(amount_minor) <> 0`;
}
