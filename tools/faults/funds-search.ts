import { table } from "@/cli/tpp/table";
import { granted } from "@/clients/typescript/src";
import { askForFunds } from "@/e2e/harness/asking-for-funds";
import { type BankClock, bankClock, goingBy } from "@/e2e/harness/clock";
import { ANA_CURRENT } from "@/e2e/harness/payment-request";
import { heldConsent } from "@/e2e/harness/psu-by-forms";
import { freshSettings, type ServerSettings, startServer } from "@/e2e/harness/server";
import { testTpp } from "@/e2e/harness/test-tpp";
import { bankProfile } from "@/lib/profile/in-force";
import { inFolder, type Size, type Verdict } from "./campaign";
import { numbers } from "./measuring";

/** How many minor units of the account, which is in lei, are one of another currency's. */
const PER_EURO: Readonly<Record<string, number>> = { RON: 5.09, EUR: 1, USD: 1.16, HUF: 385 };
/** A consent has twenty checks saved up, and gets one back a minute. */
const BURSTS_A_DAY = 3;
const CHECKS_A_BURST = 20;
const PURCHASES_A_DAY = 6;
const REFRESH_MS = 600_000;
/** How much higher the lowest no is than the highest yes, at the least, when a search has ended. */
const CLOSEST = bankProfile().fundsConfirmation.search.closestPercent / 100;

type Bounds = { low: number; high: number };

/** Where a search goes on; `nth` counts its questions. In bani, of which the answer is a fraction of a leu. */
type Strategy = (bounds: Bounds, nth: number) => number;

const strategies: Readonly<Record<string, Strategy>> = {
  "by halves": ({ low, high }) => (low + high) / 2,
  "by halves of the logarithm": ({ low, high }) => Math.sqrt(low * high),
  "by halves, some lei beside": ({ low, high }, nth) => (low + high) / 2 + ((nth * 7_919) % 983),
  "upwards by halves again, then by halves": ({ low, high }, nth) =>
    nth < 30 ? low * CLOSEST + 1 : (low + high) / 2,
  "upwards by fiftieths, from 1,000.00 on": ({ low }) => Math.max(low, 1_000_00) * 1.02 + 1,
};

/** TPPs that look for a balance behind yes and no, day after day, and an ordinary card; `faults` counts days. */
export function fundsSearch({ faults: days, signal }: Size): Promise<Verdict> {
  return inFolder(async (dataDir) => {
    const bank = await freshSettings(dataDir);
    const server = await startServer(bank);
    const clock = bankClock(bank);
    const card = await issuer(bank, clock);
    const searches: Search[] = [];
    // One after the other: the codes of all go to the same phone.
    for (const [name, strategy] of Object.entries(strategies)) {
      searches.push(searching(name, strategy, await issuer(bank, clock)));
    }
    const purchases = { asked: 0, refused: 0 };
    try {
      for (let day = 0; day < days; day += 1) {
        for (let burst = 0; burst < BURSTS_A_DAY; burst += 1) {
          signal.throwIfAborted();
          for (const { goOn } of searches) await goOn(CHECKS_A_BURST);
          await clock.advance("PT20M");
        }
        await buy(card, day, purchases);
        await clock.advance("PT23H");
      }
      return verdict(searches, purchases);
    } finally {
      for (const { close } of [card, ...searches]) await close();
      await server.stop();
    }
  });
}

type Issuer = Awaited<ReturnType<typeof issuer>>;
type Search = ReturnType<typeof searching>;

/** A card's issuer whom the PSU has permitted two consents for the account. */
async function issuer(bank: ServerSettings, clock: BankClock) {
  const tpp = goingBy(clock, await testTpp({ bank, roles: ["PSP_IC"] }));
  const at = { redirectUri: tpp.redirectUri, webUrl: bank.webUrl };
  const permitted = async () => heldConsent(await askForFunds(tpp), at, REFRESH_MS, clock.now);
  const consents = [await permitted(), await permitted()];
  return {
    close: tpp.close,
    /** Undefined: 429. */
    ask: async (bani: number, nth: number, currency = "RON"): Promise<boolean | undefined> => {
      const show = consents[nth % consents.length];
      if (show === undefined) throw new Error("there is no consent");
      const instructedAmount = { currency, amount: (bani / 100).toFixed(2) };
      const question = { account: { iban: ANA_CURRENT }, instructedAmount };
      const reply = await tpp.bank.confirmFunds(await show(), question);
      return reply.status === 429 ? undefined : granted(reply).fundsAvailable;
    },
  };
}

/** A refused question costs a check, and the search passes it over. */
function searching(name: string, strategy: Strategy, { ask, close }: Issuer) {
  const bounds: Bounds = { low: 1, high: 1e10 };
  const counts = { questions: 0, answered: 0, refused: 0 };
  let passedOver = 0;

  function next(): number {
    const { low, high } = bounds;
    const wanted = strategy(bounds, counts.questions) * (1 + passedOver * 0.03);
    return Math.round(Math.min(Math.max(wanted, low + 1), high - 1));
  }

  return {
    ...{ name, bounds, counts, close },
    goOn: async (checks: number) => {
      for (let nth = 0; nth < checks && bounds.high - bounds.low > 1; nth += 1) {
        const currencies = Object.keys(PER_EURO);
        const currency = currencies[counts.questions % currencies.length] ?? "RON";
        const rate = (PER_EURO[currency] ?? 1) / (PER_EURO["RON"] ?? 1);
        const amount = Math.max(1, Math.round(next() * rate));
        const answer = await ask(amount, counts.questions, currency);
        counts.questions += 1;
        if (answer === undefined) {
          counts.refused += 1;
          passedOver = (passedOver + 1) % 20;
          continue;
        }
        counts.answered += 1;
        passedOver = 0;
        if (answer) bounds.low = Math.max(bounds.low, amount / rate);
        else bounds.high = Math.min(bounds.high, amount / rate);
      }
    },
  };
}

/** Mostly small, some ten times as much, and no two alike. */
async function buy(card: Issuer, day: number, counts: { asked: number; refused: number }) {
  for (let nth = 0; nth < PURCHASES_A_DAY; nth += 1) {
    const drawn = (((day * PURCHASES_A_DAY + nth + 1) * 7_919) % 1_009) / 1_009;
    const answer = await card.ask(Math.round(3_00 + 15_00 * (-Math.log(drawn)) ** 1.5), nth);
    counts.asked += 1;
    if (answer === undefined) counts.refused += 1;
  }
}

function verdict(
  searches: readonly Search[],
  purchases: { readonly asked: number; readonly refused: number },
): Verdict {
  const factor = ({ bounds: { low, high } }: Search) => high / low;
  const rows = searches.map((search) => {
    const { questions, answered, refused } = search.counts;
    return [search.name, ...[questions, answered, refused].map(String), factor(search).toFixed(5)];
  });
  const headings = ["Search", "questions", "answered", "429", "lowest no by highest yes"];
  const text = [
    table(numbers(headings), rows),
    `At least ${CLOSEST} is to be left. Purchases by an ordinary card: ${purchases.asked}, refused: ${purchases.refused} (must be 0).`,
  ].join("\n\n");
  const kept = searches.every((search) => factor(search) >= CLOSEST * 0.999);
  return { text, passed: kept && purchases.refused === 0 };
}
