import { expect, it } from "vitest";
import { outageNoter } from "@/lib/outage";
import { answeringOutages } from "./outage-page";
import { openHost } from "./testing/host";
import { get } from "./testing/raw-request";
import type { Handler } from "./tpp-host";

const html = "<!doctype html><title>Not now</title>";

/** A page that meets an outage at `/away`, copes with it, and redirects as if nothing had been. */
const pages: Handler = async (request, response) => {
  const note = outageNoter();
  await new Promise(setImmediate);
  if (request.url === "/away") note();
  response.setHeader("set-cookie", "outcome=fault");
  response.writeHead(303, { location: "/done", "content-type": "text/html" });
  response.end("<p>See other</p>");
};

const open = async () => ({
  port: await openHost({
    handle: answeringOutages(pages, { html, https: true }),
    broken: () => "",
  }),
});

it("what has met an outage is 503 with Retry-After and the page that says to try again", async () => {
  const answer = await get(await open(), "/away", ["Accept: text/html,*/*"]);
  expect([answer.status, answer.body]).toEqual([503, html]);
  expect(answer.headers.get("retry-after")).toBe("2");
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("content-security-policy")).toMatch(/default-src 'none'/);
  expect(answer.headers.get("strict-transport-security")).toMatch(/max-age/);
  for (const name of ["location", "set-cookie"]) expect(answer.headers.get(name)).toBeNull();
});

it("who wants no page gets JSON", async () => {
  const answer = await get(await open(), "/away");
  expect(answer.status).toBe(503);
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(JSON.parse(answer.body)).toEqual({
    error: "the bank cannot answer at the moment, try again",
  });
});

it("a request of the same moment that has met none is answered as it is", async () => {
  const host = await open();
  const both = await Promise.all([get(host, "/away"), get(host, "/", ["Accept: text/html"])]);
  expect(both.map(({ status }) => status)).toEqual([503, 303]);
  expect(both[1]?.headers.get("location")).toBe("/done");
});
