import { type DriverValueEncoder, Param, type Query, sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { sentOnce } from "./sent-once";

const consentId = () => sql.placeholder("consentId");
const read = sql.placeholder("at");
const text: DriverValueEncoder<unknown, unknown> = { mapToDriverValue: String };
const other: DriverValueEncoder<unknown, unknown> = { mapToDriverValue: String };
const query = (statement: string, ...params: readonly unknown[]): Query => ({
  sql: statement,
  params: [...params],
});

it("a value that is given under one name is sent once, wherever it stands", () => {
  const asked = query("$1, $2, f($3, $4)", consentId(), read, consentId(), consentId());
  const sent = query("$1, $2, f($1, $1)", consentId(), read);
  expect(sentOnce(asked)).toEqual(sent);
});

it("a value is sent once for each way in which it is encoded", () => {
  const encoded = (encoder: typeof text) => new Param(consentId(), encoder);
  const params = [encoded(text), consentId(), encoded(other), encoded(text)] as const;
  const sent = sentOnce(query("$1 $2 $3 $4", ...params));
  expect(sent).toEqual(query("$1 $2 $3 $1", ...params.slice(0, 3)));
});

it("fixed values are sent as they stand, equal or not", () => {
  const fixed = query("$1 $2 $3", 1, 1, new Param(1, text));
  expect(sentOnce(fixed)).toEqual(fixed);
});

it("a tenth place is not taken for the first", () => {
  const names = Array.from({ length: 10 }, (_, nth) => sql.placeholder(`${nth}`));
  const statement = "$1 $2 $3 $4 $5 $6 $7 $8 $9 $10 $11";
  const sent = query("$1 $2 $3 $4 $5 $6 $7 $8 $9 $10 $10", ...names);
  expect(sentOnce(query(statement, ...names, names.at(-1)))).toEqual(sent);
});

it.each([
  ["in another order", "$2 $1"],
  ["twice", "$1 $1 $2"],
  ["not for all values", "$1"],
])("a statement that has its numbers %s is refused", (_how, statement) => {
  expect(() => sentOnce(query(statement, consentId(), read))).toThrow(/values/);
});
