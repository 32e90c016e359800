import { isDecided } from "@/lib/domain/authorisation";
import { currentAsking, currentRequest, type Lane } from "./lane";
import type { Aside } from "./moves";
import type { Step } from "./steps";
import { changed, failed, requestAt, settled, type World } from "./world";

/** What the TPP, the bank's staff or the browser do behind the page's back. */
export function asideFor(lane: Lane, { act }: Step): Aside | undefined {
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
