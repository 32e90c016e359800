import path from "node:path";
import { fileURLToPath } from "node:url";
import nextEnv from "@next/env";
import { readSettings, type Settings } from "@/lib/config";
import { DEMO_PROFILE } from "@/lib/profile/in-force";
import type { Host } from "./listeners";

/** As deep below it as a build of this file is, see build.ts. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The argument of a host that the launcher has started. */
export const LAUNCHED = "launched";

/** How long running requests may take to end when a host stops. */
export const GRACE_MS = 10_000;

export type Port = Pick<Host, "setting" | "port" | "loopbackOnly" | "keepAlive">;

/**
 * The staff console has a listener of its own in the browser host's process, and the bank API in the TPP host's, unless
 * its port is 0: of the bank's own network, and in a sandbox of this machine alone.
 */
export function portsOf(settings: Settings) {
  // A sandbox's passwords are printed on the screen, so other machines may not try them.
  const { SANDBOX, SANDBOX_PUBLIC, KEEP_ALIVE: keepAlive, STAFF_PORT, BANK_API_PORT } = settings;
  const loopbackOnly = SANDBOX && !SANDBOX_PUBLIC;
  const common = { loopbackOnly, keepAlive };
  const own = { loopbackOnly: SANDBOX, keepAlive };
  const tpp: Port = { ...common, setting: "XS2A_PORT", port: settings.XS2A_PORT };
  const browser: Port = { ...common, setting: "WEB_PORT", port: settings.WEB_PORT };
  const staff: Port = { ...own, setting: "STAFF_PORT", port: STAFF_PORT };
  const bankApi: Port = { ...own, setting: "BANK_API_PORT", port: BANK_API_PORT };
  return {
    ...{ tpp, browser },
    staff: STAFF_PORT === 0 ? undefined : staff,
    bankApi: BANK_API_PORT === 0 ? undefined : bankApi,
  };
}

/** Of the metrics of either host, where they are wanted. */
export function metricsPortOf(
  settings: Settings,
  setting: "XS2A_METRICS_PORT" | "WEB_METRICS_PORT",
): Port | undefined {
  const port = settings[setting];
  return port === undefined ? undefined : { setting, port, loopbackOnly: settings.SANDBOX };
}

/** How long a host takes to stop at most, in milliseconds. */
export function stopMs(settings: Settings): number {
  // First its requests, and then the rest.
  return drainSeconds(settings) * 1_000 + GRACE_MS + 10_000;
}

export function drainSeconds({ DRAIN_SECONDS, SANDBOX }: Settings): number {
  return DRAIN_SECONDS ?? (SANDBOX ? 0 : 5);
}

/** Reads `.env` of the working directory, where the environment does not say otherwise. */
export function loadSettings(): Settings {
  // React and Next choose their builds by this when they are loaded, which is later.
  setEnvironment({ NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" });
  const silent = { info: () => undefined, error: () => undefined };
  nextEnv.loadEnvConfig(process.cwd(), false, silent);
  const { BANK_PROFILE } = process.env;
  // Next and the hosts are not always run where the sources are.
  setEnvironment({
    BANK_PROFILE: BANK_PROFILE ? path.resolve(BANK_PROFILE) : path.join(ROOT, DEMO_PROFILE),
  });
  return readSettings(process.env);
}

/** Next's types make NODE_ENV read-only; the one who starts Next sets it. */
export function setEnvironment(values: Readonly<Record<string, string>>): void {
  Object.assign(process.env, values);
}
