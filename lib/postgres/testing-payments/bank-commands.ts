import { expect } from "vitest";
import { currentPayment } from "@/lib/domain/payment/current-payment";
import { executePayments } from "@/lib/domain/payment/execute-payments";
import { type Books, booksOf, rowOf } from "./books";
import { command, inTurn } from "./command";
import { type Cut, cutShort } from "./cut-connection";
import { type Model, passTime } from "./model";
import { explained } from "./steps";
import { credit } from "./world";

const ROWS_AT_ONCE = 20;

/** The worker of one server, or of several at once: each step is taken by one of them. */
export const execute = (servers: number) =>
  command(`execute on ${servers}`, async (model, world) => {
    const { paymentExecution } = world.ports;
    const all = Array.from({ length: servers }, () =>
      paymentExecution.advance(model.now, ROWS_AT_ONCE),
    );
    const taken = (await Promise.all(all)).reduce((sum, { steps }) => sum + steps, 0);
    const books = await booksOf(world);
    expect(adoptSteps(model, books)).toBe(taken);
    const isDue = model.lives.some(({ dueAt }) => dueAt !== undefined && dueAt <= model.now);
    if (servers === 1) expect(isDue).toBe(false);
    return books;
  });

/** The worker's server dies in the middle: each payment's step is done with its entries, or not at all. */
export const executeCut = (cut: Cut) =>
  command(`execute, cut after ${cut.afterPackets}`, async (model, world) => {
    const { ports, portsOver, database } = world;
    await cutShort(database, cut, (db) => {
      const { paymentExecution } = portsOver(db);
      return executePayments({ ...ports, paymentExecution }, model.now);
    });
    const books = await booksOf(world);
    adoptSteps(model, books);
    return books;
  });

/** How many steps were taken, after which the model is where the bank is. */
function adoptSteps(model: Model, books: Books): number {
  const wanted = model.lives.map((life) => {
    const { had: history, due } = rowOf(books, life.id);
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

const executeDue = { ...execute(1), check: ({ lives }: Model) => lives.some(({ dueAt }) => dueAt) };
