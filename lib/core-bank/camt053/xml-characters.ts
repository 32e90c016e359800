import { camt053Limits } from "./limits";
import { StatementError } from "./statement-error";

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
export function xmlCharacters(bytes: Uint8Array): string {
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
export function withoutReferences(text: string): string | undefined {
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

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
