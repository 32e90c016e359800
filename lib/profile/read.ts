import { readFileSync } from "node:fs";
import { isMap, isPair, isScalar, LineCounter, type ParsedNode, parseDocument } from "yaml";
import * as z from "zod";
import type { AspspProfile } from "@/lib/domain/bank-profile";
import { profileSchema } from "./schema";

/** Its message has a line for each mistake: file, line, column, key, what is expected. */
export class ProfileError extends Error {
  override readonly name = "ProfileError";
}

/** Throws a ProfileError that lists all mistakes of the file. */
export function readProfile(file: string): AspspProfile {
  return parseProfile(textOf(file), file);
}

/** The text of a bank's file; `file` is what mistakes are said to be in. */
export function parseProfile(text: string, file: string): AspspProfile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const broken = [...document.errors, ...document.warnings];
  if (broken.length > 0) {
    throw new ProfileError(
      broken.map(({ pos, message }) => `${at(pos[0])}: ${message}`).join("\n"),
    );
  }
  const parsed = profileSchema.safeParse(document.toJS());
  if (!parsed.success) {
    const mistakes = parsed.error.issues.flatMap(mistakesOf).map(({ path, expected }) => {
      const key = path.length === 0 ? "" : `${path.join(".")}: `;
      return `${at(offsetOf(document.contents, path))}: ${key}${expected}`;
    });
    throw new ProfileError(mistakes.join("\n"));
  }
  return { ...parsed.data, sca: { ...parsed.data.sca, ...SET_BY_SETTINGS } };
}

/** What PSU_SCA and IDP_AUTHORIZATION_DETAILS say in a sandbox that sets neither. */
const SET_BY_SETTINGS = { means: ["passkey", "code"], approvedDetailsReturned: false } as const;

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    throw new ProfileError(`${file}: cannot be read: ${code}`);
  }
}

type Path = readonly PropertyKey[];
type Mistake = { readonly path: Path; readonly expected: string };

function mistakesOf(issue: z.core.$ZodIssue): readonly Mistake[] {
  const { path } = issue;
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(path).join(", ");
    return issue.keys.map((key) => ({
      path: [...path, key],
      expected: `is no key of a profile; expected one of ${known}`,
    }));
  }
  if (issue.code === "invalid_type" && !issue.message.startsWith("expected")) {
    const kind = KINDS[issue.expected] ?? issue.expected;
    return [{ path, expected: `expected ${kind}` }];
  }
  if (issue.code === "invalid_value") {
    return [{ path, expected: `expected ${issue.values.map(String).join(" or ")}` }];
  }
  return [{ path, expected: issue.message }];
}

const KINDS: Readonly<Record<string, string>> = {
  object: "keys with values, indented below it",
  record: "keys with values, indented below it",
  array: "a list",
  tuple: "a list",
  boolean: "true or false",
};

/** The keys that a part of the file may have. */
function keysAt(path: Path): readonly string[] {
  const schema = z.toJSONSchema(profileSchema, { io: "input", unrepresentable: "any" });
  const found = path.reduce<z.core.JSONSchema._JSONSchema | undefined>(
    (inside, key) => (typeof inside === "object" ? inside.properties?.[String(key)] : undefined),
    schema,
  );
  return Object.keys((typeof found === "object" && found.properties) || {});
}

/** Of the key itself, or of the closest part around one that is missing. */
function offsetOf(node: ParsedNode | null, [key, ...rest]: Path): number {
  if (node === null) return 0;
  if (key !== undefined && isMap(node)) {
    const pair = node.items.find((item) => isScalar(item.key) && item.key.value === key);
    if (isPair(pair)) {
      const value = pair.value as ParsedNode | null;
      const own = (pair.key as ParsedNode).range[0];
      if (rest.length === 0 || value === null) return own;
      return Math.max(own, offsetOf(value, rest));
    }
  }
  if (typeof key === "number" && "items" in node) {
    const item = node.items[key] as ParsedNode | undefined;
    if (item !== undefined) return offsetOf(item, rest);
  }
  return node.range[0];
}
