import { expect, it, onTestFinished, vi } from "vitest";
import { reject } from "@/lib/domain/errors";
import type { RefusedRequest } from "@/lib/domain/refused-requests";
import type { TppId } from "@/lib/domain/values";
import { refusedRequestLog } from "./refused-request-log";

it("X14: what TPPs were told is written beside their requests, and of one of them no more than so many a minute", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const written: (readonly RefusedRequest[])[] = [];
  const faults: unknown[] = [];
  let now = 0;
  const { note } = refusedRequestLog({
    store: {
      keep: async (rows) => {
        written.push(rows);
        if (written.length === 2) throw new Error("no database");
      },
      of: async () => [],
    },
    explain: async ({ route }) => ({ check: "Consent", facts: [{ label: "Path", value: route }] }),
    perMinuteMax: () => 3,
    onFault: (error) => faults.push(error),
    milliseconds: () => now,
  });
  const refused = (tppId: string | undefined, error: unknown = reject("CONSENT_EXPIRED", "over")) =>
    note({
      ...{ error, tppId: tppId as TppId | undefined, at: new Date(0), requestId: undefined },
      ...{ request: new Request("https://bank.example/accounts"), body: undefined },
      ...{ route: "/accounts", resource: undefined },
    });
  for (let count = 0; count < 5; count += 1) refused("one");
  refused("other");
  refused(undefined);
  refused("one", new Error("a fault of ours"));
  expect(written).toEqual([]);
  await vi.advanceTimersByTimeAsync(500);
  expect(written.map((rows) => rows.map(({ tppId }) => tppId))).toEqual([
    ["one", "one", "one", "other"],
  ]);
  expect(written[0]?.[0]).toMatchObject({ status: 401, code: "CONSENT_EXPIRED", told: "over" });
  expect(written[0]?.[0]?.explanation?.facts).toEqual([{ label: "Path", value: "/accounts" }]);

  now = 60_000;
  refused("one");
  await vi.advanceTimersByTimeAsync(500);
  expect(faults).toHaveLength(1);
  refused("one");
  await vi.advanceTimersByTimeAsync(500);
  expect(written).toHaveLength(3);
});
