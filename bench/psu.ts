import { setTimeout as wait } from "node:timers/promises";
import { answerForm } from "./answer-form";
import { browsing, type Page } from "./browsing";
import { formsOf } from "./html-form";

const PSU = { userId: "ana", password: "ana-sandbox" } as const;
const CODE_LIMIT_MS = 10_000;

/** The demo PSU logs in, shares all accounts where asked which, and confirms; where the bank then leads. */
export async function authoriseAsPsu(
  authorisation: URL,
  redirectUri: string,
  webUrl: string,
): Promise<URL> {
  const browser = browsing(redirectUri);
  const login = await browser.open(authorisation);
  const next = await answerForm(browser, login, "Continue", ({ type, name }) => {
    if (type === "password") return [[name, PSU.password]];
    return type === "text" ? [[name, PSU.userId]] : [];
  });
  const summary = hasButton(next, "Confirm")
    ? next
    : await answerForm(browser, next, "Continue", ({ type, name, value }) =>
        type === "checkbox" ? [[name, value]] : [],
      );
  const code = await newestCode(webUrl);
  const end = await answerForm(browser, summary, "Confirm", ({ type, name }) =>
    type === "hidden" || type === "checkbox" ? [] : [[name, code]],
  );
  if (!end.url.href.startsWith(redirectUri)) throw new Error(`stranded at ${end.url.pathname}`);
  return end.url;
}

function hasButton({ html }: Page, text: string): boolean {
  return formsOf(html).some(({ buttons }) => buttons.some((button) => button.text === text));
}

/** From the sandbox's phone; the message may come a little after the page that asks for it. */
async function newestCode(webUrl: string): Promise<string> {
  const deadline = performance.now() + CODE_LIMIT_MS;
  while (performance.now() < deadline) {
    const reply = await fetch(`${webUrl}/sandbox/messages?psu=${PSU.userId}`);
    const [newest] = (await reply.json()) as readonly { readonly code: string }[];
    if (newest !== undefined) return newest.code;
    await wait(200);
  }
  throw new Error("no code came to the phone");
}
