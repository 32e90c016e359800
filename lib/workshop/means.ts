import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { aspspProfile } from "@/lib/domain/bank-profile";
import type { Revocation } from "@/lib/eidas/revocation";
import { readAnchors } from "@/lib/eidas/trusted-list";
import { withOwnAuthority } from "@/lib/sandbox/certificate-status";
import { isFromForeignPage } from "@/lib/sandbox/clock";
import type { Xs2aPorts } from "@/lib/xs2a/declaration";
import type { RawRequest } from "./raw-request";

type Folder = {
  readonly dataDir: string;
  /** Files that the bank's settings name; the sandbox CA alone is believed without them. */
  readonly trustAnchors?: string | undefined;
  readonly listSigners?: string | undefined;
  readonly now: Date;
};

/** Other issuers are not asked: a command on a developer's machine is not the bank. */
const noRevocationCheck: Revocation = { check: async () => "good" };

/** What the bank of a data folder validates with. Throws an Error when there is no such folder. */
export async function sandboxContext(folder: Folder): Promise<WorkshopContext> {
  const ca = join(folder.dataDir, "ca");
  const { trustAnchors = join(ca, "ca.pem"), listSigners, now } = folder;
  const [text, listSignersPem] = await Promise.all([
    readFile(trustAnchors, "utf8"),
    listSigners === undefined ? undefined : readFile(listSigners, "utf8"),
  ]);
  return {
    trustAnchors: readAnchors({ text, listSignersPem, now }),
    revocation: withOwnAuthority(noRevocationCheck, ca),
    profile: aspspProfile,
    now,
  };
}

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
