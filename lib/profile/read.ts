import { readFileSync } from "node:fs";
import path from "node:path";
import { isMap, isPair, isScalar, LineCounter, type ParsedNode, parseDocument } from "yaml";
import * as z from "zod";
import type { AspspProfile } from "@/lib/domain/bank-profile";
import type { Language } from "@/lib/psu/texts/formats";
import { profileSchema } from "./schema";
import { fileFault, filesOf, type Theme, themeOf } from "./theme";

/** Its message has a line for each mistake: file, line, column, key, what is expected. */
export class ProfileError extends Error {
  override readonly name = "ProfileError";
  /** The files that the refused one names, of which one may still come or be completed. */
  readonly paths: readonly string[];

  constructor(message: string, paths: readonly string[] = []) {
    super(message);
    this.paths = paths;
  }
}

/** By the name of the text that they stand for. */
type Wordings = Readonly<Record<string, string>>;

/** What a bank's file says: what is offered, and how the pages look and speak. */
export type BankFile = {
  readonly profile: AspspProfile;
  /** Undefined where the look is the demo bank's. */
  readonly theme: Theme | undefined;
  readonly texts: Readonly<Partial<Record<Language, Wordings | undefined>>>;
  /** The file itself, and those that it names. */
  readonly paths: readonly string[];
};

/** Throws a ProfileError that lists all mistakes of the file. */
export function readBankFile(file: string): BankFile {
  return parseBankFile(bytesOf(file).toString("utf8"), file);
}

/** The text of a bank's file; `file` is what mistakes are said to be in, and what the files of its theme lie beside. */
export function parseBankFile(text: string, file: string): BankFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const broken = [...document.errors, ...document.warnings];
  refuseAny(broken.map(({ pos, message }) => `${at(pos[0])}: ${message}`));
  const inWords = ({ path: keys, expected }: Mistake) => {
    const key = keys.length === 0 ? "" : `${keys.join(".")}: `;
    return `${at(offsetOf(document.contents, keys))}: ${key}${expected}`;
  };
  const parsed = profileSchema.safeParse(document.toJS());
  if (!parsed.success) {
    const mistakes = parsed.error.issues.flatMap(mistakesOf);
    const place = ({ path: keys }: Mistake) => offsetOf(document.contents, keys);
    throw refused(mistakes.toSorted((a, b) => place(a) - place(b)).map(inWords));
  }

  const { theme, texts, ...bank } = parsed.data;
  const besides = theme === undefined ? [] : filesOf(theme);
  const beside = (name: string) => path.join(path.dirname(file), name);
  const contents = new Map<string, Buffer<ArrayBuffer>>();
  const paths = [file, ...besides.map(({ name }) => beside(name))];
  refuseAny(
    besides.flatMap(({ path: keys, name }) => {
      const content = contentOf(beside(name));
      if (content !== undefined) contents.set(name, content);
      const expected = content ? fileFault(name, content) : "expected a file beside this one";
      return expected === undefined ? [] : [inWords({ path: keys, expected })];
    }),
    paths,
  );
  return {
    profile: { ...bank, sca: { ...bank.sca, ...SET_BY_SETTINGS } },
    theme: theme && themeOf(theme, contents),
    texts,
    paths,
  };
}

function refused(mistakes: readonly string[], paths?: readonly string[]): ProfileError {
  return new ProfileError(mistakes.join("\n"), paths);
}

function refuseAny(mistakes: readonly string[], paths?: readonly string[]): void {
  if (mistakes.length > 0) throw refused(mistakes, paths);
}

/** What PSU_SCA and IDP_AUTHORIZATION_DETAILS say in a sandbox that sets neither. */
const SET_BY_SETTINGS = { means: ["passkey", "code"], approvedDetailsReturned: false } as const;

function bytesOf(file: string): Buffer<ArrayBuffer> {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    throw new ProfileError(`${file}: cannot be read: ${code}`);
  }
}

function contentOf(file: string): Buffer<ArrayBuffer> | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
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
  if (issue.code === "invalid_key") {
    return issue.issues.map(({ message }) => ({ path, expected: message }));
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
function keysAt(keys: Path): readonly string[] {
  const schema = z.toJSONSchema(profileSchema, { io: "input", unrepresentable: "any" });
  const found = keys.reduce<z.core.JSONSchema._JSONSchema | undefined>(
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
