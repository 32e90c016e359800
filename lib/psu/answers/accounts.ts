import { offerAccounts } from "@/lib/domain/sca/offer-accounts";
import { selectAccounts } from "@/lib/domain/sca/select-accounts";
import { afterTheEnd } from "../leave";
import { toPage } from "../see-other";
import { textsFor } from "../texts/texts-for";
import type { Visit } from "../visit";

/** The accounts to share; what is ticked is judged against the PSU's own accounts. */
export async function answerAccounts(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { house, authorisation, session, language, now } = visit;
  if (session.state !== "own") return toPage(visit);
  const selected = form.has("all") ? await everyAccount(visit) : form.getAll("account");
  const wording = textsFor(language).codeMessage;
  const { outcome } = await selectAccounts(house, { authorisation, selected, wording, now });
  if (outcome === "ended") return afterTheEnd(visit);
  if (outcome === "code-sent" || outcome === "passkey-asked") return toPage(visit);
  const stay = outcome === "nothing-selected" || outcome === "not-offered";
  return toPage(visit, { outcome: { outcome }, ...(stay ? { again: "accounts" } : {}) });
}

async function everyAccount({ house, authorisation }: Visit): Promise<readonly string[]> {
  const { psuId } = authorisation;
  if (psuId === undefined) return [];
  const offered = await offerAccounts(house, { authorisation, psuId });
  return offered.map(({ account }) => account.id);
}
