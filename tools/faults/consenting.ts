import { randomUUID } from "node:crypto";
import { insist, maybe } from "./insist";
import { pick } from "./order";
import type { PayingTpp, Run } from "./tpp";

/** What a client does with account consents beside its payments. */
export type Consenting = {
  readonly ask: () => Promise<void>;
  readonly lookAtOne: () => Promise<void>;
  /** When all is over. */
  readonly lookAtAll: () => Promise<void>;
};

export function consenting(
  tpp: Pick<PayingTpp, "askForConsent" | "consentStatus">,
  { tally }: Pick<Run, "tally">,
): Consenting {
  const acknowledged: string[] = [];
  const look = (consentId: string) => insist(() => tpp.consentStatus(consentId));

  return {
    /** Sent until the bank has answered, now and then by two at once, and now and then once more. */
    ask: async () => {
      const requestId = randomUUID();
      const send = () => tpp.askForConsent(requestId);
      const answer = await insist(async () => {
        const answers = await Promise.all([send(), maybe(send)]);
        return answers.find((one) => one?.consentId !== undefined) ?? answers.find(Boolean);
      });
      if (answer.consentId !== undefined) {
        tally["consents acknowledged"] += 1;
        acknowledged.push(answer.consentId);
      }
      await maybe(send);
    },
    lookAtOne: async () => {
      if (acknowledged.length > 0) await look(pick(acknowledged));
    },
    lookAtAll: async () => {
      for (const consentId of acknowledged) await look(consentId);
    },
  };
}
