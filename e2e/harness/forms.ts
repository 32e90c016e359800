import type { APIResponse, Locator, Page } from "@playwright/test";

/** A form of the bank as it stands in the page, to be sent otherwise than by its button. */
type PageForm = {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
};

export function formOf(button: Locator): Promise<PageForm> {
  return button.evaluate((element: HTMLButtonElement) => {
    const form = element.form as HTMLFormElement;
    const entries = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
    return { action: form.action, fields: Object.fromEntries(entries) };
  });
}

/** What a browser says of itself when the form is on the bank's own page. */
export const OWN_PAGE = { "sec-fetch-site": "same-origin" } as const;

/** Sent with the cookies of this browser, but not by it. */
export function post(
  page: Page,
  { action, fields }: PageForm,
  headers: Readonly<Record<string, string>> = OWN_PAGE,
): Promise<APIResponse> {
  return page.request.post(action, {
    form: { ...fields },
    headers: { ...headers },
    maxRedirects: 0,
  });
}

/** Where the bank's page that leads on leads to, for an answer that is not shown in a browser. */
export async function throughLeaving(page: Page, answer: APIResponse): Promise<URL> {
  const location = new URL(String(answer.headers()["location"]), answer.url());
  const html = await (await page.request.get(location.href)).text();
  const target = /http-equiv="refresh" content="0;url=([^"]*)"/i.exec(html)?.[1];
  if (target === undefined) throw new Error(`nothing leads on from ${location.pathname}`);
  return new URL(target.replaceAll("&amp;", "&"));
}
