import { type OutcomeName, outcomes } from "@/lib/psu/outcome";
import { languageOf } from "@/lib/psu/texts/formats";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { kindOf, type Wish } from "./asking";
import { currentAsking, currentRequest, type Lane, WalkError } from "./lane";
import { type Leading, moveFor, type Step, uidIn } from "./moves";
import { pageFaults, plain, type Reading, readPage } from "./page";
import {
  asked,
  changed,
  forgotten,
  type Reply,
  type Request,
  requestAt,
  type Sight,
  sca,
  settled,
  type Turn,
  type World,
  withoutCode,
} from "./world";

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
  const meant = [turn, ...(second === undefined ? [] : [second, ...overtakenBy(second)])];
  const verdicts = meant.map((one) => faultsOf(lane, { turn: one, came, reading, url, twice }));
  const fits = verdicts.findIndex((found) => found.length === 0);
  if (fits < 0) throw new WalkError(verdicts.map((found) => found.join("; ")).join(" / or: "));
  const { sight, world } = meant[fits] ?? turn;
  for (const one of came) lane.came.add(one);
  await taken(lane, { turn: { sight, world }, came, now, twice });
  const serial = lane.world.session?.serial;
  const known = uid ?? lane.shown[tab]?.uid;
  const index = lane.requestOf.get(String(known));
  const chosen = index === undefined ? undefined : requestAt(lane.world, index).chosen;
  lane.shown[tab] = {
    sight,
    ...(known !== undefined && { uid: known }),
    ...(serial !== undefined && { serial }),
    ...(chosen !== undefined && { chosen }),
    ...(reading !== undefined && { reading }),
  };
}

/** The last attempt has ended the request before the page is read to which the answer of the one before leads. */
function overtakenBy({ sight, world }: Turn): readonly Turn[] {
  const isEnd = sight.at === "tpp" && sight.reply === "access_denied";
  return isEnd ? [{ world, sight: { at: "gone" } }] : [];
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
  const said = plain(textsFor(language).outcomes[says](attemptsLeft));
  return text.includes(said) ? [] : [`nothing is said of ${says} ${attemptsLeft}: ${text}`];
}

/** Of a wrong password nothing is said where another tab has signed in meanwhile. */
function canSay(at: string, says: OutcomeName): boolean {
  const pages: readonly string[] = outcomes[says].pages;
  return pages.includes(at === "confirm" ? "summary" : at);
}

/** All that has come to the TPP for this browser since it was last looked at. */
function arrivals({ askings, callbacks }: Lane): readonly string[] {
  return askings.flatMap(({ state }) => callbacks.received(state));
}

/** The TPP is told once, at the address it has signed for, with `code` or `error`, `state` and `iss`. */
function returnFaults(
  lane: Lane,
  { sight, world }: Turn,
  came: readonly string[],
): readonly string[] {
  if (sight.at !== "tpp") return [];
  const { reply } = sight;
  const [href, ...more] = came;
  if (href === undefined || more.length > 0) return [`${reply} was due, and came: ${came.join()}`];
  const { origin, pathname, searchParams } = new URL(href);
  const index = requestOf(lane, searchParams);
  const request = index < 0 ? undefined : requestAt(world, index);
  const path = reply === "code" || reply === "invalid_scope" ? "/callback" : "/nok";
  const agrees = reply === "invalid_scope" || request?.status === settledBy[reply];
  const fits =
    origin + pathname === lane.callbacks.origin + path &&
    searchParams.getAll("iss").join() === lane.bank.xs2aUrl &&
    searchParams.getAll("state").length === 1 &&
    replyIn(searchParams) === reply &&
    agrees;
  // A code is made for each page once.
  const isNew = reply !== "code" || !lane.came.has(href);
  return fits && isNew ? [] : [`${reply} was due, and ${href} came`];
}

function requestOf({ askings }: Lane, searchParams: URLSearchParams): number {
  return askings.findIndex(({ state }) => state === searchParams.get("state"));
}

