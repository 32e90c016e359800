import { Agent, fetch, Headers, type RequestInit, type Response } from "undici";
import type { Form } from "./html-form";

export type Page = { readonly url: URL; readonly html: string };

/** A browser without scripts: cookies, redirects and forms, nothing else. */
export type Browsing = {
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

export function browsing(isElsewhere: (url: URL) => boolean): Browsing {
  const jar = new Map<string, Cookie>();

  async function exchange(url: URL, init: RequestInit, redirects = 0): Promise<Page> {
    const headers = new Headers(init.headers);
    headers.set("cookie", cookiesFor(jar, url));
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const reply = await fetch(url, { ...init, headers, redirect: "manual", signal, dispatcher });
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

/** A name may stand for different cookies under different paths. */
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
