import type { NextConfig } from "next";

const config: NextConfig = {
  // Bundled, oidc-provider loses its class names: Session, Grant and AccessToken would share one
  // name space in the database. pkijs and asn1js dispatch on class names as well.
  serverExternalPackages: [
    "oidc-provider",
    "light-my-request",
    "pkijs",
    "asn1js",
    "postgres",
    "pino",
  ],
  poweredByHeader: false,
  // A redirect would answer a TPP with HTML; an unknown path is a 404 in the standard's form.
  skipTrailingSlashRedirect: true,
  compress: false,
  devIndicators: false,
};

export default config;
