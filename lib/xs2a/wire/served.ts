import { rateLimitHeaders, type Served } from "@/lib/domain/account-access/allowance";
import type { AnswerHeader, Answers } from "../answers";
import type { Reply } from "../endpoint";
import type { Xs2aPorts } from "../ports";

const said = (description: string): AnswerHeader => ({ description, required: false });

/** With an answer, and with the refusal of a call for which nothing is left. */
const addressIgnored = {
  "PSU-IP-Address-Ignored": said(
    "Why the call counts as unattended although it names an address: reserved, not-public or of-the-tpp.",
  ),
};

/** Only the unattended have a budget to be told. */
const headersOfBudget = {
  "RateLimit-Limit": said("How many unattended calls there are in 24 hours."),
  "RateLimit-Remaining": said("How many of them are left."),
  "RateLimit-Reset": said("Seconds until there is one more."),
  ...addressIgnored,
};

type Granting<Result> = Reply<Result> & { readonly answers: Answers };

/** The reply to an access to account data: its content, and what is left of the budget it took from. */
export function served<Content>(reply: Granting<Content>): Granting<Served<Content>> {
  const { answers } = reply;
  const write = ({ content, allowance }: Served<Content>, ports: Xs2aPorts) => {
    const answer = reply(content, ports);
    if (allowance === undefined) return answer;
    return { ...answer, headers: { ...answer.headers, ...rateLimitHeaders(allowance) } };
  };
  return Object.assign(write, {
    answers: {
      ...answers,
      headers: { ...answers.headers, ...headersOfBudget },
      headersOfRefusals: { 429: addressIgnored },
    },
  });
}
