import { refuse } from "./statement-error";
import type { XmlElement } from "./xml-element";

export function all(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

/** What the path leads to, if it is there. Refuses an element that stands twice where one may. */
export function find(element: XmlElement, ...path: readonly string[]): XmlElement | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return element;
  const [found, second] = all(element, name);
  if (second !== undefined) refuse(second, "stands here more than once");
  return found && find(found, ...rest);
}

export function need(element: XmlElement, ...path: readonly string[]): XmlElement {
  const found = find(element, ...path);
  return found ?? refuse(element, `${path.join("/")} is missing`);
}

/** Text of one line. Refuses an element without text, or with more of it than ISO 20022 allows. */
export function textOf(element: XmlElement, charactersMax: number): string {
  const text = element.text.replace(/\s+/g, " ");
  if (text === "") refuse(element, "is empty");
  if ([...text].length > charactersMax)
    refuse(element, `has more than ${charactersMax} characters`);
  return text;
}

export function findText(
  element: XmlElement,
  charactersMax: number,
  ...path: readonly string[]
): string | undefined {
  const found = find(element, ...path);
  return found && textOf(found, charactersMax);
}
