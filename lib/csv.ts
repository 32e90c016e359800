export function csvFile(name: string, text: string): Response {
  return new Response(text, {
    headers: {
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
    },
  });
}

/** What a spreadsheet would take for a formula, or for white space before one. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u;
/** The same behind a character at which some spreadsheets, by country, end a cell. */
const FORMULA_INSIDE = /([;,\t\r\n])(?=[\s"\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/gu;
const BYTE_ORDER_MARK = "\ufeff";

/**
 * RFC 4180, every cell in quotes, in UTF-8 with the mark by which spreadsheets know it. Names are what a
 * TPP or payee calls itself: a cell that begins like a formula is made text by an apostrophe. So is what
 * would begin one where a spreadsheet splits lines at semicolons or tabs, quotes or no quotes.
 */
export function csv(rows: readonly (readonly string[])[]): string {
  return BYTE_ORDER_MARK + rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

function cell(text: string): string {
  const inside = text.replaceAll(FORMULA_INSIDE, "$1'");
  const harmless = FORMULA.test(text) || /^[\t\r\n]/.test(text) ? `'${inside}` : inside;
  return `"${harmless.replaceAll('"', '""')}"`;
}
