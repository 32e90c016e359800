import { z } from "zod";
import { askAtSignIn } from "@/lib/domain/sign-in/ask-at-sign-in";
import { beginSignIn } from "@/lib/domain/sign-in/begin-sign-in";
import { seeOther } from "../../see-other";
import { textsFor } from "../../texts/texts-for";
import { carryOwnOutcome, type OwnOutcome, type OwnOutcomeName } from "../outcome";
import { signInPath } from "../paths";
import { newOwnSession, ownCookie } from "../session";
import type { OwnVisit } from "../visit";

const credentials = z.object({
  // No user ID has control characters, and PostgreSQL takes no NUL.
  userId: z.string().transform((text) => text.replace(/\p{Cc}/gu, "").trim()),
  password: z.string(),
});

/** User ID and password, the first element. Who is right gets a new session and is asked for the second. */
export async function answerPassword(visit: OwnVisit, form: URLSearchParams): Promise<Response> {
  const { house, language, network, unlockedFor, now } = visit;
  const typed = credentials.safeParse(Object.fromEntries(form));
  if (!typed.success) return answered(visit, form);
  const { userId, password } = typed.data;
  const missing = missingOf(userId, password);
  if (missing !== undefined) return answered(visit, form, again(userId, { outcome: missing }));

  const { id, session } = await newOwnSession();
  const asked = { userId, password, session, network, unlockedFor, now };
  const begun = await beginSignIn(house, asked);
  if (begun.outcome !== "password-right") return answered(visit, form, again(userId, begun));

  const wording = textsFor(language).signIn.codeMessage(house.profile.name);
  const { outcome } = await askAtSignIn(house, { signIn: begun.signIn, wording, now });
  const cookie = await ownCookie(house, id);
  const sent = outcome === "code-sent" || outcome === "passkey-asked" || outcome === "ended";
  return answered(visit, form, sent ? undefined : { outcome }, [cookie]);
}

async function answered(
  { house: { config } }: OwnVisit,
  form: URLSearchParams,
  outcome?: OwnOutcome,
  cookies: readonly string[] = [],
): Promise<Response> {
  const carried = await carryOwnOutcome({ path: "/sign-in", config }, outcome);
  return seeOther(signInPath(form.get("to")), [carried, ...cookies]);
}

function missingOf(userId: string, password: string): OwnOutcomeName | undefined {
  if (userId === "") return password === "" ? "credentials-missing" : "user-id-missing";
  return password === "" ? "password-missing" : undefined;
}

function again(userId: string, { outcome, attemptsLeft, waitSeconds }: OwnOutcome): OwnOutcome {
  const typed = userId.length > 0 && userId.length <= 100 ? { userId } : {};
  const left = attemptsLeft === undefined ? {} : { attemptsLeft };
  const wait = waitSeconds === undefined ? {} : { waitSeconds };
  return { outcome, ...left, ...wait, ...typed };
}
