import { table } from "@/cli/tpp/table";
import { bankClock } from "@/e2e/harness/clock";
import { freshSettings, startServer } from "@/e2e/harness/server";
import {
  answerForm,
  browsing,
  credentials,
  type Fields,
  type Input,
  inCodeField,
  messagesOn,
  newestCode,
  type Page,
} from "@/tools/psu-by-forms";
import { inFolder, type Size, type Verdict } from "./campaign";

const CUSTOMER = { userId: "mihai", password: "mihai-sandbox" };
const TRIES_A_QUARTER = 6;
const QUARTERS_AN_HOUR = 4;
const CUSTOMERS_ADDRESS = "127.0.0.200";

/** What the page says, by a part of its words. */
const answers = {
  wrong: "User ID and password do not match",
  "wrong code": "The code is wrong",
  "network waits": "wrong tries came from your network",
  "blocked for good": "wrong codes signing in is blocked until",
  blocked: "signing in is blocked",
  "asked for the code": "Enter the code to sign in",
  "signed in": "Your permissions",
} as const;
type Answer = keyof typeof answers | "else";
type Counts = Readonly<Partial<Record<Answer, number>>>;

/**
 * A stranger types wrong passwords for a customer from one address for hours of the bank's time, then from several;
 * `faults` counts the hours, `clients` the addresses.
 */
export function passwordGuessing({ faults: hours, clients: addresses, signal }: Size) {
  return inFolder(async (dataDir) => {
    const settings = await freshSettings(dataDir);
    const shared = { ...settings.shared, WEB_CLIENT_ADDRESS: "socket" };
    const server = await startServer({ ...settings, shared });
    try {
      return await guessing(settings.webUrl, hours, addresses, signal);
    } finally {
      await server.stop();
    }
  });
}

async function guessing(
  webUrl: string,
  hours: number,
  addresses: number,
  signal: AbortSignal,
): Promise<Verdict> {
  const strange = Array.from({ length: addresses }, (_, nth) => `127.0.0.${10 + nth}`);
  const one = await attack(webUrl, strange.slice(0, 1), hours, signal);
  const afterOne = await signInLater(webUrl);
  const several = await attack(webUrl, strange, hours, signal);
  const afterSeveral = await signInLater(webUrl);
  const messages = await messagesOn(webUrl, CUSTOMER.userId);
  const notices = messages.filter(({ code }) => typeof code !== "string").length;
  const codes = await wrongCodes(webUrl);
  return verdictOf({ one, afterOne, several, afterSeveral, notices, codes });
}

/** Some tries from each address in each quarter of an hour. */
async function attack(
  webUrl: string,
  from: readonly string[],
  hours: number,
  signal: AbortSignal,
): Promise<Counts> {
  const counts: Partial<Record<Answer, number>> = {};
  const strangers = from.map((address) => atSignIn(webUrl, address));
  for (let quarter = 0; quarter < hours * QUARTERS_AN_HOUR; quarter += 1) {
    for (const stranger of strangers) {
      for (let tries = 0; tries < TRIES_A_QUARTER; tries += 1) {
        signal.throwIfAborted();
        const answer = await stranger.password("wrong");
        counts[answer] = (counts[answer] ?? 0) + 1;
      }
    }
    await pass(webUrl, 15);
  }
  return counts;
}

/** The customer, once the last block can be over. */
async function signInLater(webUrl: string): Promise<Answer> {
  await pass(webUrl, 15);
  const customer = atSignIn(webUrl, CUSTOMERS_ADDRESS);
  const asked = await customer.password(CUSTOMER.password);
  return asked === "asked for the code" ? customer.code(await codeNow(webUrl)) : asked;
}

/** Somebody who knows the password guesses codes: twice five, and whatever follows. */
async function wrongCodes(webUrl: string): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let round = 0; round < 3; round += 1) {
    const thief = atSignIn(webUrl, `127.0.0.${100 + round}`);
    let answer = await thief.password(CUSTOMER.password);
    for (let tries = 0; answer === "asked for the code" || answer === "wrong code"; tries += 1) {
      const right = await codeNow(webUrl);
      if (tries === 9) break;
      answer = await thief.code(String((Number(right) + 1) % 1_000_000).padStart(6, "0"));
    }
    answers.push(answer);
    await pass(webUrl, 15);
  }
  return answers;
}

/** A browser without scripts at the bank's own sign-in. */
function atSignIn(webUrl: string, address: string) {
  const browser = browsing(() => false, address);
  let page: Page | undefined;
  const typed = async (button: string, fill: (input: Input) => Fields) => {
    page ??= await browser.open(new URL("/sign-in", webUrl));
    page = await answerForm(browser, page, button, fill);
    return answerOf(page);
  };
  return {
    password: async (password: string) => {
      page = undefined;
      return typed("Continue", credentials({ ...CUSTOMER, password }));
    },
    code: (code: string) => typed("Sign in", inCodeField(code)),
  };
}

function answerOf({ html }: Page): Answer {
  const found = Object.entries(answers).find(([, words]) => html.includes(words));
  return (found?.[0] as Answer | undefined) ?? "else";
}

const pass = (webUrl: string, minutes: number) => bankClock({ webUrl }).advance(`PT${minutes}M`);
const codeNow = (webUrl: string) => newestCode(webUrl, CUSTOMER.userId);

type Found = {
  readonly one: Counts;
  readonly afterOne: Answer;
  readonly several: Counts;
  readonly afterSeveral: Answer;
  readonly notices: number;
  readonly codes: readonly Answer[];
};

function verdictOf({ one, afterOne, several, afterSeveral, notices, codes }: Found): Verdict {
  const names = ["wrong", "network waits", "blocked", "blocked for good", "else"] as const;
  const row = (what: string, counts: Counts, then: Answer) => [
    what,
    ...names.map((name) => String(counts[name] ?? 0)),
    then,
  ];
  const headings = ["Wrong passwords from", ...names, "the customer then"];
  const heads = headings.map((heading) => ({ heading }));
  const rows = [row("one address", one, afterOne), row("several addresses", several, afterSeveral)];
  const summary = `notices to the customer: ${notices}; wrong codes end with: ${codes.join(", ")}`;
  const passed =
    afterOne === "signed in" &&
    afterSeveral === "signed in" &&
    (one["network waits"] ?? 0) > (one.blocked ?? 0) &&
    (several.else ?? 0) + (one.else ?? 0) === 0 &&
    notices === 2 &&
    codes.join() === "blocked,blocked,blocked for good";
  return { text: `${table(heads, rows)}\n\n${summary}`, passed };
}
