import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { AuthorisationPage } from "@/app/(psu)/authorise/questions/authorisation-page";
import { pagePath } from "../see-other";
import { english } from "../texts/english";
import type { Texts } from "../texts/texts";
import type { View } from "../view";
import { uid } from "./desk";

export function html(view: View): string {
  return htmlIn(english, view);
}

export function htmlIn(texts: Texts, view: View): string {
  if (view.page === "continue") throw new Error("no page");
  const props = { texts, bankName: "Drawbridge Bank", path: pagePath(uid), view };
  return renderToStaticMarkup(createElement(AuthorisationPage, props));
}

/** The accessible name a label gives its field: its text without tags. */
export function labels(page: string): readonly string[] {
  return [...page.matchAll(/<label[^>]*>(.*?)<\/label>/g)].map(([, inside]) => textOf(inside));
}

/** Of what the page asks; the switch of languages stands above it. */
export function buttons(page: string): readonly string[] {
  const [, asked = ""] = /<main[^>]*>(.*)<\/main>/s.exec(page) ?? [];
  return [...asked.matchAll(/<button[^>]*>(.*?)<\/button>/g)].map(([, inside]) => textOf(inside));
}

export const textOf = (markup = "") => markup.replace(/<[^>]*>/g, "");
export const titleOf = (page: string) => /<title>(.*?)<\/title>/.exec(page)?.[1];

/** What the page says under a label of its terms. */
export function term(page: string, label: string): string | undefined {
  const found = new RegExp(`<dt[^>]*>${label}</dt><dd[^>]*>(.*?)</dd>`).exec(page);
  return found?.[1]?.replace(/<br\/>|<small[^>]*>/g, "|").replace(/<[^>]*>/g, "");
}
