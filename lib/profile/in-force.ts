import type { AspspProfile } from "@/lib/domain/bank-profile";
import { watchFiles } from "@/lib/files";
import { log } from "@/lib/log";
import { type BankFile, ProfileError, readBankFile } from "./read";

/** The demo bank's, where BANK_PROFILE names no other. */
export const DEMO_PROFILE = "examples/profiles/drawbridge-bank/bank.yaml";

let known: BankFile | undefined;

/**
 * The profile that is in force: the same object until the file has another content. A request asks once, and keeps what it
 * got to its end. Throws a ProfileError at the first call alone: of a new file with a mistake the mistake is logged, and the
 * profile before it stays.
 */
export function bankProfile(): AspspProfile {
  return bankFile().profile;
}

/** The same with the theme and the texts. */
export function bankFile(): BankFile {
  if (known === undefined) {
    known = readBankFile(process.env["BANK_PROFILE"] || DEMO_PROFILE);
    let { paths } = known;
    watchFiles(
      () => paths,
      () => {
        paths = readAgain(paths);
      },
    );
  }
  return known;
}

/** The files that are to be looked at from now on. */
function readAgain([file = DEMO_PROFILE, ...named]: readonly string[]): readonly string[] {
  try {
    known = readBankFile(file);
    log.info({ file }, "the bank's profile was read again");
    return known.paths;
  } catch (error) {
    const mistakes = error instanceof Error ? error.message.split("\n") : [];
    log.error({ mistakes }, "the bank's new profile is refused, and the one before stays in force");
    const awaited = error instanceof ProfileError ? error.paths : [];
    return [...new Set([file, ...named, ...awaited])];
  }
}
