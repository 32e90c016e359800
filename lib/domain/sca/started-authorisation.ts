import { after } from "../clock";
import type { Ports } from "../ports";
import { type Rejection, reject } from "../rejection";
import type { Authorisation } from "./authorisation";

type Begun = Pick<
  Authorisation,
  | "id"
  | "kind"
  | "resourceId"
  | "tppId"
  | "requestId"
  | "bodyDigest"
  | "wayBack"
  | "loginHint"
  | "createdAt"
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
    ...(begun.bodyDigest !== undefined && { bodyDigest: begun.bodyDigest }),
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

/** 429: nothing of the request was kept, so it may be sent again as it is. */
export function tooManyOpen({ profile: { sca } }: Pick<Ports, "profile">): Rejection {
  const text = `${sca.openPerTppMax} authorisations of this TPP wait for their PSUs already`;
  const headers = { "retry-after": String(sca.openRetryAfterSeconds) };
  return reject("ACCESS_EXCEEDED", text, { headers });
}
