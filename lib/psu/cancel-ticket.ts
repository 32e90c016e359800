import { z } from "zod";
import type { AuthorisationId } from "@/lib/domain/identifiers";
import type { SubmissionPorts } from "@/lib/domain/payment/submit-payment";
import { settleWindow } from "@/lib/domain/sca/current-authorisation";
import { isDecided } from "@/lib/domain/sca/sca-status";
import type { Departure } from "./departure";
import type { PsuHouse } from "./house";
import { nameOnPage } from "./names-on-pages";
import { refusalOf } from "./refusal";
import { requestLanguage } from "./request-language";
import { seal, unseal } from "./sealed";
import type { Visit } from "./visit";
import { wayBack } from "./way-back";

const content = z.object({
  uid: z.string(),
  authorisationId: z.uuid(),
  state: z.string(),
  uiLocales: z.string().optional(),
});
const TICKET_SECONDS = 86_400;

/**
 * Lies in every Cancel form and leads back to the TPP when the interaction is gone: a second click
 * on Cancel, or a page left open overnight, must not strand the PSU.
 */
export function cancelTicket({ house, interaction, authorisation }: Visit): Promise<string> {
  const ticket = {
    uid: interaction.uid,
    authorisationId: authorisation.id,
    state: interaction.state,
    uiLocales: interaction.uiLocales,
  };
  return seal(house.config.SESSION_SECRET, "psu-way-back", ticket, TICKET_SECONDS);
}

type Ticket = {
  readonly uid: string;
  readonly ticket: string | null;
  readonly headers: Pick<Headers, "get">;
};

/** The way back for a decided authorisation. It changes nothing, so it asks for no more proof. */
export async function wayBackOfTicket(
  house: Pick<PsuHouse, "config" | "authorisations" | "clock" | "tppRegister"> & SubmissionPorts,
  { uid, ticket, headers }: Ticket,
): Promise<Departure | undefined> {
  const { SESSION_SECRET, XS2A_URL } = house.config;
  const opened = await unseal(SESSION_SECRET, "psu-way-back", ticket ?? undefined, content);
  if (opened?.uid !== uid) return undefined;
  const { state, authorisationId, uiLocales } = opened;
  const found = await house.authorisations.find(authorisationId as AuthorisationId);
  if (found === undefined) return undefined;
  const now = await house.clock.now();
  const authorisation = await settleWindow(house, found, now);
  if (!isDecided(authorisation.scaStatus)) return undefined;
  const tpp = await house.tppRegister.find(authorisation.tppId);
  const refused = (await refusalOf({ house, authorisation, now })) !== undefined;
  const location = wayBack(authorisation, { state, issuer: XS2A_URL, refused });
  const language = requestLanguage(house, headers, uiLocales);
  const tppName = nameOnPage(tpp?.name ?? authorisation.tppId, language);
  return { location, tppName, uiLocales };
}
