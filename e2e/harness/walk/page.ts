import type { Page } from "@playwright/test";
import type { ResourceKind } from "@/lib/domain/authorisation";
import { type EndPage, endPages } from "@/lib/psu/pages";
import type { Texts } from "@/lib/psu/texts/en";
import { languageNames, languageOf } from "@/lib/psu/texts/formats";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { aspspProfile } from "@/lib/testing-profile";
import { OWN_PAGE } from "../forms";
import type { Question, Sight } from "./world";

/** What a page has for a PSU who reads it or hears it read out, by roles and names. */
export type Reading = {
  readonly lang: string;
  readonly title: string;
  readonly headings: readonly string[];
  readonly buttons: readonly string[];
  readonly links: readonly string[];
  readonly fields: readonly string[];
  readonly text: string;
};

export function readPage(page: Page): Promise<Reading> {
  return page.evaluate(() => {
    const plain = (text: string | null) => (text === null ? "" : text.replace(/\s+/g, " ").trim());
    const shown = (selector: string) =>
      [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
    const names = (selector: string) =>
      shown(selector).map((element) => plain(element.textContent));
    return {
      lang: document.documentElement.lang,
      title: document.title,
      headings: names("h1"),
      buttons: names("button"),
      links: names("a[href]"),
      fields: names("label"),
      // biome-ignore lint/performance/useDomNodeTextContent: only what is shown is said
      text: plain(document.body.innerText),
    };
  });
}

type Place = Exclude<Sight["at"], "tpp">;
type About = { readonly tppName: string; readonly kind: ResourceKind };

/** As many accounts as anybody in a walk has. */
const COUNTS = [1, 2];
const isEnd = (at: Place): at is EndPage => endPages.some((page) => page === at);

/** What is not as every page of an authorisation has to be: none is well. */
export function pageFaults(reading: Reading, expected: Place, about: About): readonly string[] {
  const language = languageOf(reading.lang);
  if (language === undefined) return [`a page in no language (${reading.lang}): ${reading.text}`];
  const texts = textsFor(language);
  const [heading, ...more] = reading.headings;
  if (heading === undefined || more.length > 0) {
    return [`a page with ${reading.headings.length} headings: ${reading.text.slice(0, 200)}`];
  }
  if (!headingsOf(expected, texts, about).some((wanted) => plain(wanted) === heading)) {
    return [`"${heading}" instead of ${expected}`];
  }
  const titled = reading.title.includes(heading) ? [] : [`the title is ${reading.title}`];
  return [...titled, ...wayFaults(reading, expected, texts, about)];
}

function headingsOf(at: Place, texts: Texts, { tppName, kind }: About): readonly string[] {
  if (isEnd(at)) return [texts.ends[at].heading];
  switch (at) {
    case "login":
      return [texts.login.heading(aspspProfile.name)];
    case "login-again":
      return [texts.loginAgain.heading];
    case "not-yours":
      return [texts.notYours.heading];
    case "accounts":
      return [texts.accounts.heading];
    case "gone":
      return [texts.alone.gone.heading];
    case "confirm":
      return kind === "AIS"
        ? COUNTS.map((count) => texts.summary.heading(texts.quoted(tppName), count))
        : [kind === "PIIS" ? texts.funds.heading(texts.quoted(tppName)) : paymentHeading(texts)];
  }
}

/** The one payment of the walks. */
function paymentHeading(texts: Texts): string {
  const amount = { currency: "RON", minorUnits: 100n };
  return texts.payment.heading(
    amount as Parameters<typeof texts.payment.heading>[0],
    texts.quoted("Popescu Grafic SRL"),
  );
}

/** Exactly one way on and one way back to the TPP; at the end a way back, or words on what to do. */
function wayFaults(reading: Reading, at: Place, texts: Texts, about: About): readonly string[] {
  const { cancel, backTo } = texts.frame;
  const counted = (...names: readonly string[]) =>
    reading.buttons.filter((name) => names.some((wanted) => plain(wanted) === name)).length;
  const back = counted(cancel, backTo(texts.quoted(about.tppName)));
  const on = waysOn(at, reading, texts);
  const ways = `${at} has the buttons ${reading.buttons.join(", ")}`;
  if (at === "gone") {
    const told = reading.text.includes(plain(texts.alone.gone.lead));
    return told && back === 0 ? [] : [`${ways}, and says ${reading.text}`];
  }
  if (isEnd(at)) {
    const lead = plain(texts.ends[at].lead(ended(texts, about)));
    const others = reading.buttons.length - back - languages(reading);
    const told = reading.text.includes(lead);
    return told && back === 1 && others === 0 ? [] : [`${ways}, and says ${reading.text}`];
  }
  return back === 1 && on.some((count) => count === 1) && on.every((count) => count <= 1)
    ? []
    : [ways];
}

function ended({ quoted }: Texts, { tppName, kind }: About) {
  const { name, sca } = aspspProfile;
  return { kind, tpp: quoted(tppName), bankName: name, blockMinutes: sca.blockMinutes };
}

/** How often each button is there that would do. */
function waysOn(at: Place, { buttons }: Reading, { login, accounts, code, passkey }: Texts) {
  const names: Readonly<Record<Question, readonly string[]>> = {
    login: [login.submit],
    "login-again": [login.submit],
    "not-yours": [login.submit],
    accounts: [accounts.submit],
    confirm: [code.submit, code.sendFirst, passkey.submit, passkey.sendCode],
  };
  const wanted = at in names ? names[at as Question] : [];
  return wanted.map((name) => buttons.filter((button) => button === name).length);
}

function languages({ buttons }: Reading): number {
  const names: readonly string[] = Object.values(languageNames);
  return buttons.filter((button) => names.includes(button)).length;
}

/** Texts have narrow and unbreakable blanks, which a reader does not tell apart. */
export function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

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
/** `clicks`: two at once on the button; `posts`: the same form twice in parallel. */
export type Twice = "clicks" | "posts";

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
