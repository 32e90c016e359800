import { rateLimitHeaders, type Served } from "@/lib/domain/account-access/allowance";
import type { Answer } from "../endpoint";
import type { Xs2aPorts } from "../ports";

/** The reply to an access to account data: its content, and what is left of the budget it took from. */
export function served<Content>(reply: (content: Content, ports: Xs2aPorts) => Answer) {
  return ({ content, allowance }: Served<Content>, ports: Xs2aPorts): Answer => {
    const answer = reply(content, ports);
    return { ...answer, headers: { ...answer.headers, ...rateLimitHeaders(allowance) } };
  };
}
