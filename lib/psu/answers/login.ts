import { z } from "zod";
import { beginChallenge } from "@/lib/domain/sca/begin-challenge";
import { identifyPsu } from "@/lib/domain/sca/identify-psu";
import { isDecided } from "@/lib/domain/sca/sca-status";
import { afterTheEnd, authorisationNow } from "../leave";
import type { Outcome, OutcomeName } from "../outcome";
import { toPage } from "../see-other";
import { closeSession, openSession } from "../session";
import { textsFor } from "../texts/texts-for";
import type { Visit } from "../visit";

const credentials = z.object({
  // No user ID has control characters, and PostgreSQL takes no NUL.
  userId: z.string().transform((text) => text.replace(/\p{Cc}/gu, "").trim()),
  password: z.string(),
});

/** User ID and password. Who is right gets a new session; who is not is asked again. */
export async function answerLogin(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { house, authorisation, interaction, network, unlockedFor, now } = visit;
  const typed = credentials.safeParse(Object.fromEntries(form));
  if (isDecided(authorisation.scaStatus) || !typed.success) return toPage(visit);
  const { userId, password } = typed.data;
  const missing = missingOf(userId, password);
  if (missing !== undefined) return askAgain(visit, userId, { outcome: missing });

  const asked = { authorisation, userId, password, network, unlockedFor, now };
  const identified = await identifyPsu(house, asked);
  if (identified.outcome === "ended") return afterTheEnd(visit);
  if (identified.outcome !== "authenticated") return askAgain(visit, userId, identified);

  await closeSession(house, visit.session, now);
  const opened = { uid: interaction.uid, psuId: identified.psu.id, now };
  const cookies = [await openSession(house, opened)];
  const outcome = await firstCode(visit);
  return toPage(visit, { cookies, ...(outcome !== undefined && { outcome: { outcome } }) });
}

const notSent = ["not-delivered", "too-many-codes", "too-many-texts"] as const;
type NotSent = (typeof notSent)[number];

/**
 * Where the account is fixed the login leads straight to the page with the code, so the code is sent
 * at once; where it is chosen, nothing is sent yet. Who signs in again still has the earlier code.
 */
async function firstCode(visit: Visit): Promise<NotSent | undefined> {
  const { house, language, now } = visit;
  const wording = textsFor(language).codeMessage;
  const authorisation = await authorisationNow(visit);
  if (authorisation?.scaStatus !== "psuAuthenticated") return undefined;
  const { outcome } = await beginChallenge(house, { authorisation, wording, now });
  // Any other outcome is a state of the authorisation, and the page that fits says it.
  return notSent.find((one) => one === outcome);
}

function missingOf(userId: string, password: string): OutcomeName | undefined {
  if (userId === "") return password === "" ? "credentials-missing" : "user-id-missing";
  return password === "" ? "password-missing" : undefined;
}

function askAgain(visit: Visit, userId: string, { outcome, attemptsLeft, waitSeconds }: Outcome) {
  const typed = userId.length > 0 && userId.length <= 100 ? { userId } : {};
  const left = attemptsLeft === undefined ? {} : { attemptsLeft };
  const wait = waitSeconds === undefined ? {} : { waitSeconds };
  return toPage(visit, { outcome: { outcome, ...left, ...wait, ...typed } });
}
