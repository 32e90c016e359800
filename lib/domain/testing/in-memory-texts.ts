import type { PsuId } from "../identifiers";
import type { TextBudget } from "../sca/text-budget";

/** Says in plain words what the database does in one statement. */
export function textBudgetOf(sent: Map<PsuId, readonly Date[]>): TextBudget {
  return {
    take: async (psuId, { textsMax, since }, now) => {
      const inWindow = (sent.get(psuId) ?? []).filter((one) => one > since);
      if (inWindow.length >= textsMax) return false;
      sent.set(psuId, [...inWindow, now]);
      return true;
    },
  };
}
