import { SaxesParser } from "saxes";
import { type Place, refuse, StatementError } from "@/lib/core-bank/ledger/import-statements";

/** Free content of any namespace, which says nothing about the account. */
const SUPPLEMENTARY = "SplmtryData";

const REASON_CHARACTERS = 200;

/** What a statement file may be at most: a year of a busy account is below both. */
export const camt053Limits = {
  fileBytesMax: 16 * 1024 * 1024,
  /** Start and end tags; each costs memory a hundred times its length. */
  tagsMax: 1_500_000,
  /** The deepest element the message definition has is at about half of it. */
  depthMax: 40,
} as const;

type XmlDocument = { readonly root: XmlElement; readonly namespace: string };

/** The document as elements of one namespace: that of its root. Throws a StatementError. */
export function parseXml(bytes: Uint8Array): XmlDocument {
  checkFileSize(bytes.byteLength);
  const text = fromUtf8(bytes);
  checkTags(text);
  checkNoDocumentType(text);
  return readElements(text);
}

function readElements(text: string): XmlDocument {
  const parser = new SaxesParser({ xmlns: true, forceXMLVersion: true, defaultXMLVersion: "1.0" });
  const open: OpenElement[] = [];
  let document: XmlDocument | undefined;
  let startLine = 1;
  /** Elements within supplementary data, which are not kept. */
  let skipped = 0;

  const fail = (reason: string): never => {
    const element = open.at(-1);
    const place = element === undefined ? "" : `, ${element.path}`;
    throw new StatementError(`line ${parser.line}${place}: ${reason}`);
  };
  const addText = (text: string) => {
    const element = open.at(-1);
    if (element && skipped === 0 && element.name !== SUPPLEMENTARY) element.text += text;
  };

  parser.on("error", ({ message }) => {
    // It begins with line and column, and may repeat as much of the file as a name has.
    fail(`not well formed: ${message.replace(/^\d+:\d+: /, "").slice(0, REASON_CHARACTERS)}`);
  });
  parser.on("xmldecl", ({ encoding = "UTF-8" }) => {
    if (!/^utf-?8$/i.test(encoding))
      fail(`the file says it is ${encoding}, and only UTF-8 is read`);
  });
  parser.on("opentagstart", () => {
    startLine = parser.line;
    if (open.length + skipped >= camt053Limits.depthMax) {
      fail(`elements are nested more than ${camt053Limits.depthMax} deep`);
    }
  });
  parser.on("opentag", ({ local: name, uri, attributes }) => {
    const parent = open.at(-1);
    if (skipped > 0 || parent?.name === SUPPLEMENTARY) {
      skipped += 1;
      return;
    }
    const values = Object.values(attributes).map(({ name, value }) => [name, value] as const);
    const element: OpenElement = {
      ...{ name, line: startLine, parent, text: "", children: [] },
      attributes: new Map(values),
      get path() {
        return pathOf(element);
      },
    };
    parent?.children.push(element);
    document ??= { root: element, namespace: uri };
    if (uri === "") refuse(element, "has no namespace");
    if (uri !== document.namespace)
      refuse(element, `is not of the namespace ${document.namespace}`);
    open.push(element);
  });
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    if (skipped > 0) skipped -= 1;
    else close(open.pop());
  });

  parser.write(text).close();
  return document ?? fail("there is no element");
}

type OpenElement = Omit<XmlElement, "children"> & { text: string; readonly children: XmlElement[] };

function close(element: OpenElement | undefined): void {
  if (element === undefined) return;
  element.text = element.text.trim();
  if (element.text !== "" && element.children.length > 0) {
    refuse(element, "has text between its elements");
  }
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
export type XmlElement = Place & {
  readonly name: string;
  readonly parent: XmlElement | undefined;
  readonly attributes: ReadonlyMap<string, string>;
  /** Without the blanks around it; empty where there are elements. */
  readonly text: string;
  readonly children: readonly XmlElement[];
};

/** `/Document/BkToCstmrStmt/Stmt/Ntry[3]/Amt`: counted where several siblings have the name. */
function pathOf(element: XmlElement): string {
  const { parent, name } = element;
  if (parent === undefined) return `/${name}`;
  const alike = parent.children.filter((sibling) => sibling.name === name);
  const count = alike.length > 1 ? `[${alike.indexOf(element) + 1}]` : "";
  return `${parent.path}/${name}${count}`;
}

function checkTags(text: string): void {
  const { tagsMax } = camt053Limits;
  let tags = 0;
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", at + 1)) tags += 1;
  if (tags > tagsMax) throw new StatementError(`the file has more than ${tagsMax} tags`);
}

/**
 * A document type could define entities that read other files or grow without bound (XXE, entity bomb), and no
 * ISO 20022 message has one: any markup declaration is refused before the parser sees it, within comments too.
 */
function checkNoDocumentType(text: string): void {
  const at = text.search(/<!(?!--|\[CDATA\[)/);
  if (at === -1) return;
  const line = text.slice(0, at).split("\n").length;
  throw new StatementError(`line ${line}: a document type (DOCTYPE, ENTITY) is not allowed`);
}

export function checkFileSize(bytes: number): void {
  const { fileBytesMax } = camt053Limits;
  if (bytes > fileBytesMax) {
    throw new StatementError(`the file has ${bytes} bytes, at most ${fileBytesMax} are read`);
  }
}

function fromUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new StatementError("the file is not UTF-8 text");
  }
}
