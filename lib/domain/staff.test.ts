import { expect, it } from "vitest";
import { mayDo, type StaffAction, type StaffRole, staffActions, staffRoles } from "./staff";

/** As docs/staff.md has it. */
const table: Readonly<Record<StaffAction, readonly StaffRole[]>> = {
  "see-statistics": ["viewer", "support", "approver", "auditor"],
  "see-tpps": ["viewer", "support", "approver", "auditor"],
  search: ["support", "approver", "auditor"],
  "see-customer": ["support", "approver", "auditor"],
  "end-permission": ["support", "approver"],
  "unlock-customer": ["support", "approver"],
  "request-block": ["support", "approver"],
  "approve-block": ["approver"],
  "see-events": ["auditor"],
};

it("H1: each role may do what the table says and nothing else, and several roles what any of them may", () => {
  expect(staffActions.toSorted()).toEqual(Object.keys(table).toSorted());
  for (const action of staffActions) {
    const those = staffRoles.filter((role) => mayDo([role], action));
    expect({ action, those }).toEqual({ action, those: table[action] });
    expect(mayDo([], action)).toBe(false);
  }
  expect(mayDo(["viewer", "auditor"], "see-events")).toBe(true);
  expect(mayDo(["viewer", "auditor"], "end-permission")).toBe(false);
});
