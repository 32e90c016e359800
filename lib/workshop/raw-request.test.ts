import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  headerOf,
  isHidden,
  type RawRequest,
  readRawRequest,
  sentByCurl,
  withoutSecrets,
} from "./raw-request";
import { bodyAsSent } from "./read-paste";

function read(text: string): RawRequest {
  const found = readRawRequest(Buffer.from(text));
  if ("fault" in found) throw new Error(found.fault);
  return found.request;
}
const bodyOf = (text: string) => Buffer.from(bodyAsSent(read(text)).body).toString();
const digest = (body: string) =>
  `Digest: SHA-256=${createHash("sha256").update(body).digest("base64")}`;

describe("a raw request", () => {
  it.each([
    ["CR LF", "\r\n"],
    ["LF", "\n"],
  ])("is read with lines that end in %s", (_name, end) => {
    const text = ["POST /a?b=c HTTP/1.1", "Host: bank", "X-Empty:", "", '{"a": 1}'].join(end);
    const { body, ...rest } = read(text);
    expect(rest).toEqual({
      method: "POST",
      target: "/a?b=c",
      headers: [
        ["Host", "bank"],
        ["X-Empty", ""],
      ],
    });
    expect(Buffer.from(body).toString()).toBe('{"a": 1}');
  });

  it("may name the whole URL, lack the version and have neither blank line nor body", () => {
    const { target, body } = read("GET https://bank.example:8443/a?b HTTP/1.1\nHost: x\n");
    expect([target, body.byteLength]).toEqual(["/a?b", 0]);
    expect(read("\n\nGET /a").target).toBe("/a");
  });

  it("may be what curl -v prints, with the body added below", () => {
    const text = "* Connected\n> POST /a HTTP/1.1\n> Host: bank\n> \n{}\n< HTTP/1.1 401\n<\nno\n";
    const { body, ...rest } = read(text);
    expect(rest).toEqual({ method: "POST", target: "/a", headers: [["Host", "bank"]] });
    expect(Buffer.from(body).toString()).toBe("{}");
  });

  it("keeps a header's bytes as Node hands them on, and finds it in any case", () => {
    const request = read("GET /a\nPSU-ID:  ană \n\n");
    expect(headerOf(request, "psu-id")).toBe(Buffer.from("ană").toString("latin1"));
    expect(headerOf(request, "date")).toBeUndefined();
  });

  it.each([
    ["", "The first line is not a request line, as in GET /path HTTP/1.1."],
    ["hello", "The first line is not a request line, as in GET /path HTTP/1.1."],
    ["curl https://bank", "That is a command: run it with -v added, and paste what it prints."],
    ["GET a HTTP/1.1", "The request line names no path."],
    ["GET /a HTTP/1.1\nHost bank", "Line 2 is not a header, as in Name: value."],
    ["GET /a\nHost: bank\n folded: x", "Line 3 is not a header, as in Name: value."],
  ])("%j is none", (text, fault) => {
    expect(readRawRequest(Buffer.from(text))).toEqual({ fault });
  });
});

describe("the body as it was sent", () => {
  it("ends where it ended, though the copy has a line break more", () => {
    expect(bodyOf('POST /a\n\n{"a": 1}\n')).toBe('{"a": 1}');
    expect(bodyOf("GET /a\r\n\r\n\r\n")).toBe("");
  });

  it.each([
    ["its line breaks are LF, a form made CR LF of them", '{\n"a": 1\n}', '{\r\n"a": 1\r\n}\r\n'],
    ["its line breaks are CR LF, a file has LF", '{\r\n"a": 1\r\n}', '{\n"a": 1\n}'],
    ["it ends in a line break", '{"a": 1}\n', '{"a": 1}\n'],
    ["it ends in CR LF", '{"a": 1}\r\n', '{"a": 1}\r\n'],
  ])("is found by the Digest, or else by Content-Length: %s", (_name, sent, pasted) => {
    expect(bodyOf(`POST /a\r\n${digest(sent)}\r\n\r\n${pasted}`)).toBe(sent);
    const length = `Content-Length: ${Buffer.byteLength(sent)}`;
    expect(bodyOf(`POST /a\r\n${length}\r\n\r\n${pasted}`)).toBe(sent);
  });

  it("is not guessed: a wrong Digest changes nothing", () => {
    expect(bodyOf(`POST /a\n${digest("x")}\n\n{"a": 1}\n`)).toBe('{"a": 1}');
  });
});

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

describe("a request that is shown again has no secret", () => {
  it.each([
    ["Authorization: Bearer ey.J.x", "Authorization: Bearer (hidden)"],
    ["> authorization:ey.J.x and more", "> authorization:(hidden)"],
    ["Proxy-Authorization: Basic YTpi", "Proxy-Authorization: Basic (hidden)"],
    ["Cookie: a=b; c=d", "Cookie: (hidden)"],
    ["GET /a?x=1&access_token=ey.J HTTP/1.1", "GET /a?x=1&access_token=(hidden) HTTP/1.1"],
    [
      "grant_type=refresh_token&refresh_token=abc&client_id=PSDRO-NBR-1",
      "grant_type=refresh_token&refresh_token=(hidden)&client_id=PSDRO-NBR-1",
    ],
    ["< set-cookie: session=abc; HttpOnly", "< set-cookie: (hidden)"],
    [
      "< location: https://tpp.example/back?code=abc",
      "< location: https://tpp.example/back?code=(hidden)",
    ],
    [
      '{"access_token":"ey.J","refresh_token" : "a\\"b","id_token":"c","expires_in":300}',
      '{"access_token":"(hidden)","refresh_token" : "(hidden)","id_token":"(hidden)","expires_in":300}',
    ],
    ["code=abc&code_verifier=def", "code=(hidden)&code_verifier=(hidden)"],
  ])("%s", (text, shown) => {
    expect(withoutSecrets(`GET /\r\n${text}\r\n\r\n`)).toBe(`GET /\r\n${shown}\r\n\r\n`);
    expect(withoutSecrets(shown)).toBe(shown);
  });

  it("and is otherwise unchanged", () => {
    const text = 'POST /a?dateFrom=2027-01-01\nDigest: SHA-256=x\nX-Code: 1\n\n{"code": "12"}';
    expect(withoutSecrets(text)).toBe(text);
  });

  it("which shows when it is pasted again", () => {
    expect(isHidden("Bearer (hidden)")).toBe(true);
    expect([isHidden("Bearer ey.J"), isHidden(null)]).toEqual([false, false]);
  });
});
