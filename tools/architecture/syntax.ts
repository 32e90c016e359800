import { parseAst } from "vitest/node";
import type { TextFile } from "./source-tree";

/** A node of the syntax tree (ESTree, with TypeScript's types). */
export type SyntaxNode = { readonly type: string; readonly start: number } & Readonly<
  Record<string, unknown>
>;

export type Import = { readonly specifier: string; readonly line: number };

const parsed = new WeakMap<TextFile, readonly SyntaxNode[]>();

/** All nodes of a source file, comments left out. Throws when the file is no TypeScript. */
export function syntaxNodes(file: TextFile): readonly SyntaxNode[] {
  const known = parsed.get(file);
  if (known !== undefined) return known;
  const lang = file.path.endsWith(".tsx") ? "tsx" : "ts";
  const nodes = [...nodesIn(parseAst(file.text, { lang }, file.path).body)];
  parsed.set(file, nodes);
  return nodes;
}

export function lineOf({ text }: TextFile, node: SyntaxNode): number {
  return text.slice(0, node.start).split("\n").length;
}

/** What a file reaches for: import, export from, import(), import type, require(). */
export function importsOf(file: TextFile): readonly Import[] {
  return syntaxNodes(file).flatMap((node) => {
    const source = sourceOf(node);
    if (!isNode(source)) return [];
    const { value } = source;
    // An import that is only known when it runs cannot be held against a table.
    const specifier = typeof value === "string" ? value : "(an expression)";
    return [{ specifier, line: lineOf(file, node) }];
  });
}

function sourceOf(node: SyntaxNode): unknown {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
    case "ImportExpression":
    case "TSImportType":
      return node["source"];
    case "TSExternalModuleReference":
      return node["expression"];
    case "CallExpression":
      return isNamed(node["callee"], "require") ? firstOf(node["arguments"]) : undefined;
    default:
      return undefined;
  }
}

export function isNamed(node: unknown, name: string): boolean {
  return isNode(node) && node.type === "Identifier" && node["name"] === name;
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

function* nodesIn(value: unknown): Generator<SyntaxNode> {
  if (Array.isArray(value)) {
    for (const element of value) yield* nodesIn(element);
  } else if (isNode(value)) {
    yield value;
    for (const child of Object.values(value)) yield* nodesIn(child);
  }
}
