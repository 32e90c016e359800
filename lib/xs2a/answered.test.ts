import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { StoredAnswer } from "@/lib/domain/payments";
import type { Caller, Xs2aPorts } from "./declaration";
import { endpoint } from "./endpoint";
import { responseOf } from "./http";
import { own, ports } from "./testing/requests";
import { requestId, signedRequest } from "./testing/tpp";
import { noToken } from "./token";
import { noPath } from "./wire/common";

const stored: StoredAnswer = {
  status: 400,
  headers: { "content-type": "application/problem+json", location: "/first" },
  body: '{ "first" : 1 }',
};

type Rule = (caller: Caller, testPorts: Xs2aPorts) => Promise<StoredAnswer | undefined>;

/** An endpoint with a narrow query and body that has perhaps answered before. */
function answering(answered: Rule) {
  const handled: unknown[] = [];
  const run = endpoint({
    operationId: "say",
    summary: "Say",
    role: "PSP_AI",
    token: noToken,
    headers: z.object({ "psu-ip-address": z.ipv4().optional() }),
    path: noPath,
    answered,
    query: z.strictObject({}),
    body: z.strictObject({ word: z.string() }),
    refuses: {},
    handle: async ({ body }) => handled.push(body),
    reply: Object.assign(() => stored, { answers: undefined }),
  });
  return { handled, run: async (request: Request) => responseOf(await run(request, {}, ports)) };
}

const answeredOnce = () => answering(async () => stored);
const url = "https://bank.example/open-banking/v3.1/aisp/v1/consents?surprise=1";

describe("an answer that was given before", () => {
  it.each(['{"word":"yes"}', '{"word":1}', "{", "[]"])(
    "is sent again unchanged with query and body %s, and nothing is done",
    async (body) => {
      const { handled, run } = answeredOnce();
      const answer = await run(signedRequest(own, { url, body }));
      expect(answer.status).toBe(400);
      expect(answer.headers.get("content-type")).toBe("application/problem+json");
      expect(answer.headers.get("location")).toBe("/first");
      expect(answer.headers.get("x-request-id")).toBe(requestId);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(await answer.text()).toBe(stored.body);
      expect(handled).toEqual([]);
    },
  );

  it("is found only by the same TPP, request id and bytes", async () => {
    const callers: Caller[] = [];
    const { run } = answering(async (caller) => {
      callers.push(caller);
      return stored;
    });
    const headers = { "x-request-id": requestId.toUpperCase() };
    await run(signedRequest(own, { body: '{"word":1}', headers }));
    expect(callers).toMatchObject([{ qwac: { tpp: { id: "PSDRO-NBR-1234567" } }, requestId }]);
    expect(Buffer.from(callers[0]?.bytes ?? []).toString()).toBe('{"word":1}');
  });

  it.each([
    ["certificate", { without: ["client-cert"] }],
    ["signature", { without: ["signature"] }],
    ["X-Request-ID", { without: ["x-request-id"] }],
    ["media type", { headers: { "content-type": "text/plain" } }],
    ["headers", { headers: { "psu-ip-address": "x" } }],
  ])("is not sent to a request with an invalid %s", async (_, changes) => {
    const { run } = answeredOnce();
    const answer = await run(signedRequest(own, { body: '{"word":"yes"}', ...changes }));
    expect([400, 401, 415]).toContain(answer.status);
    expect(await answer.text()).not.toBe(stored.body);
  });

  it("does not exist: the request is validated and handled", async () => {
    const { handled, run } = answering(async () => undefined);
    const refused = await run(signedRequest(own, { body: '{"word":1}' }));
    expect([refused.status, handled]).toEqual([400, []]);
    const answer = await run(signedRequest(own, { body: '{"word":"yes"}' }));
    expect(await answer.text()).toBe(stored.body);
    expect(handled).toEqual([{ word: "yes" }]);
  });
});
