import { z } from "zod";
import type { HeaderCircumstances } from "../circumstances";
import { orMissing } from "../parse";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * An address the PSU's browser may be sent to: absolute https, no user, no fragment, within the
 * certificate's domains where that is enforced. The text is kept exactly as it was sent, because
 * the authorisation request has to repeat it exactly.
 */
export function redirectUri(circumstances: HeaderCircumstances) {
  return z
    .string(orMissing("is not a URI"))
    .max(circumstances.profile.request.headerCharactersMax)
    .superRefine((text, issues) => {
      const fault = redirectUriFault(text, circumstances);
      if (fault !== undefined) issues.addIssue({ code: "custom", message: fault });
    });
}

export function redirectUriFault(
  text: string,
  circumstances: HeaderCircumstances,
): string | undefined {
  // What a browser would quietly mend (blanks, backslashes, a missing slash) is not accepted.
  if (!/^https?:\/\/[!-~]+$/.test(text) || text.includes("\\") || !URL.canParse(text)) {
    return "is not an absolute https URI";
  }
  const { protocol, hostname, username, password, hash } = new URL(text);
  const local = circumstances.sandbox && LOOPBACK.has(hostname);
  if (protocol !== "https:" && !local) return "is not an absolute https URI";
  if (username !== "" || password !== "") return "must not name a user";
  if (hash !== "" || text.includes("#")) return "must not have a fragment";
  const { redirectDomains } = circumstances;
  if (redirectDomains === undefined || redirectDomains.some((name) => covers(name, hostname))) {
    return undefined;
  }
  return "lies outside the domains of the TPP's certificate";
}

/** A name of the certificate covers itself and what lies below it, with or without a wildcard. */
function covers(name: string, hostname: string): boolean {
  const domain = name.toLowerCase().replace(/^\*\./, "");
  return hostname === domain || hostname.endsWith(`.${domain}`);
}
