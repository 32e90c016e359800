import { XMLParser, XMLValidator } from "fast-xml-parser";
import { camt053Limits } from "./limits";
import { refuse, StatementError } from "./statement-error";
import { withoutReferences, xmlCharacters } from "./xml-characters";
import type { XmlElement } from "./xml-element";
import { type XmlNode, xmlNodes } from "./xml-node";

/** Free content of any namespace, which says nothing about the account. */
const SUPPLEMENTARY = "SplmtryData";

const REASON_CHARACTERS = 200;

type Scope = Readonly<Record<string, string>>;

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

export type XmlDocument = { readonly root: XmlElement; readonly namespace: string };

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
