import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { brokenTppRequest } from "./client-errors";
import { openHost } from "./testing/host";
import type { Handler } from "./tpp-host";
import { isAnswering, noteRequest } from "./under-way";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

function come() {
  const response = new EventEmitter();
  noteRequest(response as ServerResponse);
  return response;
}

it("a process is answering from when a request comes to the end of its answer", () => {
  expect(isAnswering()).toBe(false);
  const [one, another] = [come(), come()];
  one.emit("close");
  expect(isAnswering()).toBe(true);
  another.emit("close");
  expect(isAnswering()).toBe(false);
});

it("each host tells of the requests that come to it", async () => {
  vi.useRealTimers();
  const handle: Handler = async (_request, response) => void response.end(String(isAnswering()));
  const port = await openHost({ handle, broken: brokenTppRequest });
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe("true");
});

it("X2: a request that never comes to its end does not count for long", () => {
  come();
  vi.advanceTimersByTime(30);
  expect(isAnswering()).toBe(false);
  const late = come();
  expect(isAnswering()).toBe(true);
  late.emit("close");
});
