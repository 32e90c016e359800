import { expect, it } from "vitest";
import { answerIn } from "./answer";

const body = "a body, long enough";
const answers = {
  "of a told length": `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nx-id: 1\r\n\r\n${body}`,
  "in chunks": `HTTP/1.1 200 OK\r\nx-id: 1\r\nTransfer-Encoding: chunked\r\n\r\n6\r\na body\r\nd\r\n, long enough\r\n0\r\n\r\n`,
} as const;

it.each(Object.entries(answers))(
  "an answer %s is whole with its last byte, and not before",
  (_, text) => {
    const bytes = Buffer.from(text);
    for (let end = 0; end < bytes.byteLength; end += 1) {
      expect(answerIn(bytes.subarray(0, end))).toBeUndefined();
    }
    const answer = answerIn(bytes);
    expect(answer?.status).toBe(200);
    expect(answer?.head).toContain("x-id: 1");
    expect(answer?.body.toString()).toBe(body);
  },
);

it("a refusal is an answer, too", () => {
  expect(answerIn(Buffer.from("HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n"))).toEqual({
    status: 401,
    head: "content-length: 0",
    body: Buffer.alloc(0),
  });
});
