import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Revocation } from "@/lib/eidas/revocation";
import { readAnchors } from "@/lib/eidas/trusted-list";
import { bankProfile } from "@/lib/profile/in-force";
import { withOwnAuthority } from "@/lib/sandbox/certificate-status";
import type { WorkshopContext } from "@/lib/workshop/context";

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
    profile: bankProfile(),
    now,
  };
}
