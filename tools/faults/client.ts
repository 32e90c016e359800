import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { granted, type OAuth, oauth, type Permission, type Token } from "@/clients/typescript/src";
import { consentRequest } from "@/e2e/harness/consent-request";
import {
  answerForm,
  authoriseAsPsu,
  browsing,
  credentials,
  type Form,
  formsOf,
  inCodeField,
  newestCode,
  type Page,
} from "@/tools/psu-by-forms";
import type { Customer } from "./customers";
import {
  insist,
  isUnexpectedPage,
  maybe,
  newOrder,
  type Order,
  type PayingTpp,
  pick,
  RETRY_MS,
  type Run,
} from "./tpp";

/** A TPP with one PSU, who pays again and again, and that reads and asks for consents beside it. */
export type Client = {
  /** While nothing is broken yet. */
  readonly begin: () => Promise<void>;
  /** Until the signal, and once more after it, when nothing is broken any more. */
  readonly pay: (signal: AbortSignal) => Promise<void>;
  /** At the end: every request once more, and the status of its payment. */
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
  const { journal, mayFail } = run;
  const { tally } = journal;
  const payments: Payment[] = [];
  const consents: string[] = [];
  const reads = reading(tpp, run, customer);
  let server: OAuth | undefined;

  async function payOnce(): Promise<void> {
    const order = newOrder(customer, others);
    journal.asked.push(order);
    // Sent until the bank has answered, now and then by two at once.
    const first = await insist(async () => {
      const twice = await Promise.all([tpp.initiate(order), maybe(() => tpp.initiate(order))]);
      return twice.find((answer) => answer !== undefined);
    });
    if (first.paymentId === undefined) return;
    tally["payments acknowledged"] += 1;
    const payment = { order, id: first.paymentId };
    payments.push(payment);
    await Promise.all([
      authorise(payment, first.body),
      maybe(() => repeat(payment)),
      askForConsent(),
    ]);
    await maybe(() => repeat(payment));
    await maybe(() => repeat(pick(payments)));
    await look(payment);
    await look(pick(payments));
    if (consents.length > 0) await maybe(() => lookAtConsent(pick(consents)));
  }

  /** At any moment, and now and then with another body. */
  async function repeat({ order }: Payment): Promise<void> {
    await sleep(randomInt(400));
    await tpp.initiate(order, pick(order.bodies));
  }

  const look = ({ order, id }: Payment) => insist(() => tpp.status(order, id));
  const lookAtConsent = (consentId: string) => insist(() => tpp.consentStatus(consentId));

  /** Sent until the bank has answered, now and then by two at once, and now and then once more. */
  async function askForConsent(): Promise<void> {
    const requestId = randomUUID();
    const send = () => tpp.askForConsent(requestId);
    const { consentId } = await insist(async () => {
      const answers = await Promise.all([send(), maybe(send)]);
      return answers.find((one) => one?.consentId !== undefined) ?? answers.find(Boolean);
    });
    if (consentId !== undefined) {
      tally["consents acknowledged"] += 1;
      consents.push(consentId);
    }
    await maybe(send);
  }

  async function authorise(payment: Payment, created: string): Promise<void> {
    const found = await insist(() => authorisationServer(created));
    const request = found.authorise(`PIS:${payment.id}`, tpp.redirectUri);
    const visit = psuVisit(customer, tpp.redirectUri, run);
    for (let visits = 0; visits < VISITS_AT_MOST; visits += 1) {
      const from = visits % 2 === 1 ? (visit.lastPage() ?? request.url) : request.url;
      const back = await visit.go(from).catch(noteFault);
      if (back?.searchParams.has("code")) {
        journal.authorised.push(payment.id);
        tally["payments authorised"] += 1;
        const token = await found.token(back, request).catch((error) => fail("no token", error));
        if (token !== undefined) tally["access tokens"] += 1;
        return;
      }
      tally[back === undefined ? "PSU visits broken off" : "PSU visits ended by the bank"] += 1;
      // Where the answer to the confirmation was lost, the bank has nothing to ask any more.
      if ((await look(payment)) !== "RCVD") return;
      await sleep(RETRY_MS);
    }
  }

  /** A page that says the bank has a fault; a page that is not what it was expected to be is none. */
  function noteFault(error: unknown): undefined {
    if (isUnexpectedPage(error, mayFail)) journal.unexpected.push(`PSU: ${error}`);
    fail("PSU", error);
  }

  async function authorisationServer(created: string): Promise<OAuth | undefined> {
    const { _links } = JSON.parse(created) as { readonly _links: Links };
    server ??= await oauth(_links.scaOAuth.href, tpp.id, tpp.http).catch((error) =>
      fail("no metadata", error),
    );
    return server;
  }

  function fail(what: string, error: unknown): undefined {
    const cause = error instanceof Error && error.cause !== undefined ? ` ${error.cause}` : "";
    if (mayFail === "nothing") journal.failures.push(`${what}: ${error}${cause}`);
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
      for (const payment of payments) {
        await insist(() => tpp.initiate(payment.order, pick(payment.order.bodies)));
        await look(payment);
      }
      for (const consentId of consents) await lookAtConsent(consentId);
    },
  };
}

type Links = { readonly scaOAuth: { readonly href: string } };

const PAUSE_MS = 250;
/** Long before a token ends, so that faults fall into refreshes too. */
const REFRESH_MS = 5_000;

/** A token that is renewed again and again. */
type Held = { readonly consentId: string; readonly show: () => Promise<Permission> };

