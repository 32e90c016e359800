import { describe, expect, it } from "vitest";
import type { TransactionId } from "../identifiers";
import { access, opened, refused, report } from "../testing/access";
import { entry, later } from "../testing/samples";
import { readTransaction } from "./read-transactions";

describe("the transaction history window", () => {
  it("has no limit during the first 10 minutes of the consent", async () => {
    await expect(
      report(await opened(), { dateFrom: "2020-01-01" }, later(9.99)),
    ).resolves.toBeDefined();
  });

  it("B6: is 90 days back from the request afterwards, the ninetieth included", async () => {
    const house = await opened();
    const ask = (dateFrom: string) => report(house, { dateFrom }, later(10));
    await expect(ask("2026-08-22")).resolves.toBeDefined();
    await expect(ask("2026-08-21")).rejects.toMatchObject(refused(400, "PERIOD_INVALID"));
  });

  it("holds for a single transaction as well", async () => {
    const house = await opened();
    const { bank, ports, consent, resourceId } = house;
    const id = crypto.randomUUID() as string as TransactionId;
    bank.transactions.push(entry(id, "2026-08-21"));
    const read = (at: Date) =>
      readTransaction(ports, access(consent, at), { resourceId, transactionId: id });
    await expect(read(later(9.99))).resolves.toBeDefined();
    await expect(read(later(10))).rejects.toMatchObject(refused(400, "PERIOD_INVALID"));
  });

  it("dates are ignored when bookingStatus is information", async () => {
    const house = await opened();
    await expect(
      report(house, { bookingStatus: "information", dateFrom: "2020-01-01" }, later(60)),
    ).resolves.toMatchObject({ entries: [] });
  });
});
