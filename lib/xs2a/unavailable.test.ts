import { expect, it, vi } from "vitest";
import { UnavailableError } from "@/lib/domain/unavailable";
import { log } from "@/lib/log";
import { own, ports, run } from "./testing/echo";
import { signedRequest } from "./testing/tpp";

const away = async () => {
  const cause = new UnavailableError("the database is away (ECONNREFUSED)");
  throw new Error("Failed query: select 1", { cause });
};
const withoutDatabase = { ...ports, arrivals: { look: away } };

it("what the bank needs is away: 503 SERVICE_UNAVAILABLE with Retry-After, and nothing of the reason", async () => {
  const answer = await run(signedRequest(own), withoutDatabase);
  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).toBe("2");
  expect(await answer.json()).toEqual({
    tppMessages: [
      {
        category: "ERROR",
        code: "SERVICE_UNAVAILABLE",
        text: "the bank cannot answer at the moment, try again",
      },
    ],
  });
});

it("the log has what is away and for whom, and nothing of what was asked", async () => {
  const warn = vi.spyOn(log, "warn");
  await run(signedRequest(own), withoutDatabase);
  expect(warn.mock.lastCall?.[0]).toEqual({
    requestId: expect.any(String),
    interactionId: expect.any(String),
    reason: "the database is away (ECONNREFUSED)",
  });
});

it("as a problem document, when the TPP reads nothing else", async () => {
  const headers = { accept: "application/problem+json" };
  const answer = await run(signedRequest(own, { headers }), withoutDatabase);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ status: 503, code: "SERVICE_UNAVAILABLE" });
});

it("any other fault of ours is a 500 and says nothing of trying again", async () => {
  const broken = async () => Promise.reject(new Error("a mistake"));
  const answer = await run(signedRequest(own), { ...ports, arrivals: { look: broken } });
  expect(answer.status).toBe(500);
  expect(answer.headers.get("retry-after")).toBeNull();
});
