import type { Xs2aPorts } from "@/lib/xs2a/ports";
import type { RawRequest } from "./raw-request";

/** What the server judges by. */
export type Means = Pick<Xs2aPorts, "trustAnchors" | "revocation" | "profile"> & {
  /** Only the bank itself knows whom it has blocked. */
  readonly stopList?: Pick<Xs2aPorts["stopList"], "find">;
  readonly now: Date;
};

export type Presented = {
  readonly request: RawRequest;
  /** DER of the TLS client certificate, where the request itself does not carry it as Client-Cert. */
  readonly qwac?: Uint8Array | undefined;
};
