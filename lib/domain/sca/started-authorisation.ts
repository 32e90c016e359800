import { after } from "../clock";
import type { Ports } from "../ports";
import type { Authorisation } from "./authorisation";

type Begun = Pick<
  Authorisation,
  "id" | "kind" | "resourceId" | "tppId" | "requestId" | "wayBack" | "loginHint" | "createdAt"
>;

/** The authorisation that begins with its resource: nobody has to start it. */
export function startedAuthorisation(
  { profile }: Pick<Ports, "profile">,
  begun: Begun,
): Authorisation {
  return {
    id: begun.id,
    kind: begun.kind,
    resourceId: begun.resourceId,
    tppId: begun.tppId,
    requestId: begun.requestId,
    scaStatus: "received",
    wayBack: begun.wayBack,
    loginHint: begun.loginHint,
    failedAttempts: 0,
    selection: [],
    codesSent: 0,
    createdAt: begun.createdAt,
    expiresAt: after(begun.createdAt, profile.sca.windowMinutes, "minute"),
  };
}
