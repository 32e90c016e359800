import { readBankFile } from "./profile/read";

/** The demo bank's profile: tests state its rules in the specification's words. */
export const aspspProfile = readBankFile(
  new URL("../examples/profiles/drawbridge-bank/bank.yaml", import.meta.url).pathname,
).profile;
