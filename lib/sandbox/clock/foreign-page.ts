/**
 * Whether a page of another origin has sent it. A browser says so in both headers, which no page can
 * forge, and either alone is enough to refuse; a name that was made to point at this machine after
 * its page was loaded shows in `Origin`. What is no browser, like curl, sends neither and passes: a
 * sandbox listens on loopback, and who may run programs there needs no forged request.
 */
export function isFromForeignPage(headers: Headers, webUrl: string): boolean {
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  return (
    (site !== null && site !== "same-origin") ||
    (origin !== null && origin !== new URL(webUrl).origin)
  );
}
