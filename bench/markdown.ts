type Cells = readonly string[];

type MarkdownTable = {
  readonly head: Cells;
  readonly rows: readonly Cells[];
  /** How many columns from the left are words; the others are numbers. */
  readonly words: number;
};

export function markdown({ head, rows, words }: MarkdownTable): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const padded = (cell: string, column: number) => {
    const width = widths[column] ?? 0;
    return column < words ? cell.padEnd(width) : cell.padStart(width);
  };
  const line = (cells: Cells) => `| ${cells.map(padded).join(" | ")} |`;
  const rule = widths.map((width, column) =>
    column < words ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}
