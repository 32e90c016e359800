import { house } from "@/lib/composition";
import { logFault } from "./fault";
import type { Action } from "./form-token";
import type { PsuHouse } from "./house";
import { carryOutcome } from "./outcome";
import { NO_PAGE } from "./own-page";
import { pagePath, seeOther } from "./see-other";
import { switchLanguage } from "./switch-language";
import { takeAnswer } from "./take-answer";

type Context = { readonly params: Promise<{ readonly uid: string }> };

/** The handlers of a form's address: it is only posted to; who opens it gets the page. */
export function answering(action: Action) {
  return {
    GET: async (_request: Request, { params }: Context) => seeOther(pagePath((await params).uid)),
    POST: async (request: Request, { params }: Context) => {
      const { uid } = await params;
      const ours: PsuHouse = house();
      try {
        return await takeAnswer(ours, { request, uid, action });
      } catch (error) {
        logFault(`POST ${action}`, error);
        const where = { uid: encodeURIComponent(uid), config: ours.config };
        return seeOther(pagePath(uid), [await carryOutcome(where, { outcome: "fault" })]);
      }
    },
  };
}

/** The handlers of the forms that switch the language. */
export const switchingLanguage = {
  GET: async () => seeOther(NO_PAGE),
  POST: async (request: Request) => switchLanguage(house(), request),
};
