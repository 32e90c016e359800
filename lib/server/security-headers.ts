// A file of its own, since next.config.ts reads it, which knows no other path than a relative one.

/** What a page may load, and that its forms go to the bank alone. Nothing in a page is run. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

export function securityHeaders(policy: string, https: boolean): Readonly<Record<string, string>> {
  return {
    "content-security-policy": policy,
    "x-frame-options": "DENY",
    // With no-referrer browsers send `Origin: null` on form posts, which no check could accept.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "permissions-policy":
      "camera=(), geolocation=(), microphone=(), payment=(), usb=(), publickey-credentials-create=(self), publickey-credentials-get=(self)",
    "cross-origin-opener-policy": "same-origin",
    ...(https ? { "strict-transport-security": "max-age=31536000; includeSubDomains" } : {}),
  };
}
