import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type ProbeRun, probing } from "@/lib/domain/interface-figures";
import { systemClock } from "@/lib/system-clock";
import { probe } from "./probe";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const after = (seconds: number) => new Promise<void>((go) => setTimeout(go, seconds * 1_000));

/** Probes of an interface that does not answer, as many rounds, with what was given to be written. */
async function probed(
  rounds: number,
  write: (nth: number) => Promise<void>,
  isAnswered = async () => false,
) {
  const given: (readonly ProbeRun[])[] = [];
  let left = rounds;
  const ended = probe({
    clock: systemClock,
    isAnswered,
    next: async () => {
      left -= 1;
      if (left > 0) await after(probing.everySeconds);
      return left > 0;
    },
    seen: () => undefined,
    write: (runs) => write(given.push(runs)),
  });
  await vi.advanceTimersByTimeAsync(600_000);
  await ended;
  return given.map((runs) => runs.filter((run) => run.interface === "xs2a"));
}

it("a database that hangs splits no run: probes go on every six seconds, and are written when it is back", async () => {
  const written = await probed(20, (nth) => after(nth === 1 ? 16 : 0.1));
  expect(written.flat().map(({ beganAt }) => beganAt)).toEqual(
    written.flat().map(() => written[0]?.[0]?.beganAt),
  );
  expect(written.at(-1)).toMatchObject([{ answered: false, probes: 20 }]);
});

it("a run that has grown while it was written is written again, and one that has not is not", async () => {
  const probesWritten = async (rounds: number) =>
    (await probed(rounds, () => after(10))).map((runs) => runs.map(({ probes }) => probes));
  expect(await probesWritten(2)).toEqual([[1], [2]]);
  expect(await probesWritten(1)).toEqual([[1]]);
});

it("what could not be written waits, and is written at the end at the latest", async () => {
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  let probes = 0;
  const written = await probed(
    2,
    async (nth) => {
      if (nth < 3) throw new Error("no database");
    },
    async () => {
      probes += 1;
      return probes > 2;
    },
  );
  expect(written.map((runs) => runs.map(({ answered }) => answered))).toEqual([
    [false],
    [false, true],
    [false, true],
  ]);
  expect(errors).toHaveBeenCalledWith("the database cannot be written (Error); 2 results wait");
  errors.mockRestore();
});
