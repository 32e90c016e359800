import { readSettings } from "@/lib/config";
import { readyScreen } from "@/lib/server/launcher";
import { expect, test } from "../test";
import { personalInDemoBank } from "./demo-bank";
import { leaksIn } from "./leaks-in";
import { checkNothingLeaked } from "./nothing-leaked";

const personal = personalInDemoBank();
const IBAN = personal["IBAN"]?.[0] ?? "none";
const spaced = IBAN.replaceAll(/(.{4})/g, "$1 ");
const found = (fields: object) => leaksIn(JSON.stringify({ level: 30, ...fields }), personal);

test("X7: whom it looks for are the demo bank's customers and those they deal with", () => {
  expect(personal["IBAN"]?.length).toBeGreaterThan(20);
  expect(personal["name"]).toContain("Ana Popescu");
  expect(personal["password"]).toContain("ana-sandbox");
});

for (const [what, fields] of [
  ["IBAN", { iban: IBAN }],
  ["IBAN", { msg: `paid to ${spaced.toLowerCase()}` }],
  ["IBAN", { err: { cause: { detail: [`Key (iban)=(${IBAN})`] } } }],
  ["IBAN", { [IBAN]: "its balance" }],
  ["name", { where: "/permissions?name=Mihai%20Ionescu" }],
  ["name", { msg: "ELENA\u00a0POPESCU" }],
  ["password", { typed: "dan-sandbox" }],
  ["access token", { header: "Bearer 0f3a" }],
  ["access token", { token: "eyJhbGciOiJFUzI1NiJ9.e30.c2ln" }],
  ["one-time code", { code: 123_456 }],
  ["one-time code", { msg: "your code is 004711." }],
  ["one-time code", { url: "/sign-in?code=004711" }],
] as const) {
  test(`X7: found in a line of the log: ${what}, as in ${JSON.stringify(fields)}`, () => {
    expect(found(fields)).toEqual([{ line: 1, what }]);
  });
}

test("X7: what an operator needs is nobody's secret", () => {
  const frame = "at o.query (/srv/.next/server/chunks/ssr/_1.js:88:134065)";
  const id = "99391c7e-ad88-49ec-a2ad-99ddcb1f7721";
  const time = "2026-11-20T10:00:00.123456Z";
  expect(
    found({ time, frame, id, ms: 1_234_567, share: 0.123456, client: "PSDRO-NBR-123456" }),
  ).toEqual([]);
});

test("X7: what the start tells people is for them, passwords included, and nothing more", () => {
  const start = readyScreen(readSettings({}), ".data");
  expect(start).toContain("ana-sandbox");
  expect(leaksIn(start, personal)).toEqual([]);
  expect(leaksIn(`${start}\n${IBAN}`, personal)).toMatchObject([{ what: "IBAN" }]);
});

test("X7: the run fails with where it stands, and does not repeat it", () => {
  const output = `{"msg":"ready"}\n{"msg":"${IBAN} of Ana Popescu"}\n`;
  const check = () => checkNothingLeaked([{ file: "server-1.log", output }]);
  expect(check).toThrow(/server-1\.log, line 2: IBAN\n {2}server-1\.log, line 2: name$/);
  expect(check).not.toThrow(IBAN);
  const often = () => checkNothingLeaked([{ file: "server-1.log", output: output.repeat(50) }]);
  expect(often).toThrow(/^X7: 100 findings .*(\n.*){20}$/);
  expect(() =>
    checkNothingLeaked([{ file: "server-1.log", output: '{"msg":"ready"}' }]),
  ).not.toThrow();
});
