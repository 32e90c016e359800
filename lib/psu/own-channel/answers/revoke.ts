import { revokePermission } from "@/lib/domain/permissions/revoke-permission";
import { seeOther } from "../../see-other";
import { carryOwnOutcome } from "../outcome";
import { HOME, signInPath } from "../paths";
import { permissionAsked, permissionPath } from "../permission-path";
import { isSignedIn, type OwnVisit } from "../visit";

/** The PSU's last word. What is not theirs, or not in force, stays as it is. */
export async function answerRevoke(
  visit: OwnVisit,
  _form: URLSearchParams,
  target: string | undefined,
): Promise<Response> {
  const asked = permissionAsked(target);
  if (asked === undefined) return seeOther(HOME);
  const path = permissionPath(asked);
  if (!isSignedIn(visit)) return seeOther(signInPath(path));
  const { house, session, now } = visit;
  const revoked = await revokePermission(house, { ...asked, psuId: session.signIn.psuId, now });
  const outcome = revoked ? "revoked" : "not-revoked";
  return seeOther(path, [await carryOwnOutcome({ path, config: house.config }, { outcome })]);
}
