import { is, Param, Placeholder, type Query } from "drizzle-orm";

/**
 * The same statement, in which a value that is given under one name has one number wherever it stands. Drizzle
 * numbers each place: the counting of a read would send its consent three times. PostgreSQL gives a value one type, so
 * that a name which stands for two has to be cast. Throws for a statement that has its numbers in another way, or text
 * that looks like one.
 */
export function sentOnce({ sql, params }: Query): Query {
  const sent: unknown[] = [];
  const numberOf = params.map((param) => {
    const known = sent.findIndex((one) => isSame(one, param));
    return known === -1 ? sent.push(param) : known + 1;
  });
  let place = 0;
  const text = sql.replace(/\$(\d+)/g, (_all, number: string) => {
    const now = numberOf[place];
    place += 1;
    if (Number(number) !== place || now === undefined) {
      throw new Error(`the values of a statement have another order: ${sql}`);
    }
    return `$${now}`;
  });
  if (place !== params.length) throw new Error(`a statement lacks some of its values: ${sql}`);
  return { sql: text, params: sent };
}

function isSame(one: unknown, other: unknown): boolean {
  if (is(one, Placeholder)) return is(other, Placeholder) && one.name === other.name;
  return (
    is(one, Param) &&
    is(other, Param) &&
    one.encoder === other.encoder &&
    is(one.value, Placeholder) &&
    isSame(one.value, other.value)
  );
}
