import { readUpTo } from "./read-body";

type Expected = {
  /** Of the pages that have such forms. */
  readonly origin: string;
  readonly bytesMax: number;
};

/** The form's fields, or undefined when it is not from our own pages, is no form or too large. */
export async function readOwnForm(
  request: Request,
  { origin, bytesMax }: Expected,
): Promise<URLSearchParams | undefined> {
  if (!isFromOurPages(request.headers, origin)) return undefined;
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded" || request.body === null) return undefined;
  const body = await readUpTo(request.body, bytesMax);
  return body && new URLSearchParams(body.toString("utf8"));
}

/**
 * Whether a form was sent by one of our own pages. Browsers say so in `Sec-Fetch-Site`, which no
 * page can forge; older ones send `Origin`. A form with neither is refused.
 */
function isFromOurPages(headers: Headers, origin: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  return headers.get("origin") === new URL(origin).origin;
}
