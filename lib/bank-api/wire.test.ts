import { expect, it } from "vitest";
import { eventsQuery } from "./wire";

const cursor = (recordedAt: string, id: string) =>
  Buffer.from(JSON.stringify({ recordedAt, id })).toString("base64url");

it.each([
  ["a customer", { customerId: "a\u0000b" }],
  ["a time", { from: "0000-01-01T00:00:00Z" }],
  ["a place in the list by its time", { cursor: cursor("0000-01-01T00:00:00Z", "1") }],
  ["a place in the list by its number", { cursor: cursor("2026-11-20T10:00:00Z", "9".repeat(19)) }],
])("%s that the database cannot know is refused before it is asked", (_what, query) => {
  expect(eventsQuery.safeParse(query).success).toBe(false);
});
