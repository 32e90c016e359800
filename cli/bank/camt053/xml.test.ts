import { describe, expect, it } from "vitest";
import { StatementError } from "@/lib/core-bank/ledger/import-statements";
import { bytes, changed, october, refusalOf } from "./testing";
import { camt053Limits, find, need, parseXml } from "./xml";

const parse = (text: string) => parseXml(bytes(text)).root;

function notParsed(text: string): string {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof StatementError) return error.message;
    throw error;
  }
  throw new Error("accepted");
}

describe("an XML file is read", () => {
  it("with its text as it stands: numbers stay text, references and CDATA become characters", () => {
    const root = parse(`\ufeff<?xml version="1.0" encoding="utf-8"?>\r
<d xmlns="u"><a> 0012 </a><b x='&lt;&#x41;'>A &amp; B &#259;</b><c><![CDATA[&amp; <x>]]></c></d>`);
    expect(need(root, "a").text).toBe("0012");
    expect(need(root, "b").text).toBe("A & B ă");
    expect(need(root, "b").attributes.get("x")).toBe("<A");
    expect(need(root, "c").text).toBe("&amp; <x>");
  });

  it("with any prefix for the namespace", () => {
    const root = parse(`<p:d xmlns:p="u"><q:a xmlns:q="u">1</q:a></p:d>`);
    expect(find(root, "a")?.text).toBe("1");
  });

  it("with names of JavaScript's own as nothing but names", () => {
    const root = parse(`<d xmlns="u"><__proto__ __proto__="1">x</__proto__></d>`);
    const element = need(root, "__proto__");
    expect([element.text, element.attributes.get("__proto__")]).toEqual(["x", "1"]);
    expect(Object.getPrototypeOf(element)).toBe(Object.prototype);
  });

  it("with each element's line and path", () => {
    const root = parse(`<d xmlns="u">\r\n<a/>\n<!-- no\nelement --><a><b/></a></d>`);
    const [, second] = root.children;
    const b = second && need(second, "b");
    expect(b && [b.line, b.path]).toEqual([4, "/d/a[2]/b"]);
  });
});

describe("not well formed, and refused with the line, is", () => {
  it.each([
    ["nothing", ""],
    ["an element that is not closed", '<d xmlns="u">\n<a></d>', "line 2"],
    ["a closing tag too many", '<d xmlns="u"></d></d>'],
    ["a second root", '<d xmlns="u"></d><d xmlns="u"/>'],
    ["a second root after an empty one", '<d xmlns="u"/>\n<e/>', "line 2"],
    ["text before the root", 'x<d xmlns="u"/>'],
    ["text after the root", '<d xmlns="u"></d>x'],
    ["an attribute twice", '<d xmlns="u"><a b="1" b="2"/></d>'],
    ["an attribute without quotes", '<d xmlns="u"><a b=1/></d>'],
    ["a < in an attribute", '<d xmlns="u">\n<a b="<"/></d>', "line 2"],
    ["a bare &", '<d xmlns="u">\n<a>b & c</a></d>', "line 2"],
    ["a bare & in an attribute", '<d xmlns="u"><a b="b & c"/></d>'],
    ["]]> in a text", '<d xmlns="u"><a>]]></a></d>'],
    ["a comment without end", '<d xmlns="u"><!-- </d>'],
    ["a CDATA without end", '<d xmlns="u"><![CDATA[ </d>'],
    ["a control character", '<d xmlns="u">\n\u0001</d>', "line 2"],
    ["a control character by number", '<d xmlns="u"><a>&#0;</a></d>'],
    ["a character beyond Unicode", '<d xmlns="u"><a>&#x110000;</a></d>'],
  ])("%s", (_what, text, place = "line 1") => {
    const said = notParsed(text);
    expect(said).toContain("not well formed");
    if (!said.startsWith("the file")) expect(said).toContain(place);
  });
});

describe("refused is", () => {
  it.each([
    ["an element without a namespace", "<d/>", "has no namespace"],
    ["an element of another namespace", '<d xmlns="u"><a xmlns="v"/></d>', "/d/a: is not of the"],
    ["a prefix that is not declared", '<d xmlns="u"><p:a/></d>', "unbound namespace prefix"],
    ["text beside elements", '<d xmlns="u">x<a/></d>', "/d: has text between"],
    ["another encoding", '<?xml version="1.0" encoding="ISO-8859-1"?><d xmlns="u"/>', "only UTF-8"],
    ["nesting without end", `<d xmlns="u">${"<a>".repeat(99)}${"</a>".repeat(99)}</d>`, "nested"],
  ])("%s", (_what, text, reason) => {
    expect(notParsed(text)).toContain(reason);
  });

  it("what is no UTF-8", () => {
    expect(refusalOf(new Uint8Array([0xff, 0xfe, 0x3c, 0x00]))).toContain("not UTF-8");
  });

  it("a file above the size limit", () => {
    const spaces = new Uint8Array(camt053Limits.fileBytesMax + 1).fill(0x20);
    expect(refusalOf(spaces)).toContain(`at most ${camt053Limits.fileBytesMax} are read`);
  });
});

describe("however many tags there are", () => {
  it("a file above the limit is refused before it is parsed", () => {
    const empty = "<a/>".repeat(camt053Limits.tagsMax);
    expect(notParsed(`<d xmlns="u">${empty}</d>`)).toContain("1500000 tags");
  });

  it("the reason stays a sentence", () => {
    expect(notParsed("<a>".repeat(1_000)).length).toBeLessThan(300);
  });
});

describe("X5: a file that brings entities of its own is refused before it is parsed", () => {
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  const bomb = Array.from({ length: 12 }, (_, index) => {
    return `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`;
  }).join("\n");

  it.each([
    ["an external entity (XXE)", '<!DOCTYPE Document [<!ENTITY x SYSTEM "file:///etc/passwd">]>'],
    ["an external document type", '<!DOCTYPE Document SYSTEM "http://127.0.0.1:9/evil.dtd">'],
    ["a parameter entity", '<!DOCTYPE Document [<!ENTITY % p SYSTEM "http://127.0.0.1:9/"> %p;]>'],
    ["an entity bomb", `<!DOCTYPE Document [<!ENTITY l0 "lol">\n${bomb}]>`],
    ["a document type in lower case", "<!doctype Document []>"],
  ])("%s", (_what, declaration) => {
    const text = changed(october, head, head + declaration);
    const named = changed(text, "Radu Stan", "&x;");
    expect(refusalOf(text)).toBe("line 2: a document type (DOCTYPE, ENTITY) is not allowed");
    expect(refusalOf(named)).toBe("line 2: a document type (DOCTYPE, ENTITY) is not allowed");
  });

  it("an entity that nobody declared is refused where it stands", () => {
    const place =
      /^line \d+, \/Document\/BkToCstmrStmt\/Stmt\/Ntry\[2\]\/.*\/Cdtr\/Nm: not well formed/;
    expect(refusalOf(changed(october, "Radu Stan", "&x;"))).toMatch(place);
  });
});
