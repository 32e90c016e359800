import { reject } from "@/lib/domain/rejection";

export type JsonBounds = { readonly jsonDepthMax: number; readonly jsonMembersMax: number };

/**
 * Refuses what JSON.parse would take without a word: nesting deep enough to hurt whoever recurses
 * over it, members without end, and a name given twice, of which the last would silently win
 * (`"amount":"1","amount":"1000"`). Looks at strings and brackets only; whether the rest is JSON is
 * for JSON.parse to say. Rejects with 400 FORMAT_ERROR.
 */
export function checkJsonBounds(text: string, { jsonDepthMax, jsonMembersMax }: JsonBounds): void {
  const open: (Set<string> | "array")[] = [];
  let members = 0;
  let lastString: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const token = text.charAt(at);
    if (token === '"') {
      const end = endOfString(text, at);
      if (end === undefined) return;
      lastString = text.slice(at, end + 1);
      at = end;
    } else if (token === "{" || token === "[") {
      open.push(token === "{" ? new Set() : "array");
      if (open.length > jsonDepthMax)
        throw refuse(`the body is nested deeper than ${jsonDepthMax}`);
    } else if (token === "}" || token === "]") {
      open.pop();
    } else if (token === "," || token === ":") {
      if (token === ":") addName(open.at(-1), lastString);
      lastString = undefined;
      members += 1;
      if (members > jsonMembersMax)
        throw refuse(`the body has more than ${jsonMembersMax} members`);
    }
  }
}

/** Where its closing quote is; undefined for a string without one, with which the text ends. */
function endOfString(text: string, start: number): number | undefined {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? undefined : end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charAt(before - 1) === "\\") before -= 1;
  return (at - before) % 2 === 1;
}

function addName(object: Set<string> | "array" | undefined, spelled: string | undefined): void {
  if (object === undefined || object === "array" || spelled === undefined) return;
  const name = unescaped(spelled);
  if (object.has(name)) throw refuse(`the body names ${JSON.stringify(name.slice(0, 70))} twice`);
  object.add(name);
}

/** `"amount"` and `"\u0061mount"` are the same name. */
function unescaped(spelled: string): string {
  if (!spelled.includes("\\")) return spelled.slice(1, -1);
  try {
    return String(JSON.parse(spelled));
  } catch {
    throw refuse("the body is not JSON in UTF-8");
  }
}

function refuse(text: string) {
  return reject("FORMAT_ERROR", text);
}
