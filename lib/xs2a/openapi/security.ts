import type { Psd2Role } from "@/lib/domain/tpp/tpp";
import type { TokenDemand } from "../token-rule";
import type { Operation, SecurityScheme } from "./open-api";

/** Tokens come from the authorisation server, which describes itself: that is not said here again. */
export function securitySchemes(metadata: string): Readonly<Record<string, SecurityScheme>> {
  return {
    certificate: {
      type: "mutualTLS",
      description: "A QWAC (ETSI TS 119 495) with the PSD2 role that the call names.",
    },
    signature: {
      type: "apiKey",
      in: "header",
      name: "Signature",
      description:
        "By a QSealC of the same organisation, over digest, x-request-id and date, and over psu-id, psu-corporate-id and tpp-redirect-uri where they are sent.",
    },
    token: {
      type: "http",
      scheme: "bearer",
      bearerFormat: "JWT",
      description: `An access token of the scope that the call names, bound to the QWAC (RFC 8705). The authorisation server says at ${metadata} (RFC 8414) where to get one.`,
    },
  };
}

/** Certificate and signature always; a token as its rule demands it. */
export function securityOf(role: Psd2Role, token: TokenDemand): Operation["security"] {
  const always = { certificate: [role], signature: [] };
  if (token.bearer === "none") return [always];
  const withToken = { ...always, token: [token.scope] };
  return token.bearer === "required" ? [withToken] : [always, withToken];
}
