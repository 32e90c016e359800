import { describe, expect, it } from "vitest";
import { own, refusal } from "./testing/echo";
import { signedRequest } from "./testing/tpp";

describe("the body and media types of a TPP's request", () => {
  it.each([
    ["text/plain", undefined],
    ["application/xml", undefined],
    ["application/json; charset=utf-16", undefined],
    ["application/json", "gzip"],
  ])("with Content-Type %s and Content-Encoding %s is refused with 415", async (type, encoding) => {
    const headers = {
      "content-type": type,
      ...(encoding === undefined ? {} : { "content-encoding": encoding }),
    };
    expect(await refusal(signedRequest(own, { body: '{"word":"yes"}', headers }))).toMatchObject({
      status: 415,
      code: "UNSUPPORTED_MEDIA_TYPE",
    });
  });

  it.each(["application/xml", "text/plain", "application/json;q=0"])(
    "with Accept %s is refused with 406",
    async (accept) => {
      expect(await refusal(signedRequest(own, { headers: { accept } }))).toMatchObject({
        status: 406,
        code: "REQUESTED_FORMATS_INVALID",
      });
    },
  );

  it("X1: with a body over 64 KiB is refused with 413, whatever it says of its length", async () => {
    const body = JSON.stringify({ word: "x".repeat(65_536) });
    expect(await refusal(signedRequest(own, { body }))).toMatchObject({
      status: 413,
      code: "PAYLOAD_TOO_LARGE",
    });
    const lying = signedRequest(own, { body, headers: { "content-length": "10" } });
    expect(await refusal(lying)).toMatchObject({ status: 413 });
  });
});
