import { fileURLToPath } from "node:url";
import type { Settings } from "@/lib/config";
import type { Host } from "./listeners";

/** As deep below it as a build of this file is, see server-bundle.ts. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The argument of a host that the launcher has started. */
export const LAUNCHED = "launched";

/** How long running requests get to end when a host stops. */
export const GRACE_MS = 10_000;

export type Port = Pick<Host, "setting" | "port" | "loopbackOnly" | "keepAlive">;

export function portsOf(settings: Settings): { readonly tpp: Port; readonly browser: Port } {
  // A sandbox's passwords are printed on the screen: nobody else's machine gets to try them.
  const loopbackOnly = settings.SANDBOX && !settings.SANDBOX_PUBLIC;
  const common = { loopbackOnly, keepAlive: settings.KEEP_ALIVE };
  return {
    tpp: { ...common, setting: "XS2A_PORT", port: settings.XS2A_PORT },
    browser: { ...common, setting: "WEB_PORT", port: settings.WEB_PORT },
  };
}

/** How long a host takes to stop at most, in milliseconds. */
export function stopMs(settings: Settings): number {
  // First its requests, and then the rest.
  return drainSeconds(settings) * 1_000 + GRACE_MS + 10_000;
}

export function drainSeconds({ DRAIN_SECONDS, SANDBOX }: Settings): number {
  return DRAIN_SECONDS ?? (SANDBOX ? 0 : 5);
}
