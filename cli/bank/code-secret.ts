import path from "node:path";
import { SettingError, type Settings } from "@/lib/config";
import { readSecrets } from "@/lib/secrets";
import { readSandboxSecret } from "@/lib/server/data-folder";

/**
 * The secret of fingerprints that the server uses: CODE_SECRET, else the one its sandbox has made. With
 * any other nothing would be found, so none is made here: throws a SettingError.
 */
export async function codeSecret(settings: Settings): Promise<string> {
  const dataDir = path.resolve(settings.DATA_DIR);
  const { CODE_SECRET: given } = settings;
  if (given !== undefined) return readSecrets("CODE_SECRET", given);
  return readSandboxSecret(dataDir, "CODE_SECRET").catch(() => {
    throw new SettingError(
      `CODE_SECRET is not set, and no sandbox has made one in ${dataDir}: give the server's`,
    );
  });
}
