import { expect, it } from "vitest";
import { arranged, type Column, columnsOf, tableQuery } from "./table";

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
