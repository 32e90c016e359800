import { changed, type FailureRow, failed, minutes, requestAt, sca, type World } from "./world";

/** RTS art. 4(3)(b) as the walk understands it: five in a row, of a request and of a user ID. */
type Trying = {
  readonly index: number;
  readonly user: string;
  readonly element: "password" | "code";
};

export type Tried = { readonly world: World; readonly blocked: boolean };

const none: FailureRow = { count: 0, codes: 0, lastAt: 0 };

/** Counted before it is judged. Whoever is blocked is not judged. */
export function attempted(
  world: World,
  { index, user, element, now }: Trying & { readonly now: number },
): Tried {
  const { failures } = requestAt(world, index);
  const counted = changed(world, index, { failures: failures + 1 });
  const row = world.rows.get(user) ?? none;
  const used = row.count >= sca.failedAttemptsMax;
  const over = used && now - row.lastAt >= minutes(sca.blockMinutes);
  if (used && !over) return { world: counted, blocked: true };
  if (element === "code" && isBlockedForGood(world, user)) return { world: counted, blocked: true };
  const count = over ? 1 : row.count + 1;
  const codes = row.codes + (element === "code" ? 1 : 0);
  return { world: withRow(counted, user, { count, codes, lastAt: now }), blocked: false };
}

/** By wrong codes alone: passwords are judged all the same. */
export function isBlockedForGood({ rows }: World, user: string): boolean {
  return (rows.get(user)?.codes ?? 0) >= sca.secondFactorFailuresMax;
}

/** None left: the request is over, and says so by what also stands in the PSU's way elsewhere. */
export function failedAttempt({ world, blocked }: Tried, { index, user, element }: Trying) {
  const { failures } = requestAt(world, index);
  const { count, codes } = world.rows.get(user) ?? none;
  const ofAll = sca.failedAttemptsMax - count;
  const ofCodes = sca.secondFactorFailuresMax - codes;
  const ofPsu = element === "code" ? Math.min(ofAll, ofCodes) : ofAll;
  const attemptsLeft = blocked ? 0 : Math.max(0, Math.min(sca.failedAttemptsMax - failures, ofPsu));
  if (attemptsLeft > 0) return { world, attemptsLeft };
  const why = blocked || ofPsu <= 0 ? "psu-blocked" : "too-many-tries";
  return { world: failed(world, index, why), attemptsLeft };
}

/** Of a right password. */
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
