import { expect, it } from "vitest";
import type { PsuId } from "@/lib/domain/values";
import { messagesResponse } from "@/lib/sandbox/phone";

const sentAt = new Date("2026-11-20T10:00:00Z");

function services(SANDBOX: boolean) {
  return {
    config: { SANDBOX },
    sandboxPsu: async (userId: string) =>
      userId === "ana" ? { id: "1" as PsuId, userId, name: "Ana" } : undefined,
    sandboxMessages: {
      of: async (psuId: PsuId) => [{ psuId, sentAt, text: "123456 is your code", code: "123456" }],
    },
  };
}

const get = (on: boolean, query: string) =>
  messagesResponse(services(on), new Request(`http://localhost:3000/sandbox/messages${query}`));

it("the phone's messages as JSON hold sentAt, text and code, and nothing else", async () => {
  const response = await get(true, "?psu=ana");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(await response.json()).toEqual([
    { sentAt: "2026-11-20T10:00:00.000Z", text: "123456 is your code", code: "123456" },
  ]);
});

it.each(["", "?psu=nobody", "?psu="])("no phone for %j: 404", async (query) => {
  expect((await get(true, query)).status).toBe(404);
});

it("X11: outside the sandbox there is no phone", async () => {
  expect((await get(false, "?psu=ana")).status).toBe(404);
});
