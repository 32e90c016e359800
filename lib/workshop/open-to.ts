import { isFromForeignPage } from "@/lib/sandbox/clock/foreign-page";

type Settings = { readonly SANDBOX: boolean; readonly WEB_URL: string };

/** Whether the workshop takes a form: in a sandbox only, and from no page of another origin. */
export function isOpenTo(headers: Headers, { SANDBOX, WEB_URL }: Settings): boolean {
  return SANDBOX && !isFromForeignPage(headers, WEB_URL);
}
