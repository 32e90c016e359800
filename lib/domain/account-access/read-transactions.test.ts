import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TransactionId } from "../identifiers";
import type { IsoDate } from "../iso-date";
import { access, opened, readAll, refused, report } from "../testing/access";
import { entry } from "../testing/samples";
import { readTransaction, readTransactions } from "./read-transactions";

describe("transactions", () => {
  it("an unknown transactionId is not served, whatever it looks like", async () => {
    const { ports, consent, resourceId } = await opened();
    for (const id of [crypto.randomUUID(), "1", "' or 1=1"]) {
      const asked = { resourceId, transactionId: id as string as TransactionId };
      const read = readTransaction(ports, access(consent), asked);
      await expect(read).rejects.toMatchObject(refused(404, "RESOURCE_UNKNOWN"));
    }
  });

  it("a dateTo in the future means today", async () => {
    const house = await opened();
    house.bank.transactions.push(entry("a", "2026-11-20"), entry("b", "2026-11-21"));
    const page = await report(house, { dateFrom: "2026-11-01", dateTo: "2027-01-01" });
    expect(page.entries.map(({ id }) => id)).toEqual(["a"]);
  });

  it("a cursor of another account's report is refused", async () => {
    const { ports, consent, resourceId } = await opened();
    const asked = { resourceId, bookingStatus: "booked", reportOf: "another" } as const;
    const read = readTransactions(ports, access(consent), asked);
    await expect(read).rejects.toMatchObject(refused(400, "FORMAT_ERROR"));
  });

  it("pages neither repeat nor skip an entry, and come newest first", async () => {
    const days = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 350 });
    await fc.assert(
      fc.asyncProperty(days, async (drawn) => {
        const house = await opened();
        const all = drawn.map((day, index) =>
          entry(String(index).padStart(4, "0"), `2026-11-${String(day).padStart(2, "0")}`),
        );
        house.bank.transactions.push(...all);
        const read = await readAll(house);
        expect(read).toHaveLength(all.length);
        expect(new Set(read).size).toBe(all.length);
      }),
      { numRuns: 20 },
    );
  });
});

describe("the standing-order list", () => {
  const order = (id: string, endDate?: string) => ({
    ...entry(id, "2026-01-01"),
    startDate: "2025-01-01" as IsoDate,
    frequency: "Monthly" as const,
    ...(endDate === undefined ? {} : { endDate: endDate as IsoDate }),
  });

  it("is returned when the booking status is information or all, and holds active orders only", async () => {
    const house = await opened();
    house.bank.standingOrders.push(order("a"), order("b", "2026-11-20"), order("c", "2026-11-19"));
    const listed = async (bookingStatus: "booked" | "information" | "all") =>
      (await report(house, { bookingStatus, dateFrom: "2026-11-01" })).standingOrders.map(
        ({ id }) => id,
      );
    expect(await listed("information")).toEqual(["a", "b"]);
    expect(await listed("all")).toEqual(["a", "b"]);
    expect(await listed("booked")).toEqual([]);
  });
});
