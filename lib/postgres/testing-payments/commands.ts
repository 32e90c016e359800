import fc from "fast-check";
import { execute, executeCut, pass, receive } from "./bank-commands";
import { type Command, inTurn } from "./command";
import type { Cut } from "./cut-connection";
import { cancel, confirm, confirmAndCancel, confirmCut, login, sendCode } from "./psu-commands";
import { create, repeat, type Wish } from "./tpp-commands";

const wish: fc.Arbitrary<Wish> = fc.record({
  product: fc.constantFrom(
    "sepa-credit-transfers",
    "sepa-credit-transfers",
    "target-2-payments",
    "instant-sepa-credit-transfers",
  ),
  minorUnits: fc.constantFrom(1n, 1_250n, 39_999n, 40_000n, 60_000n, 100_000n, 100_001n),
  payee: fc.constantFrom("outside", "inside", "inside", "closed"),
  rejectWithoutFunds: fc.constantFrom(false, false, true),
});
const nth = fc.nat({ max: 3 });
const mostly = fc.integer({ min: 0, max: 3 }).map((drawn) => drawn > 0);
/** About as many packets as the work has, so that its COMMIT is among them. */
const cutWithin = (packets: number): fc.Arbitrary<Cut> =>
  fc.record({ afterPackets: fc.integer({ min: 1, max: packets }), lastArrives: fc.boolean() });

/** Ready for the PSU's yes: else few would get there before something else happens. */
const challenged = (chosen: Wish) =>
  inTurn("a payment with its code sent", ({ lives: { length: last } }) => [
    create(chosen),
    login(last),
    sendCode(last),
  ]);

const authorised = (chosen: Wish, servers = 0) =>
  inTurn(`a payment, authorised, on ${servers}`, ({ lives: { length: last } }) => [
    challenged(chosen),
    confirm(last, true),
    ...(servers > 0 ? [execute(servers)] : []),
  ]);

type Weighted = { readonly weight: number; readonly arbitrary: fc.Arbitrary<Command> };
const weighted = (weight: number, arbitrary: fc.Arbitrary<Command>): Weighted => ({
  weight,
  arbitrary,
});

const paid = weighted(
  6,
  fc.tuple(wish, fc.nat({ max: 2 })).map((drawn) => authorised(...drawn)),
);
const begins = [
  paid,
  weighted(2, wish.map(challenged)),
  weighted(
    1,
    wish.map((chosen) => create(chosen)),
  ),
];

const steps = [
  ...begins,
  weighted(
    2,
    fc.tuple(nth, wish).map((drawn) => repeat(...drawn)),
  ),
  weighted(1, nth.map(login)),
  weighted(2, nth.map(sendCode)),
  weighted(
    4,
    fc.tuple(nth, mostly).map((drawn) => confirm(...drawn)),
  ),
  weighted(1, nth.map(confirmAndCancel)),
  weighted(1, nth.map(cancel)),
  weighted(4, fc.constantFrom(1, 1, 3).map(execute)),
  weighted(4, fc.constantFrom(1, 2, 5, 30, 300, 900, 43_200, 86_400).map(pass)),
  weighted(2, fc.constantFrom(600n, 40_000n, 100_000n).map(receive)),
];

/** The server dies over the code, and then over the execution. */
const killed = (chosen: Wish, overTheCode: Cut, overTheExecution: Cut) =>
  inTurn("a payment, killed twice", ({ lives: { length: last } }) => [
    challenged(chosen),
    confirmCut(last, overTheCode),
    confirm(last, true),
    executeCut(overTheExecution),
  ]);

const kills = [
  weighted(
    2,
    fc.tuple(wish, cutWithin(12)).map((drawn) => create(...drawn)),
  ),
  weighted(
    2,
    fc.tuple(nth, cutWithin(45)).map((drawn) => confirmCut(...drawn)),
  ),
  weighted(3, cutWithin(72).map(executeCut)),
];
const killings = weighted(
  9,
  fc.tuple(wish, cutWithin(45), cutWithin(40)).map((drawn) => killed(...drawn)),
);

/** Something to pay first, then a few steps of several payments of one PSU in any order. */
function sequences(
  first: readonly Weighted[],
  among: readonly Weighted[],
): fc.Arbitrary<readonly Command[]> {
  const rest = fc.array(fc.oneof(...among), { minLength: 2, maxLength: 4, size: "max" });
  return fc.tuple(fc.oneof(...first), rest).map(([one, others]) => [one, ...others]);
}

export const undisturbed = sequences(begins, steps);

/** As above, with servers that are killed while they work. */
export const withKills = sequences([...begins, killings], [...steps, ...kills]);
