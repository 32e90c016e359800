import { expect, it } from "vitest";
import type { consentTransitions } from "../consent/consent-status";
import type { transactionTransitions } from "../payment/transaction-status";
import { inMemoryBank } from "../testing/in-memory-bank";
import { now, receivedConsent, tpp } from "../testing/samples";
import { isInForce, permissionState } from "./permission-state";
import { mayBeRevoked } from "./revoke-permission";

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
  expect(isInForce(told)).toBe(status === "valid");
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
  expect(isInForce(permissionState(payment(status)))).toBe(!ends);
});

it.each([
  ["cancelled", "never-confirmed"],
  ["window-over", "never-confirmed"],
  ["day-limit", "refused-by-bank"],
  ["no-funds", "refused-by-bank"],
])("a payment that is RJCT because of %s is %s", (reason, state) => {
  expect(permissionState(payment("RJCT", reason))).toBe(state);
});
