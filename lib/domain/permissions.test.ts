import { describe, expect, it } from "vitest";
import type { AccountConsent, consentTransitions } from "./consents";
import type { transactionTransitions } from "./payment-order";
import {
  findPermission,
  listPermissions,
  mayBeRevoked,
  type PermissionPosition,
  permissionState,
  readHistory,
} from "./permissions";
import { inMemoryBank, isPermissionInForce } from "./testing/in-memory-bank";
import { ana, later, now, receivedConsent, tpp, validConsent } from "./testing/samples";
import { newConsentId } from "./values";

async function withConsents(count: number) {
  const world = inMemoryBank();
  const consents: AccountConsent[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    consents.push(
      await validConsent(world, { recurringIndicator: false, validUntil: "2026-11-20" }),
    );
  }
  const list = (limit: number, after?: PermissionPosition, at = now) =>
    listPermissions(world.ports, { psuId: ana, filter: {}, after, limit, now: at });
  return { ...world, consents, list };
}

describe("the list", () => {
  it("says whether there is more after it, and never shows more than was asked for", async () => {
    const { list } = await withConsents(3);
    const first = await list(2);
    expect(first).toMatchObject({ permissions: { length: 2 }, next: "2" });
    const second = await list(2, first.next);
    expect(second.permissions).toHaveLength(1);
    expect(second).not.toHaveProperty("next");
    expect(await list(3)).not.toHaveProperty("next");
  });

  it("has expired what is overdue, and says when", async () => {
    const { list, bank } = await withConsents(1);
    const at = later(10);
    const [permission] = (await list(5, undefined, at)).permissions;
    expect(permission).toMatchObject({ state: "expired", endedAt: at });
    expect([...bank.consents.values()].map(({ status }) => status)).toEqual(["expired"]);
  });

  it("has no name for an account that is gone", async () => {
    const { bank, list } = await withConsents(1);
    bank.accountsOf.set(ana, []);
    const [permission] = (await list(5)).permissions;
    expect(permission?.accounts).toEqual([
      expect.not.objectContaining({ name: expect.anything() }),
    ]);
    expect(permission?.accounts).toHaveLength(1);
  });
});

describe("one permission", () => {
  it("is found by its kind and id, and is its PSU's alone", async () => {
    const { ports, consents } = await withConsents(1);
    const id = consents[0]?.id ?? newConsentId();
    const found = (asked: Partial<Parameters<typeof findPermission>[1]>) =>
      findPermission(ports, { psuId: ana, kind: "accounts", id, now, ...asked });
    expect(await found({})).toMatchObject({ state: "active" });
    for (const other of [
      { psuId: "mihai" as typeof ana },
      { kind: "funds" } as const,
      { id: newConsentId() },
    ]) {
      expect(await found(other)).toBeUndefined();
    }
  });

  it("has a history with where it goes on", async () => {
    const { bank, ports, consents } = await withConsents(1);
    const [consent] = consents;
    if (consent === undefined) throw new Error("no consent");
    const { id: consentId, tppId } = consent;
    for (let nth = 0; nth < 3; nth += 1) {
      bank.reads.push({ consentId, tppId, what: "accounts", at: later(nth), attended: true });
    }
    const asked = { psuId: ana, kind: "accounts", id: consentId, now } as const;
    const permission = await findPermission(ports, asked);
    if (permission === undefined) throw new Error("not found");
    const first = await readHistory(ports, permission, { limit: 2 });
    expect(first.lines.map(({ at }) => at)).toEqual([later(2), later(1)]);
    if (first.next === undefined) throw new Error("it ends here");
    const second = await readHistory(ports, permission, { after: first.next, limit: 2 });
    expect(second.lines.map(({ at }) => at)).toEqual([later(0)]);
    expect(second.next).toBeUndefined();
  });
});

describe("the state of a permission", () => {
  const common = { tpp, requestedAt: now };

  it.each<readonly [keyof typeof consentTransitions, string]>([
    ["received", "waiting"],
    ["valid", "active"],
    ["rejected", "never-confirmed"],
    ["expired", "expired"],
    ["revokedByPsu", "revoked"],
    ["terminatedByTpp", "ended-by-tpp"],
  ])("a consent that is %s is %s; only an active one may be revoked", async (status, state) => {
    const consent = { ...(await receivedConsent(inMemoryBank().ports)), status };
    const told = permissionState({ ...common, kind: "accounts", consent });
    expect(told).toBe(state);
    expect(isPermissionInForce(told)).toBe(status === "valid");
    expect(mayBeRevoked({ kind: "accounts", state: told })).toBe(status === "valid");
    expect(mayBeRevoked({ kind: "payments", state: told })).toBe(false);
  });

  type Status = keyof typeof transactionTransitions;
  const payment = (status: Status, reason?: string) =>
    ({ ...common, kind: "payments", payment: { status, reason } }) as Parameters<
      typeof permissionState
    >[0];

  it.each<readonly [Status, string]>([
    ["RCVD", "waiting"],
    ["ACTC", "in-progress"],
    ["ACCP", "in-progress"],
    ["PDNG", "waiting-for-funds"],
    ["ACSP", "in-progress"],
    ["ACSC", "paid"],
    ["ACCC", "paid"],
  ])("a payment that is %s is %s", (status, state) => {
    expect(permissionState(payment(status))).toBe(state);
    const ends = state === "paid" || state === "waiting";
    expect(isPermissionInForce(permissionState(payment(status)))).toBe(!ends);
  });

  it.each([
    ["cancelled", "never-confirmed"],
    ["window-over", "never-confirmed"],
    ["day-limit", "refused-by-bank"],
    ["no-funds", "refused-by-bank"],
  ])("a payment that is RJCT because of %s is %s", (reason, state) => {
    expect(permissionState(payment("RJCT", reason))).toBe(state);
  });
});
