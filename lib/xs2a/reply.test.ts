import { describe, expect, it } from "vitest";
import { z } from "zod";
import { reject } from "@/lib/domain/rejection";
import { reply, written, writtenRefusal } from "./reply";
import { requestId } from "./testing/tpp";

const exchange = { requestId, interactionId: requestId, prefersProblem: false, bodyless: false };
const schema = z.strictObject({ word: z.string() });
const body = { schema, value: { word: "ă" } };

describe("an answer as text", () => {
  it("is what leaves: kept and sent again, it is the same to the byte", async () => {
    const answer = { status: 201, headers: { location: "/1" }, body } as const;
    const kept = written(answer);
    expect(kept).toEqual({
      status: 201,
      headers: { location: "/1", "content-type": "application/json" },
      body: '{"word":"ă"}',
    });
    const [first, again] = [reply(answer, exchange), reply(kept, exchange)];
    expect(again.status).toBe(first.status);
    expect([...again.headers]).toEqual([...first.headers]);
    expect(await again.text()).toBe(await first.text());
  });

  it("is not written when it does not fit its schema", () => {
    const wrong = { schema, value: { word: 1 } };
    expect(() => written({ status: 200, body: wrong })).toThrow();
  });

  it("without a body has no media type", async () => {
    const answer = reply({ status: 204 }, exchange);
    expect(answer.headers.get("content-type")).toBeNull();
    expect(await answer.text()).toBe("");
  });
});

describe("a refusal as text", () => {
  const refusal = reject("TOKEN_EXPIRED", "it has expired", { headers: { allow: "GET" } });

  it("has its reasons in the standard's form, and what belongs in headers there", () => {
    const { status, headers, body: text } = writtenRefusal(refusal, exchange);
    expect(status).toBe(401);
    expect(headers).toEqual({
      allow: "GET",
      "www-authenticate": 'Bearer error="invalid_token"',
      "content-type": "application/json",
    });
    expect(JSON.parse(text)).toEqual({
      tppMessages: [{ category: "ERROR", code: "TOKEN_EXPIRED", text: "it has expired" }],
    });
  });

  it("is a problem document for a TPP that prefers one", () => {
    const { headers, body: text } = writtenRefusal(refusal, { prefersProblem: true });
    expect(headers["content-type"]).toBe("application/problem+json");
    expect(JSON.parse(text)).toMatchObject({ status: 401, code: "TOKEN_EXPIRED" });
  });
});
