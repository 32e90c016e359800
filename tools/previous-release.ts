/**
 * What this release has to be exchanged for and back without a gap; changed with each release. The commit is the last one
 * whose servers migrate by themselves, so that the way from there to `npm run bank -- migrate` is tried too.
 */
export const previousRelease = {
  commit: "1b835829234a6cc678f3b38501ab2a014b6bcfbe",
  lastMigration: "0035_bank_api",
} as const;
