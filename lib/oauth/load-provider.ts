import * as crypto from "node:crypto";
import { register } from "node:module";
import { log } from "@/lib/log";

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

/**
 * oidc-provider uses two functions that Node got after 20.9: `crypto.hash` (20.12) and `URL.parse`
 * (22.1, later also 20). A module's exports cannot be added to, so on an older Node the library gets
 * a `node:crypto` of its own that has the function; everybody else keeps Node's.
 */
function completeOldNode(): void {
  URL.parse ??= parsed;
  if (!("hash" in crypto)) register(dataUrl(HOOK));
}

const parsed: typeof URL.parse = (url, base) =>
  URL.canParse(url, base) ? new URL(url, base) : null;

const SHIM = `
import { createHash } from "node:crypto";
export * from "node:crypto";
export function hash(algorithm, data, encoding = "hex") {
  const digest = createHash(algorithm).update(data);
  return encoding === "buffer" ? digest.digest() : digest.digest(encoding);
}`;

const HOOK = `
const shim = ${JSON.stringify(dataUrl(SHIM))};
export async function resolve(specifier, context, next) {
  const wanted = specifier === "node:crypto" && context.parentURL?.includes("/oidc-provider/lib/");
  return wanted ? { url: shim, format: "module", shortCircuit: true } : next(specifier, context);
}`;

function dataUrl(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
