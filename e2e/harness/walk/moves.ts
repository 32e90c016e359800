import type { Page } from "@playwright/test";
import { isDecided } from "@/lib/domain/authorisation";
import type { Texts } from "@/lib/psu/texts/en";
import { languageNames, languageOf } from "@/lib/psu/texts/formats";
import { textsFor } from "@/lib/psu/texts/texts-for";
import type { Wish } from "./asking";
import { currentAsking, currentRequest, type Lane, type Shown } from "./lane";
import { AT_COMMIT, type Filling, answer as given, otherThan, plain, type Twice } from "./page";
import {
  cancel as cancelled,
  chooseAccounts,
  confirm as confirmed,
  followLink,
  type InName,
  type Login,
  sendCode,
  login as signedIn,
  stay as stayed,
  type Typed,
  usePasskey,
  visit,
} from "./rules";
import { changed, failed, requestAt, settled, type Turn, type World } from "./world";

export type Act =
  | "login"
  | "login-wrong"
  | "login-empty"
  | "login-other"
  | "accounts-none"
  | "accounts-one"
  | "accounts-all"
  | "change-accounts"
  | "code"
  | "code-wrong"
  | "code-old"
  | "code-none"
  | "code-malformed"
  | "new-code"
  | "passkey"
  | "cancel"
  | "stay"
  | "back"
  | "reload"
  | "link"
  | "same-page"
  | "old-page"
  | "language"
  | "sign-out-cookie"
  | "all-cookies"
  | "withdraw"
  | "revoke"
  | Begin;
export type Begin = `begin ${Wish}`;
export type Step = { readonly act: Act; readonly tab: 0 | 1; readonly twice?: Twice };

/** Where the browser went first, and the page of the bank's that it came to. */
type Where = { readonly from: URL; readonly uid: string | undefined; readonly now: number };

/** What a PSU does in a tab, and where the rules say it leads; undefined: nowhere new. */
export type Leading = {
  readonly act: (page: Page) => Promise<unknown>;
  readonly rule: (world: World, where: Where) => Turn | undefined;
};
/** What happens elsewhere meanwhile. */
type Aside = {
  readonly aside: () => Promise<void>;
  readonly after: (world: World, now: number) => World;
};
type Move = Leading | Aside;

/** Undefined when there is nothing of the kind to do. */
export function moveFor(lane: Lane, step: Step): Move | undefined {
  return asideFor(lane, step) ?? journeyFor(lane, step) ?? answerFor(lane, step);
}

/** To another page without a word: by link, by address, back, and once more. */
function journeyFor(lane: Lane, { act, tab }: Step): Leading | undefined {
  if (act === "link" || act.startsWith("begin ")) return link(lane);
  const shown = lane.shown[tab];
  if (act === "back" || act === "reload") {
    return shown && { act: (page) => again(page, act), rule: landed(lane) };
  }
  if (act === "same-page") return address(lane, lane.shown[1 - tab]?.uid);
  if (act !== "old-page") return undefined;
  const pages = [...lane.requestOf.keys()];
  return address(
    lane,
    pages.find((uid) => uid !== shown?.uid),
  );
}

function again(page: Parameters<Leading["act"]>[0], act: "back" | "reload") {
  return act === "back" ? page.goBack(AT_COMMIT) : page.reload(AT_COMMIT);
}

function link(lane: Lane): Leading {
  const index = currentRequest(lane);
  const { link: href } = currentAsking(lane);
  return {
    act: (page) => page.goto(href, AT_COMMIT),
    rule: (world, { uid, now }) => followLink(world, index, uid, now),
  };
}

function address(lane: Lane, uid: string | undefined): Leading | undefined {
  if (uid === undefined) return undefined;
  return {
    act: (page) => page.goto(`${lane.bank.webUrl}/authorise/${uid}`, AT_COMMIT),
    rule: (world, { now }) => visit(world, uid, now),
  };
}

/** Wherever the browser's own buttons lead. What is not the bank's is no business of the walk's. */
function landed(lane: Lane): Leading["rule"] {
  return (world, { from, now }) => {
    if (from.origin !== lane.bank.webUrl) return undefined;
    const uid = uidIn(from);
    if (uid === undefined) {
      return from.pathname === "/authorise/ended" ? { world, sight: { at: "gone" } } : undefined;
    }
    return visit(world, uid, now, { again: asksForAccounts(from) });
  };
}

