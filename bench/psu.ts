import { setTimeout as wait } from "node:timers/promises";
import { answerForm } from "./answer-form";
import { type Browsing, browsing, type Page } from "./browsing";
import { formsOf } from "./html-form";

const ANA = { userId: "ana", password: "ana-sandbox" } as const;
const CODE_LIMIT_MS = 10_000;

type Psu = { readonly userId: string; readonly password: string };

/** Who agrees, and where the code comes from that the bank sends them. */
export type Agreeing = Psu & { readonly code: () => Promise<string> };

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
  const { url } = await agree(browser, login, { ...psu, code: () => newestCode(webUrl, psu) });
  if (!isTpps(url)) throw new Error(`stranded at ${url.pathname}`);
  return url;
}

/** From the login: shares all accounts where asked which, and confirms. */
export async function agree(
  browser: Browsing,
  login: Page,
  { userId, password, code }: Agreeing,
): Promise<Page> {
  const next = await answerForm(browser, login, "Continue", ({ type, name }) => {
    if (type === "password") return [[name, password]];
    return type === "text" ? [[name, userId]] : [];
  });
  const summary = hasButton(next, "Confirm")
    ? next
    : await answerForm(browser, next, "Continue", ({ type, name, value }) =>
        type === "checkbox" ? [[name, value]] : [],
      );
  const sent = await code();
  return answerForm(browser, summary, "Confirm", ({ type, name }) =>
    type === "hidden" || type === "checkbox" ? [] : [[name, sent]],
  );
}

function hasButton({ html }: Page, text: string): boolean {
  return formsOf(html).some(({ buttons }) => buttons.some((button) => button.text === text));
}

/** From the sandbox's phone; the message may come a little after the page that asks for it. */
async function newestCode(webUrl: string, { userId }: Psu): Promise<string> {
  const deadline = performance.now() + CODE_LIMIT_MS;
  while (performance.now() < deadline) {
    const reply = await fetch(`${webUrl}/sandbox/messages?psu=${userId}`);
    const [newest] = (await reply.json()) as readonly { readonly code: string }[];
    if (newest !== undefined) return newest.code;
    await wait(200);
  }
  throw new Error("no code came to the phone");
}
