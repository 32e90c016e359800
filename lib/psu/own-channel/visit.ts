import type { Network } from "@/lib/domain/sca/sign-in-throttle";
import { callingNetwork } from "../calling-network";
import type { PsuHouse } from "../house";
import { requestLanguage } from "../request-language";
import type { Language } from "../texts/language";
import { unlockedFor } from "../unlocked";
import { type OwnSession, readOwnSession } from "./session";

/** One request of a PSU's browser to the bank's own channel. */
export type OwnVisit = {
  readonly house: PsuHouse;
  readonly cookieHeader: string | null;
  readonly session: OwnSession;
  readonly language: Language;
  readonly network: Network | undefined;
  /** The user ID whose passkey has signed in this browser a while ago. */
  readonly unlockedFor: string | undefined;
  readonly now: Date;
};

/** The same, of somebody whose SCA is done. */
export type SignedInVisit = OwnVisit & {
  readonly session: Extract<OwnSession, { readonly signIn: unknown }>;
};

export async function openOwnVisit(
  house: PsuHouse,
  headers: Pick<Headers, "get">,
): Promise<OwnVisit> {
  const cookieHeader = headers.get("cookie");
  const now = await house.clock.now();
  const session = await readOwnSession(house, cookieHeader, now);
  return {
    house,
    cookieHeader,
    session,
    language: requestLanguage(house, headers),
    network: callingNetwork(headers),
    unlockedFor: await unlockedFor(house, cookieHeader, now),
    now,
  };
}

export function isSignedIn(visit: OwnVisit): visit is SignedInVisit {
  return visit.session.state === "signed-in";
}
