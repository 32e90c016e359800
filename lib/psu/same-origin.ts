/**
 * Whether a form was sent by one of our own pages. Browsers say so in `Sec-Fetch-Site`, which no
 * page can forge; older ones send `Origin`. A browser that says neither is not believed.
 */
export function isFromOurPages(headers: Headers, webUrl: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  return headers.get("origin") === new URL(webUrl).origin;
}
