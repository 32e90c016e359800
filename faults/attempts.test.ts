import { expect, it } from "vitest";
import { saysNotNow } from "./tpp";

const message = { category: "ERROR", code: "SERVICE_UNAVAILABLE", text: "try again" };
const reply = (change: object = {}, body: unknown = { tppMessages: [message] }) => ({
  status: 503,
  headers: { "retry-after": "2" },
  body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
  ...change,
});

it("a bank without its database says 503, SERVICE_UNAVAILABLE and when to try again", () => {
  expect(saysNotNow(reply())).toBe(true);
});

it.each([
  ["another status", reply({ status: 500 })],
  ["no word of when", reply({ headers: {} })],
  ["another code", reply({}, { tppMessages: [{ ...message, code: "INTERNAL_SERVER_ERROR" }] })],
  ["two reasons", reply({}, { tppMessages: [message, message] })],
  ["no reason", reply({}, { tppMessages: [] })],
  ["a page", reply({}, "<p>try again</p>")],
])("nothing else is honest: %s", (_what, other) => {
  expect(saysNotNow(other)).toBe(false);
});
