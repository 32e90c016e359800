import fc from "fast-check";
import { expect } from "vitest";
import { currentAuthorisation, failAuthorisation } from "@/lib/domain/authorisation";
import { convert, money, type PaymentProduct } from "@/lib/domain/bank-profile";
import type { PaymentOrder, TransactionStatus } from "@/lib/domain/payment-order";
import {
  type AnswerWriter,
  currentPayment,
  initiatePayment,
  type StoredAnswer,
  submitDuePayments,
} from "@/lib/domain/payments";
import { beginChallenge, completeAuthorisation, identifyPsu } from "@/lib/domain/sca";
import { speltOut } from "@/lib/domain/testing/samples";
import { type AuthorisationId, addTime, type PaymentId, type RequestId } from "@/lib/domain/values";
import { aspspProfile } from "@/lib/testing-profile";
import { now } from "./testing";
import { type Cut, cutShort } from "./testing-database";
import {
  aLane,
  authorise,
  aWorld,
  type Books,
  booksOf,
  type Command,
  codeRuns,
  command,
  confirmed,
  credit,
  EUR,
  explained,
  fail,
  fallBehind,
  inTurn,
  isOpen,
  isWithTheBank,
  type Lane,
  type Life,
  type Model,
  mayTry,
  onPayment,
  type Payee,
  passTime,
  rowOf,
  type World,
} from "./testing-payments-model";

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

const told = ({ product, minorUnits, payee }: Wish) => `${minorUnits} ${payee} by ${product}`;

/** A POST; with a cut its connection breaks, and the TPP sends it again until it hears. */
const create = (wish: Wish, cut?: Cut) =>
  command(`${cut ? "create, cut short" : "create"}: ${told(wish)}`, async (model, world) => {
    const requestId = crypto.randomUUID() as string as RequestId;
    const order = orderOf(wish, world);
    const asked = { requestId, order, now: model.now, digest: JSON.stringify(wish, String) };
    const heard = cut && (await cutShort(world.database, cut, (db) => post(world, asked, db)));
    const answer = heard ?? (await post(world, asked));
    if (cut !== undefined) expect(await post(world, asked)).toEqual(answer);
    model.lives.push(begun(model, { requestId, order, answer, payee: wish.payee }));
  });

const writer: AnswerWriter = {
  initiated: ({ id, authorisationId }) => {
    return { status: 201, headers: {}, body: JSON.stringify({ id, authorisationId }) };
  },
  refused: ({ message }) => {
    throw new Error(`no payment here is above the bank's limit: ${message}`);
  },
};

const { sca } = aspspProfile;

const login = (nth: number) =>
  onPayment("login", nth, async (life, { now }, world) => {
    const { ports, psuId: userId } = world;
    const authorisation = await found(life, now, world);
    const password = `${userId}-sandbox`;
    const { outcome } = await identifyPsu(ports, { authorisation, userId, password, now });
    expect(outcome).toBe(mayTry(life) ? "authenticated" : "ended");
    if (mayTry(life) && life.scaStatus === "received") life.scaStatus = "psuAuthenticated";
  });

/** The page sends a code as soon as the PSU is known, and another one when it is asked for. */
const sendCode = (nth: number) =>
  onPayment("send code", nth, async (life, { now }, world) => {
    if (life.scaStatus === "received") return;
    const authorisation = await found(life, now, world);
    const { outcome } = await beginChallenge(world.ports, {
      authorisation,
      wording: speltOut,
      now,
    });
    const tooMany = life.codesSent >= sca.codesSentMax;
    const sent = tooMany ? "too-many-codes" : "code-sent";
    expect(outcome).toBe(isOpen(life) ? sent : "ended");
    if (outcome !== "code-sent") return;
    life.codesSent += 1;
    life.scaStatus = "started";
    const text = world.bank.texts.at(-1)?.code ?? "none";
    life.code = { text, expiresAt: addTime(now, sca.codeMinutes, "minute") };
  });

const confirm = (nth: number, right: boolean) =>
  onPayment(right ? "confirm" : "wrong code", nth, async (life, model, world) => {
    const outcome = await answer(life, right, model, world);
    if (!mayConfirm(life, model)) {
      expect(["ended", "code-expired"]).toContain(outcome);
    } else if (right) {
      expect(outcome).toBe(confirmed(model, life));
    } else {
      life.failedAttempts += 1;
      if (!mayTry(life)) fail(life);
      expect(outcome).toBe(isOpen(life) ? "wrong-code" : "ended");
    }
  });

const ROWS_AT_ONCE = 20;
const { executionEverySeconds, submission } = aspspProfile.payments;

