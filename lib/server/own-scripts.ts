import type { ServerResponse } from "node:http";
import { callbackOf } from "./response-guard";

/**
 * Next's script elements, and its hints to load them. React writes `<` in texts and attributes as
 * `&lt;`, and `</script` in scripts as an escape, so that these are elements and their ends.
 */
const scripts = /<script\b([^>]*)>[\s\S]*?<\/script>/g;
const hints = /<link\b(?=[^>]*\bas="script")[^>]*>/g;
const ours = /\ssrc="\/built\/[a-z-]+\.js"/;

/**
 * No page needs the runtime of its framework in the browser: all of them are forms and links. Some 180
 * KiB of script that only repeat what the page says already stay here; what comfort there is comes
 * from modules of our own.
 */
export function withOwnScriptsOnly(html: string): string {
  return html
    .replace(scripts, (element, attributes: string) => (ours.test(attributes) ? element : ""))
    .replace(hints, "");
}

/** Has each HTML answer rewritten, whoever writes it; other answers pass untouched. */
export function rewriteHtml(response: ServerResponse, rewrite: (html: string) => string): void {
  const { write, end } = response;
  const parts: Buffer[] = [];
  Object.assign(response, {
    write: (...all: unknown[]) => {
      if (!isHtml(response)) return Reflect.apply(write, response, all);
      keep(parts, all);
      callbackOf(all)?.();
      return true;
    },
    end: (...all: unknown[]) => {
      if (!isHtml(response)) return Reflect.apply(end, response, all);
      keep(parts, all);
      const html = rewrite(Buffer.concat(parts).toString("utf8"));
      return Reflect.apply(end, response, [html, callbackOf(all)]);
    },
  });
}

export function isHtml(response: ServerResponse): boolean {
  return /^text\/html\b/i.test(String(response.getHeader("content-type")));
}

function keep(parts: Buffer[], [chunk]: readonly unknown[]): void {
  if (typeof chunk === "string") parts.push(Buffer.from(chunk, "utf8"));
  else if (chunk instanceof Uint8Array) parts.push(Buffer.from(chunk));
}
