import { setTimeout as wait } from "node:timers/promises";
import { type Browsing, browsing, type Fields, type Page } from "./browsing";
import { type Form, formsOf, type Input } from "./html-form";

const PSU = { userId: "ana", password: "ana-sandbox" } as const;
const CODE_LIMIT_MS = 10_000;

/** The demo PSU logs in, shares all accounts and confirms; the address the bank then leads back to. */
export async function authoriseAsPsu(
  authorisation: URL,
  redirectUri: string,
  webUrl: string,
): Promise<URL> {
  const browser = browsing(redirectUri);
  const login = await browser.open(authorisation);
  const accounts = await answer(browser, login, "Continue", ({ type, name }) => {
    if (type === "password") return [[name, PSU.password]];
    return type === "text" ? [[name, PSU.userId]] : [];
  });
  const summary = await answer(browser, accounts, "Continue", ({ type, name, value }) =>
    type === "checkbox" ? [[name, value]] : [],
  );
  const code = await newestCode(webUrl);
  const end = await answer(browser, summary, "Confirm", ({ type, name }) =>
    type === "hidden" || type === "checkbox" ? [] : [[name, code]],
  );
  if (!end.url.href.startsWith(redirectUri)) throw new Error(`stranded at ${end.url.pathname}`);
  return end.url;
}

/** Fills in the page's form that has this button, and presses it. */
function answer(
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
