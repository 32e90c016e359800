import { log } from "@/lib/log";
import { completeOldNode } from "./node-20-9";

export type OidcProviderModule = typeof import("oidc-provider");

let loaded: Promise<OidcProviderModule> | undefined;

/**
 * Loads the library at the first request: Next evaluates route modules at build time, and there is
 * nothing to authorise then.
 */
export function loadOidcProvider(): Promise<OidcProviderModule> {
  loaded ??= importWithWarningsLogged();
  return loaded;
}

/** On Node 20 the library works but prints a coloured warning when it is imported. */
async function importWithWarningsLogged(): Promise<OidcProviderModule> {
  completeOldNode();
  const { console } = globalThis;
  const { warn } = console;
  Object.assign(console, {
    warn: (warning: unknown) => log.info({ warning }, "oidc-provider"),
  });
  try {
    return await import("oidc-provider");
  } finally {
    console.warn = warn;
  }
}
