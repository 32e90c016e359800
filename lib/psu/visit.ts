import type { TppId } from "@/lib/domain/identifiers";
import type { Authorisation } from "@/lib/domain/sca/authorisation";
import { currentAuthorisation } from "@/lib/domain/sca/current-authorisation";
import { settleBlock } from "@/lib/domain/sca/settle-block";
import type { Network } from "@/lib/domain/sca/sign-in-throttle";
import type { Tpp } from "@/lib/domain/tpp/tpp";
import { callingNetwork } from "./calling-network";
import type { Interaction, PsuHouse } from "./house";
import { tppOnPage } from "./names-on-pages";
import { requestLanguage } from "./request-language";
import { readSession, type Session } from "./session";
import type { Language } from "./texts/language";
import { unlockedFor } from "./unlocked";

/** One request of a PSU's browser: everything that decides what it may see and do. */
export type Visit = {
  readonly house: PsuHouse;
  readonly cookieHeader: string;
  readonly interaction: Interaction;
  readonly authorisation: Authorisation;
  /** Its names are as a page may show them. */
  readonly tpp: Tpp;
  readonly session: Session;
  /** In which the PSU is spoken to, on the page and on the phone. */
  readonly language: Language;
  readonly network: Network | undefined;
  /** The user ID whose passkey has signed in this browser a while ago. */
  readonly unlockedFor: string | undefined;
  readonly now: Date;
};

const UID = /^[\w-]{1,128}$/;

/** Undefined when this browser has no such interaction: unknown, over, and foreign look the same. */
export async function openVisit(
  house: PsuHouse,
  uid: string,
  headers: Pick<Headers, "get">,
): Promise<Visit | undefined> {
  const cookieHeader = headers.get("cookie");
  if (cookieHeader === null || !UID.test(uid)) return undefined;
  const interaction = await house.interactions.read(uid, cookieHeader);
  if (interaction === undefined || interaction.uid !== uid) return undefined;

  const now = await house.clock.now();
  const { kind, resourceId } = interaction;
  // The authorisation server has proved who its client is: organizationIdentifier is the client_id.
  const tppId = interaction.clientId as TppId;
  const current = await currentAuthorisation(house, { kind, resourceId, tppId, now });
  if (current === undefined) return undefined;
  const authorisation = await settleBlock(house, current, now);

  const tpp = await house.tppRegister.find(tppId);
  if (tpp === undefined) throw new Error("the TPP of an authorisation is not in the register");
  const session = await readSession(house, { cookieHeader, uid, authorisation, now });
  const language = requestLanguage(house, headers, interaction.uiLocales);
  return {
    house,
    cookieHeader,
    interaction,
    authorisation,
    tpp: tppOnPage(tpp, language),
    session,
    language,
    network: callingNetwork(headers),
    unlockedFor: await unlockedFor(house, cookieHeader, now),
    now,
  };
}
