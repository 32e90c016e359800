import { changed, type FailureRow, failed, minutes, requestAt, sca, type World } from "./world";

/** RTS art. 4(3)(b) as the walk understands it: five in a row, of a request and of a user ID. */
type Trying = { readonly index: number; readonly user: string };

export type Tried = { readonly world: World; readonly blocked: boolean };

const none: FailureRow = { count: 0, lastAt: 0, blockedBefore: false };

/** Counted before it is judged. Whoever is blocked is not judged. */
export function attempted(
  world: World,
  { index, user, now }: Trying & { readonly now: number },
): Tried {
  const { failures } = requestAt(world, index);
  const counted = changed(world, index, { failures: failures + 1 });
  const row = world.rows.get(user) ?? none;
  const used = row.count >= sca.failedAttemptsMax;
  const over = used && !row.blockedBefore && now - row.lastAt >= minutes(sca.blockMinutes);
  if (used && !over) return { world: counted, blocked: true };
  const count = over ? 1 : row.count + 1;
  const blockedBefore = row.blockedBefore || over;
  return { world: withRow(counted, user, { count, lastAt: now, blockedBefore }), blocked: false };
}

/** None left: the request is over, and says so by what also stands in the PSU's way elsewhere. */
export function failedAttempt({ world, blocked }: Tried, { index, user }: Trying) {
  const { failures } = requestAt(world, index);
  const ofPsu = sca.failedAttemptsMax - (world.rows.get(user)?.count ?? 0);
  const attemptsLeft = blocked ? 0 : Math.max(0, Math.min(sca.failedAttemptsMax - failures, ofPsu));
  if (attemptsLeft > 0) return { world, attemptsLeft };
  const why = blocked || ofPsu <= 0 ? "psu-blocked" : "too-many-tries";
  return { world: failed(world, index, why), attemptsLeft };
}

export function givenBack(world: World, user: string): World {
  const row = world.rows.get(user) ?? none;
  return withRow(world, user, { ...row, count: Math.max(0, row.count - 1) });
}

export function forgotten(world: World, user: string): World {
  return { ...world, rows: new Map([...world.rows].filter(([known]) => known !== user)) };
}

function withRow(world: World, user: string, row: FailureRow): World {
  return { ...world, rows: new Map([...world.rows, [user, row] as const]) };
}
