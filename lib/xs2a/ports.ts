import type { Ports } from "@/lib/domain/ports";
import type { Revocation } from "@/lib/eidas/revocation/revocation";
import type { TrustAnchors } from "@/lib/eidas/trust";
import type { AccessTokens } from "./access-tokens";

/** What a TPP's request needs beyond the domain's ports. */
export type Xs2aPorts = Ports & {
  readonly trustAnchors: TrustAnchors;
  readonly revocation: Revocation;
  readonly accessTokens: AccessTokens;
  /** Public bases of our own links, from the configuration and never from the Host header. */
  readonly links: {
    readonly aisp: string;
    readonly pisp: string;
    /** Its consents are `/v2`, its funds confirmations `/v1`. */
    readonly cbpii: string;
    /** The authorisation server's metadata (RFC 8414). */
    readonly scaOAuth: string;
  };
  /** Keys the seal of paging cursors. */
  readonly cursorSecret: string;
  readonly sandbox: boolean;
  readonly redirectUriDomainCheck: "strict" | "warn";
};
