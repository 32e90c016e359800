import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { readAnchors } from "@/lib/eidas/read-anchors";
import type { Revocation } from "@/lib/eidas/revocation/revocation";
import { withOwnAuthority } from "@/lib/sandbox/certificate-status/own-authority";
import type { Means } from "./means";

type Folder = {
  readonly dataDir: string;
  /** Files that the bank's settings name; the sandbox CA alone is believed without them. */
  readonly trustAnchors?: string | undefined;
  readonly listSigners?: string | undefined;
  readonly now: Date;
};

/** Of other issuers nobody is asked: a command on somebody's machine is not the bank. */
const nobodyAsked: Revocation = { check: async () => "counts" };

/** What the bank of a data folder judges by. Throws an Error when there is no such folder. */
export async function sandboxMeans(folder: Folder): Promise<Means> {
  const ca = join(folder.dataDir, "ca");
  const { trustAnchors = join(ca, "ca.pem"), listSigners, now } = folder;
  const [text, listSignersPem] = await Promise.all([
    readFile(trustAnchors, "utf8"),
    listSigners === undefined ? undefined : readFile(listSigners, "utf8"),
  ]);
  return {
    trustAnchors: readAnchors({ text, listSignersPem, now }),
    revocation: withOwnAuthority(nobodyAsked, ca),
    profile: aspspProfile,
    now,
  };
}
