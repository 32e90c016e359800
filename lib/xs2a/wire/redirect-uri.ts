import { z } from "zod";
import type { HeaderCircumstances } from "../circumstances";
import { orMissing } from "../parse";

const OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
const IPV4 = `(?:${OCTET}\\.){3}${OCTET}`;
/** A name whose last part is no number, which a browser would take for an address. */
const NAME = "(?:[A-Za-z0-9_-]+\\.)*[A-Za-z_][A-Za-z0-9_-]*\\.?";
const PORT =
  "(?::(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?";
/** What a browser would quietly mend is not accepted, such as blanks and backslashes; nor is a fragment. */
const REST = '(?:[/?][!"$-\\[\\]-~]*)?';
const LOOPBACK = "\\[::1\\]";
const outside = new RegExp(`^https://(?:${NAME}|${IPV4})${PORT}${REST}$`);
/** TPPs of the sandbox live on localhost. */
const sandbox = new RegExp(
  `^(?:https://(?:${NAME}|${IPV4}|${LOOPBACK})|http://(?:localhost|127\\.0\\.0\\.1|${LOOPBACK}))${PORT}${REST}$`,
);
const formIn = (circumstances: HeaderCircumstances) => (circumstances.sandbox ? sandbox : outside);

/**
 * An address the PSU's browser may be sent to: absolute https, no user, no fragment, within the
 * certificate's domains where that is enforced. The text is kept exactly as it was sent, because
 * the authorisation request has to repeat it exactly.
 */
export function redirectUri(circumstances: HeaderCircumstances) {
  return z
    .string(orMissing("is not a URI"))
    .max(circumstances.profile.request.headerCharactersMax)
    .meta({ pattern: formIn(circumstances).source })
    .superRefine((text, issues) => {
      const fault = redirectUriFault(text, circumstances);
      if (fault !== undefined) issues.addIssue({ code: "custom", message: fault });
    });
}

export function redirectUriFault(
  text: string,
  circumstances: HeaderCircumstances,
): string | undefined {
  if (!URL.canParse(text)) return "is not an absolute https URI";
  const { hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return "must not name a user";
  if (text.includes("#")) return "must not have a fragment";
  if (!formIn(circumstances).test(text)) return "is not an absolute https URI";
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
