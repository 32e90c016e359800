import { describe, expect, it } from "vitest";
import { sentByCurl } from "./curl-output";

const printed = (...body: readonly string[]) =>
  [
    "* Host localhost:8443 was resolved.",
    "* Connected to localhost (::1) port 8443",
    "> POST /open-banking/v3.1/aisp/v1/consents HTTP/1.1",
    "> Host: localhost:8443",
    "* a word in between",
    "> Content-Length: 8",
    ">",
    ...body,
    "} [8 bytes data]",
    "* upload completely sent off: 8 bytes",
    "< HTTP/1.1 401 Unauthorized",
    "< content-type: application/json",
    "<",
    "{ [97 bytes data]",
    '{"tppMessages":[]}',
  ].join("\n");
const head =
  "POST /open-banking/v3.1/aisp/v1/consents HTTP/1.1\nHost: localhost:8443\nContent-Length: 8\n";

describe("what curl -v prints", () => {
  it("is read as what was sent, without curl's own words and without the answer", () => {
    expect(sentByCurl(printed())).toBe(head);
  });

  it("may have the body added after the blank line, also one that begins with a brace", () => {
    expect(sentByCurl(printed("{", '"a": 1', "}"))).toBe(`${head}\n{\n"a": 1\n}`);
  });

  it("is read with lines that end in CR LF, and with a blank behind the last mark", () => {
    const text = printed('{"a": 1}').replace("\n>\n", "\n> \n").replaceAll("\n", "\r\n");
    expect(sentByCurl(text)).toBe(`${head}\n{"a": 1}`);
  });

  it("of several requests is the last", () => {
    const second = "> GET /second HTTP/2\n> Host: bank\n>\n< HTTP/2 401\n";
    expect(sentByCurl(`${printed()}\n${second}`)).toBe("GET /second HTTP/2\nHost: bank\n");
  });

  it("that ends in the headers is headers alone", () => {
    expect(sentByCurl("> GET /a HTTP/1.1\n> Host: bank")).toBe("GET /a HTTP/1.1\nHost: bank\n");
  });

  it.each(["GET /a HTTP/1.1\nHost: bank\n\n> quoted", "hello", ""])("%j is none", (text) => {
    expect(sentByCurl(text)).toBe(text);
  });
});
