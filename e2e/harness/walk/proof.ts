import { changed, minutes, requestAt, sca, type World, withoutCode } from "./world";

/** A code goes out by itself, unless the PSU has a passkey. */
export function proofAsked(world: World, index: number, now: number): World {
  const started = withoutCode(changed(world, index, { status: "started" }), index);
  const { boundTo } = requestAt(world, index);
  return boundTo === world.passkeyOf ? started : codeSent(started, index, now);
}

export function codeSent(world: World, index: number, now: number): World {
  const codesSent = requestAt(world, index).codesSent + 1;
  return changed(world, index, { codesSent, codeUntil: now + minutes(sca.codeMinutes) });
}
