import { type OutcomeName, outcomes } from "@/lib/psu/outcome";
import { languageOf } from "@/lib/psu/texts/formats";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { kindOf, type Wish } from "./asking";
import { forgotten } from "./attempts";
import { uidIn } from "./journeys";
import { currentRequest, type Lane, WalkError } from "./lane";
import { type Leading, moveFor } from "./moves";
import { type Reading, readPage } from "./reading";
import { pageFaults, plain } from "./recognise";
import { arrivals, requestOf, returnFaults } from "./returns";
import type { Step } from "./steps";
import { synchronised } from "./sync";
import { asked, requestAt, type Sight, sca, type Turn } from "./world";

/** A new request of the TPP's, whose link is followed in the first tab. */
export async function begin(lane: Lane, wish: Wish): Promise<void> {
  const { walker } = lane;
  await atTheBank(lane);
  lane.askings.push(await lane.asksFor(wish, walker));
  const about = { kind: kindOf[wish], oneOff: wish === "one-off" };
  lane.world = asked(lane.world, about, lane.clock.now().getTime());
  lane.doubtful = false;
  await walk(lane, { act: `begin ${wish}`, tab: 0 });
}

/** Texts are counted by the hour; and every other time the bank's staff lifts a block. */
async function atTheBank(lane: Lane): Promise<void> {
  const { walker, passerBy, people, askings } = lane;
  for (const { userId } of [walker, passerBy]) {
    await people.textsForgotten(userId);
    const row = lane.world.rows.get(userId);
    const { count = 0, codes = 0 } = row ?? {};
    const blocked = count >= sca.failedAttemptsMax || codes >= sca.secondFactorFailuresMax;
    if (!blocked || askings.length % 2 === 0) continue;
    await people.unlock(userId);
    lane.world = forgotten(lane.world, userId);
  }
}

/** One step. False when the page does not offer it. */
export async function walk(lane: Lane, step: Step): Promise<boolean> {
  const move = moveFor(lane, step);
  if (move === undefined) return false;
  const { act, tab, twice } = step;
  const at = lane.log.push(`tab ${tab}: ${act}${twice === undefined ? "" : `, two ${twice}`}`) - 1;
  if ("aside" in move) {
    await move.aside();
    lane.world = move.after(lane.world, lane.clock.now().getTime());
    return true;
  }
  await led(lane, tab, move, twice !== undefined);
  const sight = lane.shown[tab]?.sight;
  lane.log[at] += ` -> ${sight === undefined ? "nowhere" : Object.values(sight).join(" ")}`;
  return true;
}

async function led(lane: Lane, tab: 0 | 1, { act, rule }: Leading, twice: boolean) {
  const { page, leads } = lane.tabs[tab];
  const now = lane.clock.now().getTime();
  const { from, faults } = await leads(() => act(page));
  if (faults.length > 0) throw new WalkError(faults.join("; "));
  if (from === undefined) {
    // Back to where the tab began, which is no page.
    if (page.url() === "about:blank") lane.shown[tab] = undefined;
    return;
  }
  const url = new URL(page.url());
  const atBank = url.origin === lane.bank.webUrl;
  const uid = atBank ? uidIn(url) : undefined;
  if (uid !== undefined && !lane.requestOf.has(uid)) lane.requestOf.set(uid, currentRequest(lane));
  const came = arrivals(lane);
  const turn = rule(lane.world, { from, uid, now });
  if (turn === undefined) {
    // The TPP's own page once more, or none: no answer of the bank's.
    if (came.some((one) => !lane.came.has(one))) throw new WalkError(`at the TPP again: ${came}`);
    lane.shown[tab] = undefined;
    return;
  }
  const reading = atBank ? await readPage(page) : undefined;
  const second = twice ? rule(turn.world, { from, uid, now }) : undefined;
  const meant = [turn, ...(second === undefined ? [] : [second])];
  const verdicts = meant.map((one) => faultsOf(lane, { turn: one, came, reading, url, twice }));
  const fits = verdicts.findIndex((found) => found.length === 0);
  if (fits < 0) throw new WalkError(verdicts.map((found) => found.join("; ")).join(" / or: "));
  const { sight, world } = meant[fits] ?? turn;
  for (const one of came) lane.came.add(one);
  await taken(lane, { turn: { sight, world }, came, now, twice });
  const serial = lane.world.session?.serial;
  const known = uid ?? lane.shown[tab]?.uid;
  lane.shown[tab] = {
    sight,
    ...(known !== undefined && { uid: known }),
    ...(serial !== undefined && { serial }),
    ...(reading !== undefined && { reading }),
  };
}

type Taken = {
  readonly turn: Turn;
  readonly came: readonly string[];
  readonly now: number;
  readonly twice: boolean;
};

/** From here on this is how things are. */
async function taken(lane: Lane, { turn: { sight, world }, came, now, twice }: Taken) {
  const index = currentRequest(lane);
  const sentBefore = requestAt(lane.world, index).codesSent;
  lane.world = twice ? await synchronised(lane, world) : world;
  if (!twice && requestAt(world, index).codesSent > sentBefore) lane.doubtful = false;
  if (sight.at !== "tpp" || sight.reply !== "code") return;
  for (const url of came) {
    lane.codes.push({ request: requestOf(lane, new URL(url).searchParams), url, at: now });
  }
}

type Outcome = {
  readonly turn: Turn;
  readonly came: readonly string[];
  readonly reading: Reading | undefined;
  readonly url: URL;
  readonly twice: boolean;
};

/** What is not as the rules have it. Which of two answers at once is told of last is anybody's guess. */
function faultsOf(lane: Lane, { turn, came, reading, url, twice }: Outcome): readonly string[] {
  const { sight } = turn;
  if (sight.at === "tpp") {
    const shows = `${url.href} shows ${reading?.headings.join()}`;
    return returnFaults(lane, turn, came).map((fault) => `${fault}; ${shows}`);
  }
  const stray = came.map((one) => `the TPP was told ${one}, and ${sight.at} was due`);
  if (reading === undefined) return [...stray, `at ${url.href} instead of ${sight.at}`];
  const index = lane.requestOf.get(String(uidIn(url))) ?? currentRequest(lane);
  const { kind } = requestAt(turn.world, index);
  const faults = [...stray, ...pageFaults(reading, sight.at, { tppName: lane.tppName, kind })];
  return twice ? faults : [...faults, ...wordFaults(reading, sight)];
}

function wordFaults({ lang, text }: Reading, sight: Exclude<Sight, { at: "tpp" }>) {
  const language = languageOf(lang);
  const { says, attemptsLeft, at } = sight;
  if (says === undefined || language === undefined || !canSay(at, says)) return [];
  const said = plain(textsFor(language).outcomes[says].text(attemptsLeft));
  return text.includes(said) ? [] : [`nothing is said of ${says} ${attemptsLeft}: ${text}`];
}

/** Of a wrong password nothing is said where another tab has signed in meanwhile. */
function canSay(at: string, says: OutcomeName): boolean {
  const pages: readonly string[] = outcomes[says];
  return pages.includes(at === "confirm" ? "summary" : at);
}
