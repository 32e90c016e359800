import { readSettings, SettingError } from "./config";

/** What is said of settings that must be refused. */
export function refusal(env: Readonly<Record<string, string>>): string {
  try {
    readSettings(env);
  } catch (error) {
    if (error instanceof SettingError) return error.message;
  }
  throw new Error("was not refused");
}
