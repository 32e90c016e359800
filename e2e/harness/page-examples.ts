/** A command of a page, and the form of the answer that the page shows to it. */
export type Example = { readonly command: string; readonly answer: RegExp };

const EXAMPLE = /^```sh\n([\s\S]*?)^```\n\n^```(?:text|json)\n([\s\S]*?)^```$/gm;

/** What is another one in each run: ids, times of either form, days, amounts, serial numbers. */
const VARYING = [
  "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
  "[A-Z][a-z]{2},\\d{2}[A-Z][a-z]{2}\\d{4}[\\d:]{8}GMT",
  "\\d{4}-\\d{2}-\\d{2}T[\\d:.]+Z",
  "\\d{4}-\\d{2}-\\d{2}",
  "-?\\d+\\.\\d{2}",
  "[0-9A-F]{24,40}",
];

/** In the order of the page. Each of its `sh` blocks has to be followed by an answer. */
export function pageExamples(markdown: string): readonly Example[] {
  const found = [...markdown.matchAll(EXAMPLE)].map(([, command = "", answer = ""]) => ({
    command,
    answer: formOf(answer),
  }));
  const commands = markdown.split("```sh\n").length - 1;
  if (found.length !== commands) throw new Error("a command of the page has no answer");
  return found;
}

/** Pages break long lines where they like, so blanks do not count. */
export function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, "");
}

/** `…` is what was left out. */
function formOf(answer: string): RegExp {
  const parts = withoutBlanks(answer).split(new RegExp(`(${VARYING.join("|")}|…)`));
  const forms = parts.map((part, index) => {
    if (index % 2 === 0) return part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    return VARYING.find((form) => new RegExp(`^${form}$`).test(part)) ?? ".*";
  });
  return new RegExp(forms.join(""));
}
