import nextEnv from "@next/env";
import { readSettings, type Settings } from "@/lib/config";

/** Reads `.env` of the working directory, where the environment does not say otherwise. */
export function loadSettings(): Settings {
  // React and Next choose their builds by this when they are loaded, which is later.
  setEnvironment({ NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" });
  const silent = { info: () => undefined, error: () => undefined };
  nextEnv.loadEnvConfig(process.cwd(), false, silent);
  return readSettings(process.env);
}

/** Next's types make NODE_ENV read-only; the one who starts Next sets it. */
export function setEnvironment(values: Readonly<Record<string, string>>): void {
  Object.assign(process.env, values);
}