/** What a client reads beside its payments, with its PSU's permission. */
function reading(tpp: PayingTpp, { bank, journal, mayFail }: Run, customer: Customer) {
  let held: { readonly accounts: Held; readonly funds: Held } | undefined;

  async function permitted(kind: "AIS" | "PIIS"): Promise<Held> {
    const { redirectUri } = tpp;
    const { consentId, _links } = granted(
      await (kind === "AIS" ? askForAccounts() : askForFunds()),
    );
    const server = await oauth(_links.scaOAuth.href, tpp.id, tpp.http);
    const request = server.authorise(`${kind}:${consentId}`, redirectUri);
    const back = await authoriseAsPsu(request.url, redirectUri, bank.webUrl, customer);
    return renewed(consentId, server, await server.token(back, request));
  }

  async function askForAccounts() {
    const requestId = randomUUID();
    journal.consentsAsked.push(requestId);
    const headers = { "x-request-id": requestId };
    return tpp.api.createConsent(consentRequest(), tpp, { headers });
  }

  function askForFunds() {
    return tpp.api.createFundsConsent({ account: { iban: customer.accounts.EUR } }, tpp);
  }

  /** A refresh whose answer was lost is sent again, with the same token. */
  function renewed(consentId: string, server: OAuth, first: Token): Held {
    let token = first;
    let since = performance.now();
    const show = async () => {
      const { refreshToken } = token;
      if (refreshToken !== undefined && performance.now() - since > REFRESH_MS) {
        token = await insist(() => refreshed(server, refreshToken));
        since = performance.now();
        journal.tally["tokens refreshed"] += 1;
      }
      return { consentId, accessToken: token.accessToken };
    };
    return { consentId, show };
  }

  async function refreshed(server: OAuth, refreshToken: string): Promise<Token | undefined> {
    try {
      return { refreshToken, ...(await server.refresh(refreshToken)) };
    } catch (error) {
      // RFC 6749 5.2: the bank has answered, and says that the token or the client is none.
      if (isRefusal(error)) throw new Error(`a refresh was refused: ${error}`, { cause: error });
      if (mayFail === "nothing") journal.failures.push(`refresh: ${error}`);
      return undefined;
    }
  }

  return {
    begin: async () => {
      held = { accounts: await permitted("AIS"), funds: await permitted("PIIS") };
    },
    readUntil: async (signal: AbortSignal) => {
      if (held === undefined) throw new Error("nothing was permitted yet");
      const { accounts, funds } = held;
      while (!signal.aborted) {
        await tpp.readAccounts(accounts.show);
        await tpp.checkFunds(customer.accounts.EUR, await funds.show());
        await sleep(PAUSE_MS);
      }
    },
  };
}

function isRefusal(error: unknown): boolean {
  const status = error instanceof Error && "status" in error ? error.status : undefined;
  return typeof status === "number" && status >= 400 && status < 500;
}

const PAGES_AT_MOST = 8;

/** The customer at the bank's pages, in one browser: whatever breaks, the cookies stay. */
function psuVisit(customer: Customer, redirectUri: string, run: Run) {
  const { bank, traffic, journal, mayFail } = run;
  const isBack = ({ href }: URL) => href.startsWith(redirectUri);
  const browser = browsing(isBack);
  let last: URL | undefined;

  /** From this address to the TPP's; throws where a page does not lead on; resolves to where it leads back. */
  async function go(url: URL): Promise<URL> {
    let page = await traffic.during("other", () => browser.open(url));
    for (let pages = 0; !isBack(page.url); pages += 1) {
      const wrong = errorOn(page);
      if (wrong !== undefined && mayFail === "nothing") journal.failures.push(`PSU: ${wrong}`);
      if (pages === PAGES_AT_MOST) throw new Error(`nothing leads on from ${page.url.pathname}`);
      last = page.url;
      page = await next(page);
    }
    return page.url;
  }

  async function next(page: Page): Promise<Page> {
    if (formOf(page, "login") !== undefined) return signIn(page);
    if (formOf(page, "confirm") === undefined) return askForCode(page);
    const after = await confirm(page);
    // The message with the right code was lost: the server ended before it could send it.
    return formOf(after, "confirm") === undefined ? after : askForCode(after);
  }

  function signIn(page: Page): Promise<Page> {
    const fill = credentials(customer);
    return traffic.during("other", () => answerForm(browser, page, "Continue", fill));
  }

  async function confirm(page: Page): Promise<Page> {
    const fill = inCodeField(await newestCode(bank.webUrl, customer.userId));
    return traffic.during("confirmation", () => answerForm(browser, page, "Confirm", fill));
  }

  async function askForCode(page: Page): Promise<Page> {
    const form = formOf(page, "code");
    if (form === undefined) throw new Error(`no question at ${page.url.pathname}`);
    const fields = form.inputs.map(({ name, value }) => [name, value] as const);
    return traffic.during("other", () => browser.submit(page, form, fields));
  }

  return { go, /** The page on which it broke, to be loaded again. */ lastPage: () => last };
}

/** The error that the page shows about the form sent before; every form here is filled in correctly. */
function errorOn({ html }: Page): string | undefined {
  const [, error] = /<div\b[^>]*role="alert"[^>]*>(.*?)<\/div>/s.exec(html) ?? [];
  return error?.replace(/<[^>]*>/g, " ");
}

/** The page's form that is posted to the address of this name. */
function formOf({ html }: Page, name: "login" | "confirm" | "code"): Form | undefined {
  return formsOf(html).find(({ action }) => action.endsWith(`/${name}`));
}