export function uidIn({ pathname }: URL): string | undefined {
  const [, uid] = /^\/authorise\/([\w-]+)$/.exec(pathname) ?? [];
  return uid === "ended" ? undefined : uid;
}

function asksForAccounts({ searchParams }: URL): boolean {
  return searchParams.get("question") === "accounts";
}

/** What the TPP, the bank's staff or the browser do behind the page's back. */
function asideFor(lane: Lane, { act }: Step): Aside | undefined {
  if (act === "sign-out-cookie") return signOutCookie(lane);
  if (act === "all-cookies") return allCookies(lane);
  if (act === "withdraw") return withdraw(lane);
  return act === "revoke" ? revoke(lane) : undefined;
}

function signOutCookie({ context, world }: Lane): Aside | undefined {
  if (world.session === undefined) return undefined;
  return {
    aside: () => context.clearCookies({ name: /drawbridge-psu$/ }),
    after: withoutSession,
  };
}

function allCookies({ context, world }: Lane): Aside | undefined {
  if (world.open.size === 0) return undefined;
  return {
    aside: () => context.clearCookies(),
    after: (before) => ({ ...withoutSession(before), open: new Map() }),
  };
}

function withdraw(lane: Lane): Aside | undefined {
  const index = currentRequest(lane);
  const { withdraw: aside } = currentAsking(lane);
  const { ended } = requestAt(lane.world, index);
  if (aside === undefined || ended !== undefined) return undefined;
  return {
    aside,
    after: (before, now) => {
      const world = settled(before, index, now);
      return requestAt(world, index).status === "finalised"
        ? changed(world, index, { ended: "withdrawn" })
        : failed(world, index, "withdrawn-by-tpp");
    },
  };
}

/** Only what a PSU has authorised can be taken back. */
function revoke(lane: Lane): Aside | undefined {
  const index = currentRequest(lane);
  const { revoke: aside } = currentAsking(lane);
  const { status, ended } = requestAt(lane.world, index);
  if (aside === undefined || ended !== undefined || status !== "finalised") return undefined;
  return { aside, after: (world) => changed(world, index, { ended: "revoked" }) };
}

function withoutSession({ session: _, ...world }: World): World {
  return world;
}

export function isOver(lane: Lane): boolean {
  return isDecided(requestAt(lane.world, currentRequest(lane)).status);
}

type Form = {
  readonly lane: Lane;
  readonly shown: Shown & { readonly uid: string };
  readonly texts: Texts;
  readonly names: readonly string[];
};
type Rule = (world: World, now: number) => Turn;
/** Fills in what there is to be filled in, and yields the button that sends it. */
type Answer = { readonly fill: () => Promise<Filling> | Filling; readonly rule: Rule };

/** What is answered on a page of the bank's; undefined when the page does not ask for it. */
function answerFor(lane: Lane, { act, tab, twice }: Step): Leading | undefined {
  const shown = lane.shown[tab];
  const { uid, reading } = shown ?? {};
  const language = languageOf(reading?.lang);
  if (shown === undefined || uid === undefined || language === undefined) return undefined;
  const texts = textsFor(language);
  const form = { lane, shown: { ...shown, uid }, texts, names: reading?.buttons ?? [] };
  const answer = answerOf(form, act);
  if (answer === undefined) return undefined;
  return {
    act: async (page) => given(page, await answer.fill(), twice),
    rule: (world, { now }) => answer.rule(world, now),
  };
}

function answerOf(form: Form, act: Act): Answer | undefined {
  const { at } = form.shown.sight;
  if (act === "language") return language(form);
  if (act === "cancel") return cancel(form);
  if (act === "stay") return stay(form);
  if (at === "login" || at === "login-again" || at === "not-yours") return login(form, act);
  if (at === "accounts") return accounts(form, act);
  return at === "confirm" ? confirm(form, act) : undefined;
}

function login({ lane, shown: { uid }, texts }: Form, act: Act): Answer | undefined {
  const { walker, passerBy } = lane;
  const typed = (user: string, word: string, password: Login["password"]): Answer => ({
    fill: () => ({
      fields: { [texts.login.userId]: user, [texts.login.password]: word },
      press: texts.login.submit,
    }),
    rule: (world, now) => signedIn(world, uid, { user, password }, now),
  });
  if (act === "login") return typed(walker.userId, walker.password, "right");
  if (act === "login-other") return typed(passerBy.userId, passerBy.password, "right");
  if (act === "login-wrong") return typed(walker.userId, "wrong", "wrong");
  return act === "login-empty" ? typed("", "", "none") : undefined;
}

