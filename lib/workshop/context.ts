import { isFromForeignPage } from "@/lib/sandbox/clock";
import type { Xs2aPorts } from "@/lib/xs2a/declaration";
import type { RawRequest } from "./raw-request";

/** What the server validates with. */
export type WorkshopContext = Pick<Xs2aPorts, "trustAnchors" | "revocation" | "profile"> & {
  /** Only the bank itself knows which TPPs it has blocked. */
  readonly stopList?: Pick<Xs2aPorts["stopList"], "find">;
  readonly now: Date;
};

export type Presented = {
  readonly request: RawRequest;
  /** DER of the TLS client certificate, where the request itself does not carry it as Client-Cert. */
  readonly qwac?: Uint8Array | undefined;
};

type Settings = { readonly SANDBOX: boolean; readonly WEB_URL: string };

/** Whether the workshop takes a form: in a sandbox only, and from no page of another origin. */
export function isOpenTo(headers: Headers, { SANDBOX, WEB_URL }: Settings): boolean {
  return SANDBOX && !isFromForeignPage(headers, WEB_URL);
}
