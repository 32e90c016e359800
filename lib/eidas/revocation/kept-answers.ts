import { after } from "@/lib/domain/clock";
import { recall } from "../bounded-cache";
import { certificateLimits } from "../limits";

type Kept<Answer> = { readonly answer: Answer; readonly at: Date };

/**
 * Answers by what was asked, each until it ends. Calls that come while it is being asked wait for the
 * same answer; a question that failed is forgotten, so the next call asks anew.
 */
export function keptAnswers<Answer extends { readonly until: Date }>(entriesMax: number) {
  const known = new Map<string, Promise<Kept<Answer>>>();

  function asking(key: string, now: Date, ask: () => Promise<Answer>): Promise<Kept<Answer>> {
    const asked = ask().then((answer) => ({ answer, at: now }));
    asked.catch(() => {
      if (known.get(key) === asked) known.delete(key);
    });
    return asked;
  }

  return async (key: string, now: Date, ask: () => Promise<Answer>): Promise<Answer> => {
    const before = known.get(key);
    // Of those that find the same answer ended, the first asks; the rest find its question.
    if (before !== undefined && isOver(await before, now) && known.get(key) === before) {
      known.delete(key);
    }
    return (await recall(known, key, entriesMax, () => asking(key, now, ask))).answer;
  };
}

/** Also when the clock was set back behind it: nobody could say then how long it has been kept. */
function isOver<Answer extends { readonly until: Date }>(
  { answer, at }: Kept<Answer>,
  now: Date,
): boolean {
  return (
    now >= answer.until || now < after(at, -certificateLimits.statusClockSkewSeconds, "second")
  );
}