function accounts({ shown, texts }: Form, act: Act): Answer | undefined {
  const which = act === "accounts-none" ? "none" : act === "accounts-one" ? "one" : "all";
  if (act !== `accounts-${which}`) return undefined;
  return {
    fill: () => ({
      tick: which === "all" ? { all: texts.accounts.all } : which,
      press: texts.accounts.submit,
    }),
    rule: (world, now) => chooseAccounts(world, shown.uid, which, inName(shown, now)),
  };
}

function confirm(form: Form, act: Act): Answer | undefined {
  const { shown, texts, names } = form;
  const { code: words, passkey } = texts;
  const sends = [words.newCode, words.sendFirst, passkey.sendCode].find((name) =>
    names.includes(name),
  );
  if (act === "new-code" && sends !== undefined) {
    return {
      fill: () => ({ press: sends }),
      rule: (world, now) => sendCode(world, shown.uid, inName(shown, now)),
    };
  }
  if (act === "change-accounts" && shown.reading?.links.includes(texts.summary.change)) {
    return {
      fill: () => ({ press: texts.summary.change }),
      rule: (world, now) => visit(world, shown.uid, now, { again: true }),
    };
  }
  if (act === "passkey" && names.includes(passkey.submit)) {
    return {
      fill: () => ({ press: passkey.submit }),
      rule: (world, now) => usePasskey(world, shown.uid, inName(shown, now)),
    };
  }
  return names.includes(words.submit) ? code(form, act) : undefined;
}

const typedBy: Readonly<Partial<Record<Act, Typed>>> = {
  code: "right",
  "code-wrong": "wrong",
  "code-old": "wrong",
  "code-none": "none",
  "code-malformed": "malformed",
};

function code({ lane, shown, texts }: Form, act: Act): Answer | undefined {
  const typed = typedBy[act];
  const index = lane.requestOf.get(shown.uid);
  if (typed === undefined || index !== lane.askings.length - 1) return undefined;
  const { boundTo, codesSent } = lane.world.requests[index] ?? {};
  if (boundTo === undefined || codesSent === undefined) return undefined;
  if (act === "code" && lane.doubtful) return undefined;
  if (act === "code-old" && (codesSent < 2 || lane.doubtful)) return undefined;
  const text = async () => {
    const [newest = "000000", older = "000000"] = await lane.people.codesOf(boundTo);
    if (act === "code") return newest;
    if (act === "code-old" && older !== newest) return older;
    return act === "code-malformed" ? newest.slice(1) : otherThan(newest);
  };
  return {
    fill: async () => ({
      fields: { [texts.code.label]: act === "code-none" ? "" : await text() },
      press: texts.code.submit,
    }),
    rule: (world, now) => confirmed(world, shown.uid, typed, inName(shown, now)),
  };
}

function cancel({ lane, shown: { uid }, texts, names }: Form): Answer | undefined {
  const index = lane.requestOf.get(uid);
  const ways = [texts.frame.cancel, plain(texts.frame.backTo(texts.quoted(lane.tppName)))];
  const name = names.find((known) => ways.includes(known));
  if (index === undefined || name === undefined) return undefined;
  return {
    fill: () => ({ press: name }),
    rule: (world, now) => cancelled(world, uid, index, now),
  };
}

/** With JavaScript the page stays where it is. */
function stay({ lane, shown, texts, names }: Form): Answer | undefined {
  const { more } = texts.timeLimit;
  if (lane.javaScript || !names.includes(more)) return undefined;
  return {
    fill: () => ({ press: more }),
    rule: (world, now) => stayed(world, shown.uid, keeps(shown), inName(shown, now)),
  };
}

function language({ shown, texts }: Form): Answer {
  return {
    fill: () => ({ press: languageNames[texts.lang === "en" ? "ro" : "en"] }),
    rule: (world, now) => visit(world, shown.uid, now, { again: keeps(shown) }),
  };
}

/** The choice of accounts is asked for once more by whatever leads back to it. */
function keeps({ sight }: Shown): boolean {
  return sight.at === "accounts";
}

function inName({ serial, chosen }: Shown, now: number): InName {
  return { serial, chosen, now };
}
