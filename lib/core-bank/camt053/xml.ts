import { XMLParser, XMLValidator } from "fast-xml-parser";

/** Free content of any namespace, which says nothing about the account. */
const SUPPLEMENTARY = "SplmtryData";

const REASON_CHARACTERS = 200;

type Scope = Readonly<Record<string, string>>;

/** What a statement file may be at most: a year of a busy account is below both. */
export const camt053Limits = {
  fileBytesMax: 16 * 1024 * 1024,
  /** Start and end tags; each costs memory a hundred times its length. */
  tagsMax: 1_500_000,
  /** The deepest element the message definition has is at about half of it. */
  depthMax: 40,
} as const;

/** Numbers stay text (`0012` is an IBAN's part, no twelve), and no entity is ever replaced here. */
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false,
  ignorePiTags: true,
  cdataPropName: "#cdata",
  captureMetaData: true,
  maxNestedTags: camt053Limits.depthMax,
});

type XmlDocument = { readonly root: XmlElement; readonly namespace: string };

/** The document as elements of one namespace: that of its root. Throws a StatementError. */
export function parseXml(bytes: Uint8Array): XmlDocument {
  const text = xmlCharacters(bytes);
  checkWellFormed(text);
  const [first, second] = xmlNodes(text, () => parser.parse(text));
  if (first === undefined) throw new StatementError("line 1: there is no element");
  if (second !== undefined) {
    throw new StatementError(`line ${second.line}: not well formed: a second root element`);
  }
  const scope = scopeOf(first, {});
  const namespace = namespaceOf(first, scope);
  if (namespace === undefined) {
    throw new StatementError(`line ${first.line}, /${first.name}: has no namespace`);
  }
  const root = toElement(first, { parent: undefined, siblings: [], scope, namespace });
  return { root, namespace };
}

function checkWellFormed(text: string): void {
  const result = XMLValidator.validate(text);
  if (result === true) return;
  const { line, col = 1, msg } = result.err;
  // With many tags open the parser lists them all.
  const reason = msg.length > REASON_CHARACTERS ? `${msg.slice(0, REASON_CHARACTERS)}…` : msg;
  throw new StatementError(`line ${line}, column ${col}: not well formed: ${reason}`);
}

type Surroundings = {
  readonly parent: XmlElement | undefined;
  readonly siblings: XmlElement[];
  readonly scope: Scope;
  readonly namespace: string;
};

function toElement(node: XmlNode, around: Surroundings): XmlElement {
  const text = node.texts.map(({ text, isLiteral }) => (isLiteral ? text : resolved(text)));
  const attributes = Object.entries(node.attributes).map(([key, value]) => [key, resolved(value)]);
  const children: XmlElement[] = [];
  const element: XmlElement = {
    name: node.name.replace(/^.*:/, ""),
    line: node.line,
    parent: around.parent,
    attributes: Object.fromEntries(attributes),
    text: text.join("").trim(),
    children,
  };
  // A place is told by counting siblings, so an element joins them before it is judged.
  around.siblings.push(element);
  const scope = scopeOf(node, around.scope);
  if (namespaceOf(node, scope) !== around.namespace) {
    refuse(element, `is not of the namespace ${around.namespace}`);
  }
  if (element.name === SUPPLEMENTARY) return { ...element, text: "" };
  const unknown = [...text, ...attributes.map(([, value]) => value)].includes(undefined);
  if (unknown) refuse(element, "not well formed: an unknown entity, a < or a ]]>");
  for (const child of node.children) {
    toElement(child, { parent: element, siblings: children, scope, namespace: around.namespace });
  }
  if (element.text !== "" && children.length > 0) refuse(element, "has text between its elements");
  return element;
}

/** The parser passes over what XML forbids in a text: a bare `<` in a value, the end of a CDATA. */
function resolved(text: string): string | undefined {
  return /<|\]\]>/.test(text) ? undefined : withoutReferences(text);
}

function scopeOf(node: XmlNode, outer: Scope): Scope {
  const declared = Object.entries(node.attributes).flatMap(([name, uri]) => {
    if (name === "xmlns") return [["", uri]];
    return name.startsWith("xmlns:") ? [[name.slice("xmlns:".length), uri]] : [];
  });
  return declared.length === 0 ? outer : { ...outer, ...Object.fromEntries(declared) };
}

function namespaceOf(node: XmlNode, scope: Scope): string | undefined {
  const colon = node.name.indexOf(":");
  const prefix = node.name.slice(0, Math.max(colon, 0));
  return Object.hasOwn(scope, prefix) ? scope[prefix] : undefined;
}

/** Where the two versions of the message keep the same thing. */
export type Dialect = {
  readonly statusCode: readonly string[];
  /** From `Dbtr` or `Cdtr`. */
  readonly partyName: readonly string[];
  /** From a `FinInstnId`. */
  readonly bic: string;
};

const NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:";
const dialects: Readonly<Record<string, Dialect>> = {
  [`${NAMESPACE}camt.053.001.02`]: { statusCode: ["Sts"], partyName: ["Nm"], bic: "BIC" },
  [`${NAMESPACE}camt.053.001.08`]: {
    statusCode: ["Sts", "Cd"],
    partyName: ["Pty", "Nm"],
    bic: "BICFI",
  },
};

export function dialectOf({ root, namespace }: XmlDocument): Dialect {
  const dialect = Object.hasOwn(dialects, namespace) ? dialects[namespace] : undefined;
  if (dialect === undefined || root.name !== "Document") {
    throw new StatementError(
      `line ${root.line}, /${root.name}: camt.053.001.02 and camt.053.001.08 are read, this is ${namespace.replace(NAMESPACE, "")}`,
    );
  }
  return dialect;
}

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

/** An element of the message's own namespace; what it holds is either text or elements. */
export type XmlElement = {
  readonly name: string;
  /** Counted from 1. */
  readonly line: number;
  readonly parent: XmlElement | undefined;
  readonly attributes: Readonly<Record<string, string>>;
  /** Without the blanks around it; empty where there are elements. */
  readonly text: string;
  readonly children: readonly XmlElement[];
};

/** `/Document/BkToCstmrStmt/Stmt/Ntry[3]/Amt`: counted where several siblings have the name. */
export function placeOf(element: XmlElement): string {
  const { parent, name } = element;
  if (parent === undefined) return `/${name}`;
  const alike = parent.children.filter((sibling) => sibling.name === name);
  const count = alike.length > 1 ? `[${alike.indexOf(element) + 1}]` : "";
  return `${placeOf(parent)}/${name}${count}`;
}

/** What the parser found, in this project's types: its own are `any`. */
type XmlNode = {
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
function xmlNodes(text: string, parse: () => unknown): readonly XmlNode[] {
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

/** Everything but the characters of XML 1.0, which also keeps out what PostgreSQL cannot store. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/**
 * The characters of a file, or a StatementError. A document type could define entities that read
 * other files or grow without bound (XXE, entity bomb), and no ISO 20022 message has one: any markup
 * declaration is refused before a parser sees it, within comments too.
 */
function xmlCharacters(bytes: Uint8Array): string {
  checkFileSize(bytes.byteLength);
  const text = fromUtf8(bytes);
  const declared = /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"']*)["']/.exec(text)?.[1] ?? "UTF-8";
  if (!/^utf-?8$/i.test(declared)) {
    throw new StatementError(`line 1: the file says it is ${declared}, and only UTF-8 is read`);
  }
  checkTags(text);
  const declaration = /<!(?!--|\[CDATA\[)/.exec(text);
  if (declaration) {
    const place = `line ${lineAt(text, declaration.index)}`;
    throw new StatementError(`${place}: a document type (DOCTYPE, ENTITY) is not allowed`);
  }
  const forbidden = FORBIDDEN.exec(text);
  if (forbidden) {
    const place = `line ${lineAt(text, forbidden.index)}`;
    throw new StatementError(`${place}: not well formed: a character that XML does not allow`);
  }
  return text;
}

function checkTags(text: string): void {
  const { tagsMax } = camt053Limits;
  let tags = 0;
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", at + 1)) tags += 1;
  if (tags > tagsMax) throw new StatementError(`the file has more than ${tagsMax} tags`);
}

export function checkFileSize(bytes: number): void {
  const { fileBytesMax } = camt053Limits;
  if (bytes > fileBytesMax) {
    throw new StatementError(`the file has ${bytes} bytes, at most ${fileBytesMax} are read`);
  }
}

/**
 * Text with its references resolved: the five names of XML itself and characters by number. Undefined
 * when there is any other.
 */
function withoutReferences(text: string): string | undefined {
  let known = true;
  const resolved = text.replace(/&([^;&]*;?)/g, (_reference, name: string) => {
    const character = name.endsWith(";") ? characterOf(name.slice(0, -1)) : undefined;
    if (character === undefined) known = false;
    return character === undefined ? "" : character;
  });
  return known ? resolved : undefined;
}

function characterOf(name: string): string | undefined {
  if (Object.hasOwn(NAMED, name)) return NAMED[name];
  const [, hex, decimal] = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}))$/.exec(name) ?? [];
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (!(code <= 0x10ffff)) return undefined;
  const character = String.fromCodePoint(code);
  return FORBIDDEN.test(character) ? undefined : character;
}

function fromUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new StatementError("the file is not UTF-8 text");
  }
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** Why a file is refused, in one sentence that names the place. Nothing of it is in the ledger then. */
export class StatementError extends Error {
  override readonly name = "StatementError";
}

export function refuse(place: XmlElement, reason: string): never {
  throw new StatementError(`line ${place.line}, ${placeOf(place)}: ${reason}`);
}
