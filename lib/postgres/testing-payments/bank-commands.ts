import { expect } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { currentPayment } from "@/lib/domain/payment/current-payment";
import { submitDuePayments } from "@/lib/domain/payment/submit-payment";
import { type Books, booksOf, rowOf } from "./books";
import { command, inTurn } from "./command";
import { type Cut, cutShort } from "./cut-connection";
import { fallBehind, isWithTheBank, type Model, passTime } from "./model";
import { explained } from "./steps";
import { credit, type World } from "./world";

const ROWS_AT_ONCE = 20;
const { executionEverySeconds, submission } = aspspProfile.payments;

/** The job of one server, or of several at once: each step is taken by one of them. */
export const execute = (servers: number) =>
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

/** As the server repeats it until nothing is due; how many steps of the ledger were taken. */
async function job({ paymentExecution, ...ports }: World["ports"], now: Date): Promise<number> {
  let taken = 0;
  for (;;) {
    const { steps } = await paymentExecution.advance(now, ROWS_AT_ONCE);
    taken += steps;
    if (!(await submitDuePayments(ports, now)) && steps === 0) return taken;
  }
}

/** The job's server dies in the middle: each payment's step is done with its entries, or not at all. */
export const executeCut = (cut: Cut) =>
  command(`execute, cut after ${cut.afterPackets}`, async (model, world) => {
    const { portsOver, database } = world;
    await cutShort(database, cut, (db) => job(portsOver(db), model.now));
    const books = await booksOf(world);
    fallBehind(model, submission.retrySecondsMax);
    adoptSteps(model, books);
    return books;
  });

/** How many steps were taken, after which the model is where the bank is. */
export function adoptSteps(model: Model, books: Books): number {
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

/** Time alone ends an authorisation; the TPP that reads the payment then is told so. */
export const pass = (seconds: number) =>
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

export const receive = (amount: bigint) =>
  command(`${amount} comes in`, async (model, world) => {
    await credit(world, amount);
    model.credited += amount;
  });

/** Long enough for anything to end: the window, the wait for funds, the settlement. */
export const toTheEnd = () =>
  inTurn("to the end", () => [pass(90_000), executeDue, pass(30), executeDue]);

const executeDue = {
  ...execute(1),
  check: ({ lives }: Model) => lives.some((life) => isWithTheBank(life) || life.behindUntil),
};
