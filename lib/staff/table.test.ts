import { expect, it } from "vitest";
import { arranged, type Column, columnsOf, cutTo, tableQuery } from "./table";

type Row = { readonly name: string; readonly calls: number };

const labels = { name: "Name", calls: "Calls", first: "First letter" };
const columns: readonly Column<Row>[] = columnsOf(labels, {
  name: ({ name }: Row) => name,
  calls: { text: ({ calls }) => `${calls}`, order: ({ calls }) => calls },
  first: ({ name }: Row) => name.slice(0, 1),
});
const rows = [
  { name: "Beta", calls: 9 },
  { name: "alpha", calls: 10 },
  { name: "Gamma", calls: 1 },
];
const names = (asked: Readonly<Record<string, string>>) =>
  arranged({ rows, columns }, tableQuery(asked)).map(({ name }) => name);

it("a table is filtered by any column, sorted by one, and else left as it is", () => {
  expect(names({})).toEqual(["Beta", "alpha", "Gamma"]);
  expect(names({ sort: "name" })).toEqual(["alpha", "Beta", "Gamma"]);
  expect(names({ sort: "calls" })).toEqual(["Gamma", "Beta", "alpha"]);
  expect(names({ sort: "calls", dir: "desc" })).toEqual(["alpha", "Beta", "Gamma"]);
  expect(names({ sort: "first", dir: "desc" })).toEqual(["Gamma", "Beta", "alpha"]);
  expect(names({ sort: "nothing" })).toEqual(["Beta", "alpha", "Gamma"]);
  expect(names({ filter: "ALPH" })).toEqual(["alpha"]);
  expect(names({ filter: "1", sort: "calls" })).toEqual(["Gamma", "alpha"]);
  expect(names({ filter: "none of them" })).toEqual([]);
});

it("a page's tables are each arranged by what the address says of them", () => {
  const asked = { table: "one", sort: "calls", dir: "desc" };
  expect(tableQuery(asked, "one")).toMatchObject({ sort: "calls", descending: true });
  expect(tableQuery(asked, "another")).toEqual({ descending: false });
  expect(tableQuery({ sort: "calls" }, "one")).toMatchObject({ sort: "calls" });
});

it("a table that leaves rows out says so", () => {
  const table = { rows, columns, keyOf: ({ name }: Row) => name };
  expect(cutTo(table, rows.length, "first")).toBe(table);
  const cut = (kept: "first" | "newest-first" | "newest-last") => {
    const { rows: shown, only } = cutTo(table, 1, kept);
    return [shown, only];
  };
  expect(cut("first")).toEqual([rows.slice(0, 1), "first"]);
  expect(cut("newest-first")).toEqual([rows.slice(0, 1), "newest"]);
  expect(cut("newest-last")).toEqual([rows.slice(-1), "newest"]);
});
