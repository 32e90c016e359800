import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { isAnswering, noteRequest } from "./under-way";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "performance"] }));
afterEach(() => {
  vi.advanceTimersByTime(1_000);
  isAnswering();
  vi.useRealTimers();
});

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

it("X2: a request that never comes to its end does not count for long", () => {
  come();
  vi.advanceTimersByTime(30);
  expect(isAnswering()).toBe(false);
  come();
  expect(isAnswering()).toBe(true);
});
