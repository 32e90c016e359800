// biome-ignore-all lint/a11y/noRedundantRoles: browsers forget the role of what is not laid out as a table
import type { ReactNode } from "react";

/** A column's heading; by `href` the table is sorted by it. */
export type Head = {
  readonly name: string;
  readonly href?: string;
  readonly sort?: "ascending" | "descending";
};

type Props = {
  /** Of the heading that names it. */
  readonly labelledBy: string;
  readonly columns: readonly (string | Head)[];
  readonly children: ReactNode;
};

/**
 * On a narrow screen each line is shown as a block of its own. The roles are written out because browsers
 * forget those of a table that is not laid out as one.
 */
export function ReflowingTable({ labelledBy, columns, children }: Props) {
  return (
    <table role="table" aria-labelledby={labelledBy} className="mt-3 max-table:block">
      <thead role="rowgroup" className="max-table:sr-only">
        <tr role="row">
          {columns
            .map((column): Head => (typeof column === "string" ? { name: column } : column))
            .map(({ name, href, sort }) => (
              <th key={name} scope="col" role="columnheader" aria-sort={sort}>
                {href === undefined ? name : <a href={href}>{name}</a>}
                {sort !== undefined && (
                  <span aria-hidden="true">{sort === "ascending" ? " ↑" : " ↓"}</span>
                )}
              </th>
            ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="max-table:block">
        {children}
      </tbody>
    </table>
  );
}

const line =
  "break-inside-avoid max-table:block max-table:border-b max-table:border-line max-table:py-3";

export function ReflowingRow({ children }: { readonly children: ReactNode }) {
  return (
    <tr role="row" className={line}>
      {children}
    </tr>
  );
}

type CellProps = {
  readonly label: string;
  /** One line is enough for it. */
  readonly short?: boolean;
  readonly children: ReactNode;
};

const cell = "wrap-break-word max-table:block max-table:border-0 max-table:py-0.5";

/** The label is for the eye, where no column heading stands above. */
export function ReflowingCell({ label, short = false, children }: CellProps) {
  return (
    <td role="cell" className={short ? `${cell} table:whitespace-nowrap` : cell}>
      <span className="hidden text-small text-muted max-table:block" aria-hidden="true">
        {label}
      </span>
      {children}
    </td>
  );
}
