import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type OAuth, oauth } from "@/cli/tpp/oauth";
import { isDishonestPage } from "./attempts";
import { consenting } from "./consenting";
import type { Customer } from "./customers";
import { insist, maybe, RETRY_MS } from "./insist";
import { type Answer, paymentOf } from "./journal";
import { newOrder, type Order, pick } from "./order";
import { psuVisit } from "./psu";
import { reading } from "./reading";
import { type PayingTpp, REDIRECT_URI, type Run } from "./tpp";

/** A TPP with one PSU, who pays again and again, and that reads and asks for consents beside it. */
export type Client = {
  /** While nothing is broken yet. */
  readonly begin: () => Promise<void>;
  /** Until the signal, and once more after it, when nothing is broken any more. */
  readonly pay: (signal: AbortSignal) => Promise<void>;
  /** When all is over: every request once more, and how its payment stands. */
  readonly askAgain: () => Promise<void>;
};

type Payment = { readonly order: Order; readonly id: string };

const VISITS_AT_MOST = 8;

export function client(
  tpp: PayingTpp,
  run: Run,
  customer: Customer,
  others: readonly Customer[],
): Client {
  const { bank, notebook, tally, traffic, mayFail } = run;
  const payments: Payment[] = [];
  const consents = consenting(tpp, run);
  const reads = reading(tpp, run, customer);
  let found: OAuth | undefined;

  async function payOnce(): Promise<void> {
    const order = newOrder(customer, others);
    notebook.asked.push(order);
    const first = await acknowledged(order);
    const id = paymentOf(first);
    if (id === undefined) return;
    tally["payments acknowledged"] += 1;
    const payment = { order, id };
    payments.push(payment);
    await Promise.all([authorise(payment, first), maybe(() => repeat(payment)), consents.ask()]);
    await maybe(() => repeat(payment));
    await maybe(() => repeat(pick(payments)));
    await look(payment);
    await look(pick(payments));
    await maybe(consents.lookAtOne);
  }

  /** Sent until the bank has answered, now and then by two at once. */
  async function acknowledged(order: Order): Promise<Answer> {
    return insist(async () => {
      const twice = await Promise.all([tpp.initiate(order), maybe(() => tpp.initiate(order))]);
      return twice.find((answer) => answer !== undefined);
    });
  }

  /** At any moment, and now and then with another body. */
  async function repeat({ order }: Payment): Promise<void> {
    await sleep(randomInt(400));
    await tpp.initiate(order, pick(order.bodies));
  }

  function look({ order, id }: Payment) {
    return insist(() => tpp.status(order, id));
  }

  async function authorise(payment: Payment, first: Answer): Promise<void> {
    const server = await insist(() => authorisationServer(first));
    const request = await server.authorise(`PIS:${payment.id}`, REDIRECT_URI);
    const visit = psuVisit({ customer, webUrl: bank.webUrl, traffic });
    for (let visits = 0; visits < VISITS_AT_MOST; visits += 1) {
      const from = visits % 2 === 1 ? (visit.lastPage() ?? request.url) : request.url;
      const back = await visit.go(from).catch(noteFault);
      if (back?.searchParams.has("code")) return collect(server, payment, back, request);
      tally[back === undefined ? "PSU visits broken off" : "PSU visits ended by the bank"] += 1;
      // Where the answer to the confirmation was lost, the bank has nothing to ask any more.
      if ((await look(payment)) !== "RCVD") return;
      await sleep(RETRY_MS);
    }
  }

  /** A page that says the bank has a fault; a page that is not what it was expected to be is none. */
  function noteFault(error: unknown): undefined {
    const said = error instanceof Error ? error.message : String(error);
    if (isDishonestPage(error, mayFail)) notebook.oddities.push(`PSU: ${said}`);
    fail(`PSU: ${said}`, error);
  }

  async function collect(
    server: OAuth,
    { id }: Payment,
    back: URL,
    request: Awaited<ReturnType<OAuth["authorise"]>>,
  ): Promise<void> {
    notebook.authorised.push(id);
    tally["payments authorised"] += 1;
    const token = await server
      .token(back, request)
      .catch((error: unknown) => fail("no token", error));
    if (token !== undefined) tally["access tokens"] += 1;
  }

  async function authorisationServer({ body }: Answer): Promise<OAuth | undefined> {
    const { _links } = JSON.parse(body) as { readonly _links: Links };
    found ??= await oauth(_links.scaOAuth.href, tpp.id, tpp.http).catch((error: unknown) =>
      fail("no metadata", error),
    );
    return found;
  }

  function fail(what: string, error: unknown): undefined {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    if (mayFail === "nothing") notebook.failures.push(`${what}: ${String(cause)}`);
  }

  return {
    begin: reads.begin,
    pay: async (signal) => {
      const paying = async () => {
        while (!signal.aborted) await payOnce();
      };
      await Promise.all([paying(), reads.readUntil(signal)]);
      await payOnce();
    },
    askAgain: async () => {
      for (const { order, id } of payments) {
        await insist(() => tpp.initiate(order, pick(order.bodies)));
        await insist(() => tpp.status(order, id));
      }
      await consents.lookAtAll();
    },
  };
}

type Links = { readonly scaOAuth: { readonly href: string } };
