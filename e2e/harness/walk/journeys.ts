import { AT_COMMIT } from "./acts";
import { currentAsking, currentRequest, type Lane } from "./lane";
import type { Leading } from "./moves";
import type { Step } from "./steps";
import { followLink, visit } from "./visit";

/** To another page without a word: by link, by address, back, and once more. */
export function journeyFor(lane: Lane, { act, tab }: Step): Leading | undefined {
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

export function asksForAccounts({ searchParams }: URL): boolean {
  return searchParams.get("question") === "accounts";
}
