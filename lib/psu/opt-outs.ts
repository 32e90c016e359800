import * as z from "zod";
import {
  type OptOut,
  type OptOutPosition,
  type StandingOptOut,
  setOptOut,
} from "@/lib/domain/opt-outs";
import { permissionKinds } from "@/lib/domain/permissions";
import type { TppId } from "@/lib/domain/values";
import { ownFormToken } from "./form-token";
import { ownFrameOf } from "./frame";
import { carryOutcome, type OwnOutcomeName, readOutcome } from "./outcome";
import { REFUSALS, refusalsPath, seeOther, signInPath } from "./paths";
import { lineOfText } from "./permissions-view";
import { nameOnPage, tppOnPage } from "./texts/formats";
import { isSignedIn, type OwnVisit, type SignedInVisit } from "./visit";

// "No TPP may ask for this": what a customer refuses, by kind, of one TPP or of any.

export type RefusalsView = Awaited<ReturnType<typeof refusalsView>>;

const text = lineOfText.optional().catch(undefined);
const asked = z.object({ tpp: text, after: text });

/** What stands, and what else can be refused: of the TPP that the address names, or of any. */
export async function refusalsView(visit: SignedInVisit, query: object) {
  const { services, session, language } = visit;
  const { psuId } = session.signIn;
  const { tpp: id, after } = asked.parse(query);
  const found = id === undefined ? undefined : await services.tppRegister.find(id as TppId);
  const limit = services.profile.ownChannel.permissionsPerPage;
  const page = { after: after as OptOutPosition | undefined, limit: limit + 1 };
  const standing = await services.optOuts.list(psuId, page);
  const refused = await services.optOuts.kinds(psuId, found?.id);
  const last = standing[limit - 1];
  return {
    ...(await ownFrameOf(visit)),
    page: "refusals" as const,
    tpp: found && tppOnPage(found, language),
    standing: standing.slice(0, limit).map((one) => named(one, visit)),
    next: standing.length > limit ? last?.position : undefined,
    offered: permissionKinds.filter((kind) => !refused.includes(kind)),
    outcome: await readOutcome(visit, REFUSALS, "refusals"),
    tokens: {
      refuse: await ownFormToken(visit, "refuse"),
      "refuse-no-more": await ownFormToken(visit, "refuse-no-more"),
    },
  };
}

function named({ tppId, tppName, ...one }: StandingOptOut, { language }: SignedInVisit) {
  if (tppId === undefined) return one;
  return { ...one, tpp: { id: tppId, name: nameOnPage(tppName ?? tppId, language) } };
}

const outcomes = {
  set: "refused",
  "set-already": "refused-already",
  "unknown-tpp": "refused-already",
} as const satisfies Record<string, OwnOutcomeName>;

export function answerRefuse(visit: OwnVisit, form: URLSearchParams): Promise<Response> {
  return answer(visit, form, async ({ services, now }, optOut) => {
    return outcomes[await setOptOut(services, optOut, now)];
  });
}

export function answerRefuseNoMore(visit: OwnVisit, form: URLSearchParams): Promise<Response> {
  return answer(visit, form, async ({ services, now }, optOut) => {
    await services.optOuts.end(optOut, now);
    return "not-refused";
  });
}

const refusal = z.object({ kind: z.enum(permissionKinds), tpp: lineOfText.optional() });

async function answer(
  visit: OwnVisit,
  form: URLSearchParams,
  act: (visit: SignedInVisit, optOut: OptOut) => Promise<OwnOutcomeName>,
): Promise<Response> {
  if (!isSignedIn(visit)) return seeOther(signInPath(REFUSALS));
  const named = refusal.safeParse(Object.fromEntries(form)).data;
  if (named === undefined) return seeOther(REFUSALS);
  const { psuId } = visit.session.signIn;
  const tppId = named.tpp as TppId | undefined;
  const outcome = await act(visit, { psuId, kind: named.kind, tppId });
  const { config } = visit.services;
  return seeOther(refusalsPath(tppId), [
    await carryOutcome({ path: REFUSALS, config }, { outcome }),
  ]);
}
