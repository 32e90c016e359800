import { setTimeout as wait } from "node:timers/promises";
import { Agent, fetch, Headers, type RequestInit, type Response } from "undici";

/**
 * A PSU without a browser, for the bench, the faults and those end-to-end tests that are about what comes of an
 * authorisation: it reads the pages' forms and posts them, with cookies and redirects.
 */
const ANA = { userId: "ana", password: "ana-sandbox" } as const;
const CODE_LIMIT_MS = 30_000;

type Psu = { readonly userId: string; readonly password: string };

/** Who agrees, and where the code comes from that the bank sends them. */
type Agreeing = Psu & { readonly code: () => Promise<string> };

/** A PSU agrees, the demo bank's first one unless another is named; where the bank then leads. */
export async function authoriseAsPsu(
  authorisation: URL,
  redirectUri: string,
  webUrl: string,
  psu: Psu = ANA,
): Promise<URL> {
  const isTpps = (url: URL) => url.href.startsWith(redirectUri);
  const browser = browsing(isTpps);
  const login = await browser.open(authorisation);
  const [before] = await messagesOn(webUrl, psu.userId);
  const code = () => nextCode(webUrl, psu, before);
  const { url } = await agree(browser, login, { ...psu, code });
  if (!isTpps(url)) throw new Error(`stranded at ${url.pathname}`);
  return url;
}

/** From the login: shares all accounts where asked which, and confirms. */
export async function agree(browser: Browsing, login: Page, psu: Agreeing): Promise<Page> {
  const next = await answerForm(browser, login, "Continue", credentials(psu));
  const summary = hasButton(next, "Confirm")
    ? next
    : await answerForm(browser, next, "Continue", everyAccount);
  return answerForm(browser, summary, "Confirm", inCodeField(await psu.code()));
}

export const credentials =
  ({ userId, password }: Psu) =>
  ({ type, name }: Input): Fields => {
    if (type === "password") return [[name, password]];
    return type === "text" ? [[name, userId]] : [];
  };

export const everyAccount = ({ type, name, value }: Input): Fields =>
  type === "checkbox" ? [[name, value]] : [];

export const inCodeField =
  (code: string) =>
  ({ name }: Input): Fields =>
    name === "code" ? [[name, code]] : [];

function hasButton({ html }: Page, text: string): boolean {
  return formsOf(html).some(({ buttons }) => buttons.some((button) => button.text === text));
}

/** A notice has no code. */
type Message = { readonly sentAt: string; readonly code?: string | null };

/** On the sandbox's phone, the newest first. */
export async function messagesOn(webUrl: string, userId: string): Promise<readonly Message[]> {
  const reply = await fetchAlone(new URL(`/sandbox/messages?psu=${userId}`, webUrl));
  if (!reply.ok) throw new PageError(reply, "the phone");
  return (await reply.json()) as readonly Message[];
}

/** Where it is sent before the page that asks for it is shown. */
export async function newestCode(webUrl: string, userId: string): Promise<string> {
  const codes = (await messagesOn(webUrl, userId)).flatMap(({ code }) => code ?? []);
  if (codes[0] === undefined) throw new Error("no code came to the phone");
  return codes[0];
}

/** The message may come a little after the page that asks for it; until then `before` is the newest. */
async function nextCode(webUrl: string, psu: Psu, before: Message | undefined): Promise<string> {
  const deadline = performance.now() + CODE_LIMIT_MS;
  while (performance.now() < deadline) {
    const [newest] = await messagesOn(webUrl, psu.userId);
    const isNew = newest?.sentAt !== before?.sentAt || newest?.code !== before?.code;
    if (newest?.code && isNew) return newest.code;
    await wait(200);
  }
  throw new Error("no code came to the phone");
}

/** Fills in the page's form that has this button, and presses it. */
export function answerForm(
  browser: Browsing,
  page: Page,
  button: string,
  fill: (input: Input) => Fields,
): Promise<Page> {
  const forms = formsOf(page.html).flatMap((form) => {
    const pressed = form.buttons.find(({ text }) => text === button);
    return pressed === undefined ? [] : [{ form, pressed }];
  });
  const [found] = forms;
  if (found === undefined) throw new Error(`no button "${button}" at ${page.url.pathname}`);
  const { form, pressed } = found;
  const named = pressed.name === "" ? [] : [[pressed.name, pressed.value] as const];
  return browser.submit(page, form, [...hidden(form), ...form.inputs.flatMap(fill), ...named]);
}

function hidden({ inputs }: Form): Fields {
  return inputs.filter(({ type }) => type === "hidden").map(({ name, value }) => [name, value]);
}

export type Page = { readonly url: URL; readonly html: string };

/** A browser without scripts: cookies, redirects and forms, nothing else. */
type Browsing = {
  /** Follows redirects; one that leads elsewhere is not followed but returned as it is. */
  readonly open: (url: URL) => Promise<Page>;
  readonly submit: (page: Page, form: Form, fields: Fields) => Promise<Page>;
};
export type Fields = readonly (readonly [name: string, value: string])[];

