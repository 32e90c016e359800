/** Rows under a heading, columns as wide as they need; amounts read best on the right. */
export type Column = { readonly heading: string; readonly align?: "left" | "right" };

export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(printable));
  const widths = columns.map(({ heading }, at) =>
    Math.max(heading.length, ...cells.map((row) => [...(row[at] as string)].length)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => pad(cell, widths[at] as number, columns[at]?.align))
      .join("  ")
      .trimEnd();
  return [
    line(columns.map(({ heading }) => heading)),
    line(widths.map((width) => "-".repeat(width))),
    ...cells.map(line),
  ].join("\n");
}

/** The texts come from payers and payees: no control character of theirs reaches the terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, " ");
}

function pad(cell: string, width: number, align: Column["align"] = "left"): string {
  const blanks = " ".repeat(width - [...cell].length);
  return align === "left" ? cell + blanks : blanks + cell;
}
