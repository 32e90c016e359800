import type { NextConfig } from "next";
import { contentSecurityPolicy, securityHeaders } from "./lib/server/security-headers";

const pageHeaders = Object.entries(securityHeaders(contentSecurityPolicy, false)).map(
  ([key, value]) => ({ key, value }),
);

const config: NextConfig = {
  // Bundled, oidc-provider loses its class names: Session, Grant and AccessToken would share one
  // name space in the database. asn1js dispatches on class names as well.
  serverExternalPackages: [
    "oidc-provider",
    "light-my-request",
    "pkijs",
    "asn1js",
    "@peculiar/x509",
    "reflect-metadata",
    "postgres",
    "pino",
    "prom-client",
    "@opentelemetry/api",
  ],
  // `npm test` checks the types of the whole tree, tests included; a newcomer's first build need not.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  // A redirect would answer a TPP with HTML; an unknown path is a 404 in the standard's form.
  skipTrailingSlashRedirect: true,
  compress: false,
  // The browser host sets its own in their place, which can say more: it knows whether it is reached by https.
  headers: async () => [{ source: "/:path*", headers: pageHeaders }],
  devIndicators: false,
  experimental: {
    // The route groups have layouts of their own; a page for what is in none of them needs its own too.
    globalNotFound: true,
    // Half of them are the TPP host's, which calls them without Next; a page is loaded when it is opened.
    preloadEntriesOnStart: false,
  },
};

export default config;
