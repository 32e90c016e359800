import { parseArgs } from "node:util";
import { type FundsQuestion, granted } from "@/clients/typescript/src";
import { fundsOptions, fundsQuestion } from "../funds-question";
import { type PsuSession, sessionHelp, sessionOptions, withPsu } from "../psu-session";

export const help = `npm run tpp -- funds --amount 100 --currency RON [OPTIONS]

Creates a consent for the account, prints the address at which the PSU authorises it (and opens it
where there is a browser), waits for the PSU to come back, and asks. The answer is yes or no.

  --amount AMOUNT     with a dot, e.g. 12.50
  --currency CODE     where it is not the account's, the bank converts
  --iban IBAN         the PSU's account; default an account of Ana's, in the sandbox
                      (the bank is the one of BANK_PROFILE)
  --card NUMBER       the card that the consent is for
${sessionHelp}`;

export async function run(args: readonly string[]): Promise<number> {
  const options = { ...sessionOptions, ...fundsOptions };
  const { values } = parseArgs({ args: [...args], options });
  const question = fundsQuestion(values);
  await withPsu(values, (session) => ask(session, question));
  return 0;
}

async function ask(
  { bank, redirectUri, authorised }: PsuSession,
  question: FundsQuestion,
): Promise<void> {
  const { account, cardNumber } = question;
  const consent = { account, ...(cardNumber !== undefined && { cardNumber }) };
  const { consentId, _links } = granted(await bank.createFundsConsent(consent, { redirectUri }));
  const { accessToken } = await authorised({
    scope: `PIIS:${consentId}`,
    scaOAuth: _links.scaOAuth.href,
    told: `Consent ${consentId} for ${account.iban} is created`,
  });
  const { fundsAvailable } = granted(await bank.confirmFunds({ consentId, accessToken }, question));
  console.log(`Funds available: ${fundsAvailable ? "yes" : "no"}`);
}
