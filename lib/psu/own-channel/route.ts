import { house } from "@/lib/composition";
import { logFault } from "../fault";
import type { PsuHouse } from "../house";
import { seeOther } from "../see-other";
import type { OwnAction } from "./form-token";
import { carryOwnOutcome } from "./outcome";
import { pageOf, takeOwnForm } from "./take-form";

/** Where the address has no parameters, Next resolves them to undefined. */
type Context = {
  readonly params: Promise<Readonly<Record<string, string | undefined>> | undefined>;
};

/** The handlers of a form's address: it is only posted to; who opens it gets the page. */
export function ownForm(action: OwnAction) {
  const targetOf = async ({ params }: Context) => {
    const { kind, id } = (await params) ?? {};
    return kind === undefined || id === undefined ? id : `${kind}/${id}`;
  };
  return {
    GET: async (_request: Request, context: Context) =>
      seeOther(pageOf(action, await targetOf(context)).page),
    POST: async (request: Request, context: Context) => {
      const target = await targetOf(context);
      const ours: PsuHouse = house();
      try {
        return await takeOwnForm(ours, { request, action, target });
      } catch (error) {
        logFault(`POST ${action}`, error);
        const { page, path } = pageOf(action, target);
        const fault = { outcome: "fault" } as const;
        return seeOther(page, [await carryOwnOutcome({ path, config: ours.config }, fault)]);
      }
    },
  };
}
