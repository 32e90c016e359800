import { currentAsking, currentRequest, type Lane } from "./lane";
import { changed, requestAt, type World, withoutCode } from "./world";

/**
 * Of two answers at once either may be first, and both may count: the bank's own books say what has
 * become of them. Where the PSU was led to was judged before.
 */
export async function synchronised(lane: Lane, world: World): Promise<World> {
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
