import { settingNames } from "@/lib/config";

/**
 * The environment in which the tests run, but of the bank's settings only the given ones. The others are
 * empty, which counts as unset: were they missing, the server would fill them in from that person's `.env`.
 */
export function onlyGiven(given: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const unset = Object.fromEntries(settingNames.map((name) => [name, ""]));
  return { ...process.env, ...unset, ...given };
}
