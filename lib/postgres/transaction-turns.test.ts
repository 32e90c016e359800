import postgres from "postgres";
import { expect, it } from "vitest";
import { type Line, openLine } from "./own-lines";
import { transactionTurns } from "./transaction-turns";
import { codeOf } from "./unavailable";

const never = new Promise<void>(() => undefined);
const line = (): Line => openLine(postgres("postgres://nobody@localhost/none"), (driver) => driver);

function turns({ answers }: { readonly answers: () => number }) {
  const away: unknown[] = [];
  const bounds = { connect: 1, wait: 20, answer: 40, rest: 1 };
  const onAway = (code: unknown) => void away.push(code);
  const watch = { bounds, onAway, onAnswer: () => undefined, answers };
  return { away, ...transactionTurns([line()], watch) };
}

it("whoever waits in vain for connections that hang says so, for all to be replaced", async () => {
  const { take, away } = turns({ answers: () => 7 });
  void take(() => never);
  expect(await take(() => never).catch(codeOf)).toBe("NO_ANSWER");
  expect(away).toEqual(["NO_ANSWER"]);
});

it("whoever waits in vain for connections that are busy says that", async () => {
  let said = 0;
  const { take, away } = turns({ answers: () => (said += 1) });
  void take(() => never);
  expect(await take(() => never).catch(codeOf)).toBe("NO_CONNECTION_FREE");
  expect(away).toEqual(["NO_CONNECTION_FREE"]);
});
