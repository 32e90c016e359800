/**
 * The pages on which the language can be switched, as a form may name them. A browser is led back to
 * nothing else: a path of the bank's own, without a host, for each kind of page.
 */
const ownPages: readonly RegExp[] = [
  /^\/$/,
  /^\/authorise\/[\w-]{1,128}(\?question=accounts)?$/,
  /^\/authorise\/ended\?reason=[a-z-]{1,32}$/,
  /^\/authorise\/leaving\/[\w.-]{1,8192}$/,
  /^\/(permissions|passkeys)(\/[\w-]{1,64}){0,3}(\?(page|after)=\d{1,18})?$/,
  /^\/sign-in\?to=\/(permissions|passkeys)(\/[\w-]{1,64}){0,3}$/,
  /^\/sign-out$/,
];

/** There is no page at this address, so that it leads to the page which says so. */
export const NO_PAGE = "/not-found";

export function ownPage(path: string | null): string {
  const known = path !== null && ownPages.some((page) => page.test(path));
  return known ? path : NO_PAGE;
}
