/** What a rule table says of the project: files, and tests by the file they are in and their name. */
export type References = {
  readonly files: readonly string[];
  readonly tests: readonly { readonly file: string; readonly name: string }[];
};

const FILE = /`([\w./[\]()-]+\.tsx?)`/g;
const TEST = /`([\w./[\]()-]+\.tsx?)`: "(.+?)"(?=, `|$)/g;

type Row = { readonly rule: string; readonly place: string; readonly heldBy: string };

/** The files and tests that the rows of a Markdown text's tables name. */
export function references(markdown: string): References {
  const rows = rowsOf(markdown);
  const places = rows.flatMap(({ place }) => matches(FILE, place).map(([file = ""]) => file));
  const tests = rows.flatMap(({ heldBy }) =>
    matches(TEST, heldBy).map(([file = "", name = ""]) => ({ file, name })),
  );
  return { files: [...places, ...tests.map(({ file }) => file)], tests };
}

/** The rules that name no place or no test: a rule without either is a promise. */
export function promises(markdown: string): readonly string[] {
  return rowsOf(markdown)
    .filter(({ place, heldBy }) => !place.match(FILE) || !heldBy.match(TEST))
    .map(({ rule }) => rule);
}

/** The ids that rules begin with, as in `C1: …`, and that a test which they name begins with, too. */
export function idsHeld(markdown: string): readonly string[] {
  return rowsOf(markdown).flatMap(({ rule, heldBy }) => {
    const [, id] = /^([A-Z]\d+): /.exec(rule) ?? [];
    if (id === undefined) return [];
    const names = matches(TEST, heldBy).map(([, name = ""]) => name);
    return names.some((name) => name.startsWith(`${id}: `)) ? [id] : [];
  });
}

/** Tables of three columns: the rule, its place, and what holds it. */
function rowsOf(markdown: string): readonly Row[] {
  return markdown.split("\n").flatMap((line) => {
    const [, rule, place, heldBy, ...more] = line.split(/(?:^| +)\|(?: +|$)/);
    const isRow = rule !== undefined && place !== undefined && heldBy !== undefined;
    const isHead = rule === "Rule" || /^-+$/.test(rule ?? "-");
    return isRow && !isHead && more.length === 1 ? [{ rule, place, heldBy }] : [];
  });
}

function matches(pattern: RegExp, text: string): readonly (readonly string[])[] {
  return [...text.matchAll(pattern)].map(([, ...groups]) => groups);
}

/** Whether a test of this name is written in the text: as a whole string, however it is quoted. */
export function hasTest(text: string, name: string): boolean {
  return [`"${name}"`, `\`${name}\``, `'${name}'`].some((literal) => text.includes(literal));
}
