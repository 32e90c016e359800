const SENT = /^> ?/;
const REQUEST_LINE = /^> [A-Z]+ \S+ HTTP\//;
/** What curl says itself, what it received, and how many bytes went to and fro. */
const OTHER = /^(?:[*<](?: |$)|[{}] \[\d+ bytes data\])/;

/**
 * The last request in what `curl -v` prints, where each line that was sent begins with `>`; any other
 * text comes back as it is. curl does not print the body: it may be added after the blank line.
 */
export function sentByCurl(text: string): string {
  const lines = text.split(/\r?\n/);
  const start = lines.findLastIndex((line) => REQUEST_LINE.test(line));
  if (start === -1) return text;
  const sent = lines.slice(start);
  const end = sent.findIndex((line) => line.trimEnd() === ">");
  const head = end === -1 ? sent : sent.slice(0, end);
  const rest = end === -1 ? [] : sent.slice(end + 1);
  const first = rest.findIndex((line) => OTHER.test(line));
  const body = first === -1 ? rest : rest.slice(0, first);
  const headers = head.filter((line) => SENT.test(line)).map((line) => line.replace(SENT, ""));
  return [...headers, "", ...body].join("\n");
}
