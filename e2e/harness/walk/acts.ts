import type { Page } from "@playwright/test";
import { OWN_PAGE } from "../forms";
import type { Twice } from "./steps";

/** What is filled in and pressed, by the names that a reader finds or hears. */
export type Filling = {
  readonly fields?: Readonly<Record<string, string>>;
  /** Of the accounts, or the box that stands for all of them. */
  readonly tick?: "none" | "one" | { readonly all: string };
  /** A button's or a link's. */
  readonly press: string;
};

export const AT_COMMIT = { waitUntil: "commit" } as const;

/**
 * Answers a page: once, with two clicks at once, or with a form that goes out twice in parallel. It is
 * done within the page, which is many times as quick as by keyboard and mouse.
 */
export async function answer(page: Page, filling: Filling, twice?: Twice): Promise<void> {
  if (twice === undefined) {
    await page.evaluate(fillIn, { ...filling, pressIt: true }).catch(unlessGone);
    return;
  }
  const form = await page.evaluate(fillIn, { ...filling, pressIt: false });
  if (twice === "clicks") {
    const button = page.getByRole("button", { name: filling.press, exact: true });
    const handle = await button.elementHandle();
    const click = () => handle?.evaluate((element: HTMLButtonElement) => element.click());
    await Promise.all([click()?.catch(unlessGone), click()?.catch(unlessGone)]);
    return;
  }
  const headers = { ...OWN_PAGE, "content-type": "application/x-www-form-urlencoded" };
  const options = { data: form.data, headers, maxRedirects: 0 };
  const send = () => page.request.post(form.action, options);
  const answers = await Promise.all([send(), send()]);
  for (const one of answers) {
    if (one.status() !== 303) throw new Error(`${form.action} answers ${one.status()}`);
  }
  const location = String(answers[0]?.headers()["location"]);
  await page.goto(new URL(location, form.action).href, AT_COMMIT);
}

/** The browser may be on its way before it can tell that the button was pressed. */
function unlessGone(error: unknown): void {
  const gone = /context was destroyed|not attached|disposed|navigat/i;
  if (!(error instanceof Error) || !gone.test(error.message)) throw error;
}

type InPage = Filling & { readonly pressIt: boolean };

/** Runs in the page. */
function fillIn({ fields = {}, tick, press, pressIt }: InPage) {
  const plain = (text: string | null) => String(text).replace(/\s+/g, " ").trim();
  const named = <Found extends Element>(selector: string, wanted: (name: string) => boolean) =>
    [...document.querySelectorAll<Found & Element>(selector)].filter(
      (element) => element.checkVisibility() && wanted(plain(element.textContent)),
    );
  const inputs = (wanted: (name: string) => boolean) =>
    named<HTMLLabelElement>("label", wanted).map(({ control }) => control as HTMLInputElement);
  for (const [name, value] of Object.entries(fields)) {
    for (const input of inputs((label) => label === name)) input.value = value;
  }
  if (tick !== undefined) {
    const accounts = inputs((label) => /RO\d{2}/.test(label));
    for (const [at, box] of accounts.entries()) box.checked = tick === "one" && at === 0;
    const all = typeof tick === "object" ? tick.all : undefined;
    for (const box of inputs((label) => label.startsWith(String(all)))) box.checked = true;
  }
  const [control] = named<HTMLButtonElement>("button, a[href]", (name) => name === press);
  if (control === undefined) throw new Error(`there is no ${press} on ${document.title}`);
  const form = control.form ?? undefined;
  const pairs = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  if (pressIt) control.click();
  return { action: String(form?.action), data: new URLSearchParams(pairs).toString() };
}

export function otherThan(code: string): string {
  return code.replace(/.$/, (last) => String((Number(last) + 1) % 10));
}