/** A page that is not one to go on from. */
export class PageError extends Error {
  override readonly name = "PageError";
  readonly status: number;
  readonly retryAfter: string | null;
  constructor({ status, headers }: Pick<Response, "status" | "headers">, path: string) {
    super(`HTTP ${status} from ${path}`);
    this.status = status;
    this.retryAfter = headers.get("retry-after");
  }
}

type Cookie = { readonly name: string; readonly value: string; readonly path: string };

const REDIRECTS_AT_MOST = 10;
const PATIENCE_MS = 30_000;
/** Each request on a connection of its own: one kept idle may end in the moment in which it is used again. */
const dispatcher = new Agent({ pipelining: 0 });

/** A GET on a connection of its own. */
export const fetchAlone = (url: URL): Promise<Response> => fetch(url, { dispatcher });

/** `from`: the IPv4 address of this machine that it calls from. */
export function browsing(isElsewhere: (url: URL) => boolean, from?: string): Browsing {
  const own = from === undefined ? dispatcher : new Agent({ pipelining: 0, localAddress: from });
  const jar = new Map<string, Cookie>();

  async function exchange(url: URL, init: RequestInit, redirects = 0): Promise<Page> {
    const headers = new Headers(init.headers);
    headers.set("cookie", cookiesFor(jar, url));
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const reply = await fetch(url, {
      ...init,
      headers,
      redirect: "manual",
      signal,
      dispatcher: own,
    });
    for (const line of reply.headers.getSetCookie()) keep(jar, line);
    const html = await reply.text();
    const location = reply.headers.get("location") ?? refreshOf(html);
    if (location !== undefined) {
      const next = new URL(location, url);
      if (isElsewhere(next)) return { url: next, html: "" };
      if (redirects === REDIRECTS_AT_MOST)
        throw new Error(`redirected too often: ${next.pathname}`);
      return exchange(next, { method: "GET" }, redirects + 1);
    }
    if (!reply.ok) throw new PageError(reply, url.pathname);
    return { url, html };
  }

  return {
    open: (url) => exchange(url, { method: "GET" }),
    submit: (page, form, fields) =>
      exchange(new URL(form.action, page.url), {
        method: "POST",
        headers: { origin: page.url.origin },
        body: new URLSearchParams(fields.map(([name, value]) => [name, value])),
      }),
  };
}

/** Where a page that only leads on leads to. */
function refreshOf(html: string): string | undefined {
  const content = /<meta http-equiv="refresh" content="0;url=([^"]*)"/i.exec(html)?.[1];
  return content?.replaceAll("&amp;", "&");
}

/** Cookies of one name differ by path. */
function keep(jar: Map<string, Cookie>, line: string): void {
  const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
  const at = pair.indexOf("=");
  const path = attributes.find((one) => /^path=/i.test(one))?.slice("path=".length) ?? "/";
  const name = pair.slice(0, at);
  jar.set(`${path} ${name}`, { name, value: pair.slice(at + 1), path });
}

function cookiesFor(jar: ReadonlyMap<string, Cookie>, { pathname }: URL): string {
  return [...jar.values()]
    .filter(({ path, value }) => value !== "" && pathname.startsWith(path))
    .map(({ name, value }) => `${name}=${value}`)
    .join("; ");
}

export type Input = {
  readonly type: string;
  readonly name: string;
  readonly value: string;
  readonly checked: boolean;
};

/** A form as a browser without scripts sees it. */
export type Form = {
  readonly action: string;
  readonly inputs: readonly Input[];
  /** With the text on them; a nameless button sends nothing of its own. */
  readonly buttons: readonly {
    readonly text: string;
    readonly name: string;
    readonly value: string;
  }[];
};

/** The forms of one of our own pages: React writes every value in double quotes. */
export function formsOf(html: string): readonly Form[] {
  const all = buttonsIn(html);
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, head = "", inner = ""]) => {
    // A form that names no address is sent to the page it stands on.
    const { action = "", id } = attributes(head);
    const within = buttonsIn(inner).filter(({ form }) => form === undefined);
    // A button may stand elsewhere on the page and name its form.
    const outside = all.filter(({ form }) => form !== undefined && form === id);
    return {
      action,
      inputs: [...inner.matchAll(/<input\b([^>]*)>/g)].map(([, own = ""]) => inputOf(own)),
      buttons: [...within, ...outside].map(({ form: _, ...button }) => button),
    };
  });
}

function buttonsIn(html: string) {
  return [...html.matchAll(/<button\b([^>]*)>(.*?)<\/button>/gs)].map(
    ([, own = "", content = ""]) => {
      const { name = "", value = "", form } = attributes(own);
      return { name, value, form, text: decoded(content.replace(/<[^>]*>/g, "")).trim() };
    },
  );
}

function inputOf(head: string): Input {
  const { type = "text", name = "", value, checked } = attributes(head);
  return {
    type,
    name,
    value: value ?? (type === "checkbox" ? "on" : ""),
    checked: checked !== undefined,
  };
}

function attributes(head: string): Readonly<Record<string, string>> {
  const pairs = [...head.matchAll(/([\w-]+)(?:="([^"]*)")?/g)];
  return Object.fromEntries(
    pairs.map(([, name = "", value = ""]) => [name.toLowerCase(), decoded(value)]),
  );
}

const NAMED: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  amp: "&",
};

function decoded(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return NAMED[name] ?? whole;
  });
}
