import {
  answerForm,
  browsing,
  type Fields,
  type Form,
  fetchAlone,
  formsOf,
  type Input,
  type Page,
  PageError,
} from "@/tools/psu-by-forms";
import type { Customer } from "./customers";
import { REDIRECT_URI } from "./tpp";
import type { Traffic } from "./traffic";

type Visit = {
  readonly customer: Customer;
  readonly webUrl: string;
  readonly traffic: Traffic;
};

export type PsuVisit = {
  /** From this address to the TPP's; throws where the way is broken, and yields where it leads back. */
  readonly go: (url: URL) => Promise<URL>;
  /** The page on which it broke, to be loaded again. */
  readonly lastPage: () => URL | undefined;
};

const PAGES_AT_MOST = 8;
const isBack = ({ href }: URL): boolean => href.startsWith(REDIRECT_URI);

/** The customer at the bank's pages, in one browser: whatever breaks, the cookies stay. */
export function psuVisit({ customer, webUrl, traffic }: Visit): PsuVisit {
  const browser = browsing(isBack);
  let last: URL | undefined;

  async function go(url: URL): Promise<URL> {
    let page = await traffic.during("other", () => browser.open(url));
    for (let pages = 0; pages < PAGES_AT_MOST; pages += 1) {
      if (isBack(page.url)) return page.url;
      last = page.url;
      page = await next(page);
    }
    throw new Error(`no way on from ${page.url.pathname}`);
  }

  async function next(page: Page): Promise<Page> {
    if (formOf(page, "login") !== undefined) return signIn(page);
    if (formOf(page, "confirm") === undefined) return askForCode(page);
    const after = await confirm(page);
    // The message with the right code was lost: the server ended before it could send it.
    return formOf(after, "confirm") === undefined ? after : askForCode(after);
  }

  function signIn(page: Page): Promise<Page> {
    const fill = ({ type, name }: Input): Fields => {
      if (type === "password") return [[name, customer.password]];
      return type === "text" ? [[name, customer.userId]] : [];
    };
    return traffic.during("other", () => answerForm(browser, page, "Continue", fill));
  }

  async function confirm(page: Page): Promise<Page> {
    const code = await newestCode(webUrl, customer);
    const fill = ({ name }: Input): Fields => (name === "code" ? [[name, code]] : []);
    return traffic.during("confirmation", () => answerForm(browser, page, "Confirm", fill));
  }

  async function askForCode(page: Page): Promise<Page> {
    const form = formOf(page, "code");
    if (form === undefined) throw new Error(`no question at ${page.url.pathname}`);
    const fields = form.inputs.map(({ name, value }) => [name, value] as const);
    return traffic.during("other", () => browser.submit(page, form, fields));
  }

  return { go, lastPage: () => last };
}

/** The page's form that is posted to the address of this name. */
function formOf({ html }: Page, name: "login" | "confirm" | "code"): Form | undefined {
  return formsOf(html).find(({ action }) => action.endsWith(`/${name}`));
}

/** It is sent before the page that asks for it is shown. */
async function newestCode(webUrl: string, { userId }: Customer): Promise<string> {
  const reply = await fetchAlone(new URL(`/sandbox/messages?psu=${userId}`, webUrl));
  if (!reply.ok) throw new PageError(reply, "the phone");
  const [newest] = (await reply.json()) as readonly { readonly code: string }[];
  if (newest === undefined) throw new Error("no code came to the phone");
  return newest.code;
}
