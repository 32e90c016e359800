import { isUuid } from "@/lib/domain/values";

type Statement<Row> = {
  readonly execute: (values: Readonly<Record<string, unknown>>) => Promise<readonly Row[]>;
};

/** An id that is no UUID finds nothing: it is answered like any other unknown one. */
export function finder<Row, Found>(statement: Statement<Row>, read: (row: Row) => Found) {
  return async (
    id: string,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<Found | undefined> => {
    if (!isUuid(id)) return undefined;
    const [row] = await statement.execute({ id, ...more });
    return row && read(row);
  };
}