const settledBy: Readonly<Record<Exclude<Reply, "invalid_scope">, string>> = {
  code: "finalised",
  server_error: "finalised",
  access_denied: "failed",
};

/** One of the two, and once. */
function replyIn(searchParams: URLSearchParams): string | undefined {
  const codes = searchParams.getAll("code");
  const errors = searchParams.getAll("error");
  if (codes.length + errors.length !== 1) return undefined;
  return codes.length === 1 ? "code" : errors[0];
}

/**
 * Of two answers at once either may be first, and both may count: the bank's own books say what has
 * become of them. Where the PSU was led to was judged before.
 */
async function synchronised(lane: Lane, world: World): Promise<World> {
  const index = currentRequest(lane);
  const before = requestAt(lane.world, index);
  const row = await currentAsking(lane).row();
  if (row.scaStatus !== requestAt(world, index).status) {
    throw new Error(`two at once: ${row.scaStatus} instead of ${requestAt(world, index).status}`);
  }
  lane.doubtful =
    row.codesSent > before.codesSent + 1 || (lane.doubtful && row.codesSent === before.codesSent);
  const { walker, passerBy, people } = lane;
  const own = [walker.userId, passerBy.userId];
  const rows = new Map(
    await Promise.all(own.map(async (user) => [user, await people.rowOf(user)] as const)),
  );
  const counted = changed(world, index, {
    failures: row.failedAttempts,
    codesSent: row.codesSent,
    ...(row.codeExpiresAt !== null && { codeUntil: row.codeExpiresAt.getTime() }),
  });
  const known = row.codeExpiresAt === null ? withoutCode(counted, index) : counted;
  return { ...known, rows };
}

/** How long a code is good, and how much of it is nobody's to say. Milliseconds. */
const CODE = 60_000;
const MARGIN = 8_000;

/** What the TPP sees of a request at the end of its walk: all of it has to agree. */
export async function judgeRequest(lane: Lane): Promise<void> {
  const index = currentRequest(lane);
  const asking = currentAsking(lane);
  const now = lane.clock.now().getTime();
  lane.world = settled(lane.world, index, now);
  const request = requestAt(lane.world, index);
  const sca = await asking.scaStatus();
  if (sca !== request.status) throw new WalkError(`scaStatus ${sca} instead of ${request.status}`);
  const status = await asking.resourceStatus();
  const fitting = statusesOf(asking.wish, request);
  if (!fitting.includes(status)) {
    throw new WalkError(`the ${asking.wish} is ${status} instead of ${fitting.join(" or ")}`);
  }
  for (const { request: of, url, at } of lane.codes) {
    const age = now - at;
    if (of !== index || Math.abs(age - CODE) < MARGIN) continue;
    const good = request.status === "finalised" && request.ended === undefined && age < CODE;
    const worth = await asking.redeem(new URL(url)).then(
      () => true,
      () => false,
    );
    if (worth !== good) throw new WalkError(`a code is worth ${worth ? "a token" : "nothing"}`);
  }
}

const authorised: Readonly<Record<NonNullable<Request["ended"]>, string>> = {
  revoked: "revokedByPsu",
  withdrawn: "terminatedByTpp",
  replaced: "expired",
};
/** From accepted to booked. */
const PAID = ["ACTC", "ACCP", "ACSP", "ACSC", "ACCC"];

function statusesOf(wish: Wish, { status, why, ended }: Request): readonly string[] {
  if (wish === "payment") {
    if (status === "finalised") return PAID;
    return status === "failed" ? ["RJCT"] : ["RCVD"];
  }
  if (status === "failed") return [why === "withdrawn-by-tpp" ? "terminatedByTpp" : "rejected"];
  if (status !== "finalised") return ["received"];
  const valid = ended === undefined ? "valid" : authorised[ended];
  // Ten minutes may have passed.
  return wish === "one-off" ? [valid, "expired"] : [valid];
}
