import { describe, expect, it } from "vitest";
import * as z from "zod";
import { reject } from "@/lib/domain/errors";
import { reply, serialise, serialiseRejection } from "./reply";
import { replyPorts } from "./testing/requests";
import { requestId } from "./testing/tpp";

const exchange = {
  requestId,
  interactionId: requestId,
  prefersProblem: false,
  openedAtMs: 0,
  bodyless: false,
};
const schema = z.strictObject({ word: z.string() });
const body = { schema, value: { word: "ă" } };

describe("an answer as text", () => {
  it("is sent as it was serialised, byte for byte, also when it is stored and sent again", () => {
    const answer = { status: 201, headers: { location: "/1" }, body } as const;
    const kept = serialise(answer);
    expect(kept).toEqual({
      status: 201,
      headers: { location: "/1", "content-type": "application/json" },
      body: '{"word":"ă"}',
    });
    const [first, again] = [reply(answer, exchange), reply(kept, exchange)];
    expect(again.status).toBe(first.status);
    expect(again.headers).toEqual(first.headers);
    expect(again.body).toBe(first.body);
  });

  it("is not sent when it does not match its schema", () => {
    const form = z.strictObject({ word: z.string() });
    const wrong = { status: 200, body: { schema: form, value: { word: 1 } } } as const;
    const right = { status: 200, body: { schema: form, value: { word: "a" } } } as const;
    expect(() => serialise(wrong)).toThrow();
    expect(() => serialise(wrong)).toThrow();
    // And later at the next one that is looked at, and from then on at each.
    expect(serialise(right).body).toBe('{"word":"a"}');
    const sent = Array.from({ length: 49 }, () => serialise(wrong));
    expect(sent).toHaveLength(49);
    expect(() => serialise(wrong)).toThrow();
    expect(() => serialise(wrong)).toThrow();
    expect(serialise(right).body).toBe('{"word":"a"}');
  });

  it("is the same whether or not it was checked against its schema", () => {
    const form = z.object({ first: z.string(), second: z.string().toUpperCase() });
    const value = { second: "b", first: "a", third: "c" };
    const texts = [1, 2].map(() => serialise({ status: 200, body: { schema: form, value } }).body);
    expect(texts).toEqual([JSON.stringify(value), JSON.stringify(value)]);
  });

  it("carries X-Request-ID and Cache-Control: no-store, whatever headers the endpoint sets", () => {
    const own = { "x-request-id": "1", "cache-control": "public", location: "/1" };
    expect(reply({ status: 204, headers: own }, exchange).headers).toEqual({
      "x-request-id": requestId,
      "x-fapi-interaction-id": requestId,
      "cache-control": "no-store",
      location: "/1",
    });
  });

  it("without a body has no media type", () => {
    const answer = reply({ status: 204 }, exchange);
    expect(answer.headers).not.toHaveProperty("content-type");
    expect(answer.body).toBeUndefined();
  });
});

describe("a refusal as text", () => {
  const refusal = reject("TOKEN_EXPIRED", "it has expired", { headers: { allow: "GET" } });

  it("has tppMessages and a link to the page of its code in the body, and its headers", () => {
    const { status, headers, body: text } = serialiseRejection(refusal, exchange, replyPorts);
    expect(status).toBe(401);
    expect(headers).toEqual({
      allow: "GET",
      "www-authenticate": 'Bearer error="invalid_token"',
      "content-type": "application/json",
    });
    expect(JSON.parse(text)).toEqual({
      tppMessages: [{ category: "ERROR", code: "TOKEN_EXPIRED", text: "it has expired" }],
      _links: { help: { href: "https://online.bank.example/docs/errors/TOKEN_EXPIRED" } },
    });
  });

  it("is a problem document for a TPP that prefers one", () => {
    const { headers, body: text } = serialiseRejection(
      refusal,
      { prefersProblem: true },
      replyPorts,
    );
    expect(headers["content-type"]).toBe("application/problem+json");
    expect(JSON.parse(text)).toMatchObject({
      type: "https://online.bank.example/docs/errors/TOKEN_EXPIRED",
      status: 401,
      code: "TOKEN_EXPIRED",
    });
  });
});
