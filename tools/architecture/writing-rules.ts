import { isForTests, isSource, type TextFile } from "./source-tree";
import { isNamed, isNode, lineOf, type SyntaxNode, syntaxNodes } from "./syntax";

const LINES_OF_A_DECLARATION = 45;
/** A hard look: a file of this length holds perhaps two subjects. */
const LINES_OF_A_FILE = 600;

/** Where the machine's clock may be read: everybody else is handed the time. */
const CLOCK_READERS =
  /^(lib\/system-clock\.ts$|lib\/psu\/browser\/|lib\/server\/|cli\/tpp\/|e2e\/|tools\/)/;

// Written so that this file is no finding of its own.
const UNFINISHED = /\b(T[O]DO|FIX[M]E)\b/;
const OUTSIDE = /\.\.\/shared\b/;

/** The findings in one file, each as `path:line: what`; none is well. */
export type WritingRule = (file: TextFile) => readonly string[];

/** An endpoint of the XS2A interface is a declaration: what it does stands in the pipeline. */
const routesAreDeclarations: WritingRule = (file) => {
  if (!/^app\/\(xs2a\)\/(.+\/)?route\.ts$/.test(file.path)) return [];
  const logic = found(file, ({ type }) =>
    type === "AwaitExpression" || type === "IfStatement" ? "logic in a declaration" : undefined,
  );
  return [...logic, ...longerThan(LINES_OF_A_DECLARATION, file)];
};

const filesAreShort: WritingRule = (file) =>
  /^(lib|app|components)\//.test(file.path) && isSource(file)
    ? longerThan(LINES_OF_A_FILE, file)
    : [];

const typesAreExact: WritingRule = (file) =>
  found(file, (node) => {
    if (node.type === "TSAnyKeyword") return "any";
    return node.type === "TSEnumDeclaration" ? "an enum" : undefined;
  });

/** A class is an error; everything else is a function over values. */
const classesAreErrors: WritingRule = (file) =>
  found(file, (node) => {
    if (node.type !== "ClassDeclaration" && node.type !== "ClassExpression") return undefined;
    const parent = node["superClass"];
    const name = isNode(parent) ? parent["name"] : undefined;
    return typeof name === "string" && /(^Rejection|Error)$/.test(name) ? undefined : "a class";
  });

/**
 * A function that is written as the value of a property is taken for a method by V8, and put where only a full
 * collection comes by: one that is made for a request keeps all it knows of it until then.
 */
const functionsAreNotAssigned: WritingRule = (file) =>
  /^(lib|app|components)\//.test(file.path) && !isForTests(file.path)
    ? found(file, (node) => (assignsAFunction(node) ? "a function assigned" : undefined))
    : [];

const timeIsHandedOver: WritingRule = (file) =>
  CLOCK_READERS.test(file.path) || isForTests(file.path)
    ? []
    : found(file, (node) => (readsTheClock(node) ? "the machine's clock" : undefined));

/** Nothing happens to a request before its route: no file that Next would run in front of it. */
const nothingBeforeTheRoute: WritingRule = ({ path }) =>
  /(^|\/)(proxy|middleware)\.tsx?$/.test(path) ? [`${path}: runs before every route`] : [];

/** What lies beside the project may be missing: only a file that looks first may name it. */
const standsAlone: WritingRule = (file) =>
  OUTSIDE.test(file.text) && !/existsSync\(/.test(file.text)
    ? [`${file.path}: depends on a folder outside the project`]
    : [];

const nothingUnfinished: WritingRule = ({ path, text }) =>
  text
    .split("\n")
    .flatMap((line, index) => (UNFINISHED.test(line) ? [`${path}:${index + 1}: unfinished`] : []));

export const writingRules = {
  routesAreDeclarations,
  filesAreShort,
  typesAreExact,
  classesAreErrors,
  functionsAreNotAssigned,
  timeIsHandedOver,
  nothingBeforeTheRoute,
  standsAlone,
  nothingUnfinished,
};

function found(file: TextFile, what: (node: SyntaxNode) => string | undefined): readonly string[] {
  if (!isSource(file)) return [];
  return syntaxNodes(file).flatMap((node) => {
    const name = what(node);
    return name === undefined ? [] : [`${file.path}:${lineOf(file, node)}: ${name}`];
  });
}

function longerThan(limit: number, { path, text }: TextFile): readonly string[] {
  const lines = text.trimEnd().split("\n").length;
  return lines > limit ? [`${path}: ${lines} lines, ${limit} at most`] : [];
}

/** `x.f = () => …`; `Object.assign(x, { f: () => … })` is none. */
function assignsAFunction({ type, left, right }: SyntaxNode): boolean {
  if (type !== "AssignmentExpression" || !isNode(left) || !isNode(right)) return false;
  return left.type === "MemberExpression" && /^(Arrow)?Function/.test(right.type);
}

/** `Date.now()`, `Date()` and `new Date()`: each without an argument that would name the instant. */
function readsTheClock(node: SyntaxNode): boolean {
  const { callee } = node;
  if (node.type === "CallExpression" && isNode(callee) && callee.type === "MemberExpression") {
    return isNamed(callee["object"], "Date") && isNamed(callee["property"], "now");
  }
  if (node.type !== "NewExpression" && node.type !== "CallExpression") return false;
  const given = node["arguments"];
  return isNamed(callee, "Date") && Array.isArray(given) && given.length === 0;
}
