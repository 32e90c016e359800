import type { Browsing, Fields, Page } from "./browsing";
import { type Form, formsOf, type Input } from "./html-form";

/** Fills in the page's form that has this button, and presses it. */
export function answerForm(
  browser: Browsing,
  page: Page,
  button: string,
  fill: (input: Input) => Fields,
): Promise<Page> {
  const forms = formsOf(page.html).flatMap((form) => {
    const pressed = form.buttons.find(({ text }) => text === button);
    return pressed === undefined ? [] : [{ form, pressed }];
  });
  const [found] = forms;
  if (found === undefined) throw new Error(`no button "${button}" at ${page.url.pathname}`);
  const { form, pressed } = found;
  const named = pressed.name === "" ? [] : [[pressed.name, pressed.value] as const];
  return browser.submit(page, form, [...hidden(form), ...form.inputs.flatMap(fill), ...named]);
}

function hidden({ inputs }: Form): Fields {
  return inputs.filter(({ type }) => type === "hidden").map(({ name, value }) => [name, value]);
}
