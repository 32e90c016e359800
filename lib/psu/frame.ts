import type { ResourceKind } from "@/lib/domain/sca/authorisation";
import { isDecided } from "@/lib/domain/sca/sca-status";
import type { Tpp } from "@/lib/domain/tpp/tpp";
import { cancelTicket } from "./cancel-ticket";
import { type FormTokens, formTokens } from "./form-token";
import type { Outcome } from "./outcome";
import { type TimeLimits, timeLimitsOf } from "./time-limits";
import type { Visit } from "./visit";

/** What every page of an authorisation shows or sends. */
export type Frame = {
  readonly uid: string;
  readonly kind: ResourceKind;
  /** Nothing is left to answer: going back changes nothing. */
  readonly decided: boolean;
  readonly bankName: string;
  readonly timeZone: string;
  readonly tpp: Tpp;
  readonly tokens: FormTokens;
  readonly ticket: string;
  readonly outcome?: Outcome | undefined;
  /** The end of the SCA window. */
  readonly openUntil: Date;
  readonly inactivityMinutes: number;
  readonly limits: TimeLimits;
  readonly sandbox: boolean;
};

export async function frameOf(visit: Visit): Promise<Frame> {
  const { house, interaction, authorisation, session, tpp } = visit;
  const { uid } = interaction;
  return {
    uid,
    kind: authorisation.kind,
    decided: isDecided(authorisation.scaStatus),
    bankName: house.profile.name,
    timeZone: house.profile.timeZone,
    tpp,
    tokens: await formTokens({ secret: house.config.SESSION_SECRET, uid, session }),
    ticket: await cancelTicket(visit),
    openUntil: authorisation.expiresAt,
    inactivityMinutes: house.profile.sca.inactivityMinutes,
    limits: timeLimitsOf(visit),
    sandbox: house.config.SANDBOX,
  };
}