/** The job of one server, or of several at once: each step is taken by one of them. */
const execute = (servers: number) =>
  command(`execute on ${servers}`, async (model, world) => {
    const all = Array.from({ length: servers }, () => job(world.ports, model.now));
    const taken = (await Promise.all(all)).reduce((sum, steps) => sum + steps, 0);
    const books = await booksOf(world);
    if (servers > 1) fallBehind(model, executionEverySeconds);
    expect(adoptSteps(model, books)).toBe(taken);
    if (servers === 1)
      expect(model.lives.filter(({ dueAt }) => dueAt && dueAt <= model.now)).toEqual([]);
    for (const life of model.lives) {
      if (life.behindUntil && life.behindUntil <= model.now && servers === 1) {
        delete life.behindUntil;
      }
    }
    return books;
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

/** The same X-Request-ID again, from several servers at once, whatever the body. */
const repeat = (nth: number, other: Wish) =>
  onPayment(`repeat with ${told(other)}`, nth, async ({ requestId, answer }, { now }, world) => {
    const order = orderOf(other, world);
    const again = { requestId, order, now, digest: JSON.stringify(other, String) };
    const answers = await Promise.all([post(world, again), post(world, again)]);
    expect(answers).toEqual([answer, answer]);
  });

const cancel = (nth: number) =>
  onPayment("cancel", nth, async (life, { now }, world) => {
    const authorisation = await found(life, now, world);
    await failAuthorisation(world.ports, { id: authorisation.id, because: "cancelled", now });
    fail(life);
  });

/** Two tabs: the code goes out twice, and the PSU cancels, all at once. One of them is first. */
const confirmAndCancel = (nth: number) =>
  onPayment("confirm twice and cancel at once", nth, async (life, model, world) => {
    const { now } = model;
    const possible = mayConfirm(life, model);
    const authorisation = await found(life, now, world);
    const code = life.code?.text ?? "none";
    const submit = () =>
      completeAuthorisation(world.ports, { authorisation, proof: { method: "code", code }, now });
    const no = () =>
      failAuthorisation(world.ports, { id: authorisation.id, because: "cancelled", now });
    const [one, other] = await Promise.all([submit(), submit(), no()]);
    const books = await booksOf(world);
    const row = rowOf(books, life.id);
    const said = [one, other].map(({ outcome }) => outcome).filter((it) => it !== "ended");
    if (possible && row.sca === "finalised") {
      expect(said.filter((it) => it !== "code-expired")).toEqual([confirmed(model, life)]);
    } else {
      expect(said).not.toContain("finalised");
      expect(said).not.toContain("rejected");
      fail(life);
    }
    // The one that came second may have been counted and never been judged.
    life.failedAttempts = row.failed;
    return books;
  });

/** Time alone ends an authorisation; the TPP that reads the payment then is told so. */
const pass = (seconds: number) =>
  command(`${seconds} seconds pass`, async (model, world) => {
    const waiting = model.lives.filter(({ status }) => status === "RCVD");
    passTime(model, seconds);
    for (const { id, status } of waiting) {
      const { ports, tpp } = world;
      const payment = await ports.payments.findOfTpp(id, tpp.id);
      if (payment === undefined) throw new Error("an acknowledged payment is lost");
      const current = await currentPayment(ports, payment, model.now);
      expect(current.status).toBe(status);
    }
  });

const receive = (amount: bigint) =>
  command(`${amount} comes in`, async (model, world) => {
    await credit(world, amount);
    model.credited += amount;
  });

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

/** The server dies over the right code: the PSU's yes is kept whole, or not at all; then it is submitted once. */
const confirmCut = (nth: number, cut: Cut) =>
  onPayment(`confirm, cut after ${cut.afterPackets}`, nth, async (life, model, world) => {
    const possible = mayConfirm(life, model);
    const code = life.code?.text ?? "none";
    const authorisation = await found(life, model.now, world);
    const outcome = await cutShort(world.database, cut, (db) =>
      completeAuthorisation(world.portsOver(db), {
        authorisation,
        proof: { method: "code", code },
        now: model.now,
      }),
    );
    const books = await booksOf(world);
    const row = rowOf(books, life.id);
    if (possible && row.sca === "finalised") {
      authorise(model, life);
      fallBehind(model, aspspProfile.payments.submission.retrySecondsMax);
      adoptSteps(model, books);
      const refused = row.ledger.includes("RJCT");
      if (outcome !== undefined) expect(outcome.outcome).toBe(refused ? "rejected" : "finalised");
      return books;
    }
    expect(outcome?.outcome).not.toBe("finalised");
    // An attempt is counted before it is judged, and here nobody has judged it.
    const counted = row.failed - life.failedAttempts;
    expect(counted === 0 || (possible && counted === 1)).toBe(true);
    life.failedAttempts = row.failed;
    return books;
  });

/** The job's server dies in the middle: each payment's step is done with its entries, or not at all. */
const executeCut = (cut: Cut) =>
  command(`execute, cut after ${cut.afterPackets}`, async (model, world) => {
    const { portsOver, database } = world;
    await cutShort(database, cut, (db) => job(portsOver(db), model.now));
    const books = await booksOf(world);
    fallBehind(model, submission.retrySecondsMax);
    adoptSteps(model, books);
    return books;
  });

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

type Wish = {
  readonly product: PaymentProduct;
  readonly minorUnits: bigint;
  readonly payee: Payee;
  readonly rejectWithoutFunds: boolean;
};

type Posted = {
  readonly requestId: RequestId;
  readonly order: PaymentOrder;
  readonly now: Date;
  readonly digest: string;
};

function post(
  { tpp, portsOver, database }: World,
  { digest: bodyDigest, ...asked }: Posted,
  over = database.db,
): Promise<StoredAnswer> {
  const redirectUris = { redirectUri: "https://tpp.example/ok" };
  return initiatePayment(portsOver(over), {
    ...asked,
    tpp,
    bodyDigest,
    instruction: {},
    redirectUris,
    writer,
  });
}

function orderOf({ product, minorUnits, payee, ...rest }: Wish, world: World): PaymentOrder {
  const { currencies, chargeBearers } = aspspProfile.payments.products[product];
  return {
    ...rest,
    product,
    amount: money(currencies[0], minorUnits),
    debtor: { iban: world.debtor.iban },
    creditor: { name: "Payee", iban: world.payees[payee].iban },
    chargeBearer: chargeBearers[0],
  };
}

type Begun = {
  readonly requestId: RequestId;
  readonly order: PaymentOrder;
  readonly answer: StoredAnswer;
  readonly payee: Payee;
};

function begun({ now: createdAt }: Model, { order, ...asked }: Begun): Model["lives"][number] {
  const { id, authorisationId } = JSON.parse(asked.answer.body) as Record<string, string>;
  const { minorUnits } = convert(order.amount, EUR, aspspProfile);
  return {
    ...asked,
    order,
    createdAt,
    id: id as PaymentId,
    authorisationId: authorisationId as AuthorisationId,
    debit: minorUnits + aspspProfile.payments.products[order.product].fee.minorUnits,
    limited: minorUnits,
    status: "RCVD",
    history: ["RCVD"],
    known: 1,
    scaStatus: "received",
    failedAttempts: 0,
    codesSent: 0,
  };
}

async function answer(life: Life, right: boolean, { now }: Model, world: World) {
  const authorisation = await found(life, now, world);
  const code = right && life.code !== undefined ? life.code.text : "000000";
  return (
    await completeAuthorisation(world.ports, {
      authorisation,
      proof: { method: "code", code },
      now,
    })
  ).outcome;
}

function mayConfirm(life: Life, { now }: Model): boolean {
  return life.scaStatus === "started" && codeRuns(life, now) && mayTry(life);
}

async function found(life: Life, now: Date, { ports, tpp }: World) {
  const asked = { kind: "PIS", resourceId: life.id, tppId: tpp.id, now } as const;
  const authorisation = await currentAuthorisation(ports, asked);
  if (authorisation === undefined) throw new Error("a payment without its authorisation");
  expect(authorisation.scaStatus).toBe(life.scaStatus);
  return authorisation;
}

/** As the server repeats it until nothing is due; how many steps of the ledger were taken. */
async function job({ paymentExecution, ...ports }: World["ports"], now: Date): Promise<number> {
  let taken = 0;
  for (;;) {
    const { steps } = await paymentExecution.advance(now, ROWS_AT_ONCE);
    taken += steps;
    if (!(await submitDuePayments(ports, now)) && steps === 0) return taken;
  }
}

/** How many steps were taken, after which the model is where the bank is. */
function adoptSteps(model: Model, books: Books): number {
  const wanted = model.lives.map((life) => {
    const { ledger, due } = rowOf(books, life.id);
    const history = life.authorisedAt ? (["RCVD", "ACTC", ...ledger] as const) : life.history;
    return { history, ...(due !== null && { dueAt: new Date(due) }) };
  });
  const found = explained(model, wanted);
  if (found === undefined) throw new Error(`no steps lead to ${JSON.stringify(wanted)}`);
  model.lives.splice(0, model.lives.length, ...found.model.lives);
  return found.steps;
}

/** Long enough for anything to end: the window, the wait for funds, the settlement. */
const toTheEnd = () => inTurn("to the end", () => [pass(90_000), executeDue, pass(30), executeDue]);

const executeDue = {
  ...execute(1),
  check: ({ lives }: Model) => lives.some((life) => isWithTheBank(life) || life.behindUntil),
};

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
