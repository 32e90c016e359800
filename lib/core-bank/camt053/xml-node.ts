import { XMLParser } from "fast-xml-parser";
import { StatementError } from "./statement-error";

/** What the parser found, in this project's types: its own are `any`. */
export type XmlNode = {
  /** With its prefix. */
  readonly name: string;
  readonly line: number;
  readonly attributes: Readonly<Record<string, string>>;
  /** A literal (CDATA) text has no references in it. */
  readonly texts: readonly { readonly text: string; readonly isLiteral: boolean }[];
  readonly children: readonly XmlNode[];
};

const ATTRIBUTES = ":@";
const TEXT = "#text";
const LITERAL = "#cdata";
const METADATA: PropertyKey = XMLParser.getMetaDataSymbol() as symbol;

type Parsed = Readonly<Record<PropertyKey, unknown>>;

/** The elements that `parse` yields for the text; what it cannot read is a StatementError. */
export function xmlNodes(text: string, parse: () => unknown): readonly XmlNode[] {
  return toNodes(parsed(parse), lineCounter(text));
}

function parsed(parse: () => unknown): readonly Parsed[] {
  try {
    return listOf(parse());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StatementError(`the file is not well formed: ${reason}`);
  }
}

function toNodes(list: readonly Parsed[], lineOf: (offset: number) => number): readonly XmlNode[] {
  return list.flatMap((item) => {
    const name = nameOf(item);
    if (name === undefined || name === TEXT || name === LITERAL) return [];
    const line = lineOf(offsetOf(item));
    const content = listOf(item[name]);
    return {
      name,
      line,
      attributes: attributesOf(item),
      texts: content.flatMap(textsOf),
      children: toNodes(content, lineOf),
    };
  });
}

function nameOf(item: Parsed): string | undefined {
  return Object.keys(item).find((key) => key !== ATTRIBUTES);
}

function textsOf(item: Parsed): XmlNode["texts"] {
  if (typeof item[TEXT] === "string") return [{ text: item[TEXT], isLiteral: false }];
  return listOf(item[LITERAL])
    .flatMap(textsOf)
    .map(({ text }) => ({ text, isLiteral: true }));
}

function attributesOf(item: Parsed): Readonly<Record<string, string>> {
  const found = item[ATTRIBUTES];
  const entries = typeof found === "object" && found !== null ? Object.entries(found) : [];
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

function offsetOf(item: Parsed): number {
  const found = item[METADATA];
  const known = typeof found === "object" && found !== null && "startIndex" in found;
  return known && typeof found.startIndex === "number" ? found.startIndex : 0;
}

function listOf(value: unknown): readonly Parsed[] {
  return Array.isArray(value) ? value : [];
}

/** Elements come in the order of the file, so counting goes on from where it was. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let counted = 0;
  return (offset) => {
    for (let next = text.indexOf("\n", counted); next !== -1 && next < offset; ) {
      line += 1;
      counted = next + 1;
      next = text.indexOf("\n", counted);
    }
    return line;
  };
}
