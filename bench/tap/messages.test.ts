import fc from "fast-check";
import { expect, it } from "vitest";
import { type Message, messages } from "./messages";

const typed = (type: string, body: Buffer) => {
  const head = Buffer.from(`${type}....`, "latin1");
  head.writeInt32BE(body.byteLength + 4, 1);
  return Buffer.concat([head, body]);
};

it("messages are the same however the stream is cut", () => {
  const bodies = fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(bodies, fc.integer({ min: 1, max: 12 }), (given, size) => {
      const stream = Buffer.concat(given.map((body) => typed("D", Buffer.from(body))));
      const got: Message[] = [];
      const read = messages("server", (message) => got.push(message));
      for (let at = 0; at < stream.byteLength; at += size) read(stream.subarray(at, at + size));
      expect(got.map(({ body }) => [...body])).toEqual(given.map((body) => [...body]));
    }),
  );
});

it("a client's first message has no type", () => {
  const got: string[] = [];
  const read = messages("client", ({ type }) => got.push(type));
  const startup = Buffer.from([0, 0, 0, 8, 0, 3, 0, 0]);
  read(Buffer.concat([startup, typed("Q", Buffer.from("select 1\0"))]));
  expect(got).toEqual(["startup", "Q"]);
});
