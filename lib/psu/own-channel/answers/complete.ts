import type { Proof } from "@/lib/domain/sca/proof";
import { completeSignIn } from "@/lib/domain/sign-in/complete-sign-in";
import type { SignIn } from "@/lib/domain/sign-in/sign-in-store";
import { seeOther } from "../../see-other";
import { carryOwnOutcome, type OwnOutcome } from "../outcome";
import { signInPath } from "../paths";
import { newOwnSession, ownCookie } from "../session";
import type { OwnVisit } from "../visit";

type Given = { readonly signIn: SignIn; readonly proof: Proof; readonly to: string };

/** What comes of the second element, whichever it is. */
export async function complete(visit: OwnVisit, { signIn, proof, to }: Given): Promise<Response> {
  const { house, language, unlockedFor, now } = visit;
  const opened = await newOwnSession();
  const given = { signIn, proof, opens: opened.session, unlockedFor, now };
  const completion = await completeSignIn(house, given);
  switch (completion.outcome) {
    case "signed-in":
      await house.psuLanguages.keep(signIn.psuId, language);
      return seeOther(to, [await ownCookie(house, opened.id)]);
    case "wrong-proof":
      return askAgain(visit, to, { ...completion, outcome: `wrong-${proof.method}` });
    case "stale-proof":
      return askAgain(visit, to, { outcome: `${proof.method}-expired` });
    case "blocked":
      return askAgain(visit, to, { outcome: "blocked" });
    case "ended":
      return seeOther(signInPath(to));
  }
}

export async function askAgain(
  { house: { config } }: OwnVisit,
  to: string,
  outcome: OwnOutcome,
): Promise<Response> {
  return seeOther(signInPath(to), [await carryOwnOutcome({ path: "/sign-in", config }, outcome)]);
}
