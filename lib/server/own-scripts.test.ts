import fc from "fast-check";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { browserHost } from "./browser-host";
import { withOwnScriptsOnly } from "./own-scripts";
import { openHost } from "./testing/host";
import { get } from "./testing/raw-request";
import type { Handler } from "./tpp-host";

const frameworks = [
  '<link rel="preload" as="script" fetchPriority="low" href="/_next/static/chunks/a.js"/>',
  '<script src="/_next/static/chunks/a.js" async=""></script>',
  '<script>self.__next_f.push([1,"<p>\\u003c/script>"])</script>',
  '<script id="_R_">self.x=1\n;</script>',
];
const own = '<script type="module" src="/built/psu.js"></script>';

describe("the scripts of a page", () => {
  it("are our own and no others", () => {
    const html = `<head>${frameworks[0]}<link rel="stylesheet" href="/a.css"/>${own}</head><p>1 &lt; 2</p>${frameworks.join("")}`;
    expect(withOwnScriptsOnly(html)).toBe(
      `<head><link rel="stylesheet" href="/a.css"/>${own}</head><p>1 &lt; 2</p>`,
    );
  });

  it("P4: no name takes anything out of a page, or a script past the rule", () => {
    const piece = fc.constantFrom(
      ...[
        "<script>",
        "</script>",
        "<script ",
        ' src="/built/psu.js"',
        "<!--",
        "-->",
        ">",
        "<",
        '"',
      ],
      ...["'", "<link ", ' as="script"', "&lt;", "\\u003c", "x", " ", "\n"],
    );
    const name = fc.array(piece, { maxLength: 12 }).map((all) => all.join(""));
    fc.assert(
      fc.property(name, (text) => {
        const page = renderToStaticMarkup(
          createElement(
            "p",
            { title: text, lang: text },
            text,
            createElement("input", { value: text, readOnly: true }),
          ),
        );
        const whole = `<title>${renderToStaticMarkup(text)}</title>${page}`;
        expect(withOwnScriptsOnly(`${whole}${frameworks.join(whole)}${whole}`)).toBe(
          whole + whole.repeat(frameworks.length - 1) + whole,
        );
        expect(whole).not.toMatch(/<script/i);
      }),
    );
  });

  it.each(["/built/../evil.js", "/x?/built/", "https://evil.example/built/psu.js"])(
    "%s is none of ours",
    (src) => {
      expect(withOwnScriptsOnly(`<script src="${src}"></script>`)).toBe("");
    },
  );

  it("are taken out of what was written in pieces, in whatever place it was cut", async () => {
    const html = `<p>ă</p>${frameworks[2]}<p>end</p>`;
    const bytes = Buffer.from(html);
    for (const cut of [1, 4, 12, 40, bytes.length - 3]) {
      const page: Handler = async (_request, response) => {
        response.writeHead(200, { "content-type": "text/html; charset=utf-8", etag: '"1"' });
        response.write(bytes.subarray(0, cut));
        response.end(bytes.subarray(cut));
      };
      const answer = await get(await open(page), "/authorise/x");
      expect(answer.body).toContain("<p>ă</p><p>end</p>");
      expect(answer.body).not.toContain("__next_f");
      expect(answer.headers.get("etag")).toBeNull();
    }
  });

  it("go with the length that was announced for them", async () => {
    const page: Handler = async (_request, response) => {
      response.setHeader("content-type", "text/html");
      response.setHeader("content-length", String(Buffer.byteLength(frameworks.join(""))));
      response.end(`${frameworks.join("")}`);
    };
    expect((await get(await open(page), "/")).status).toBe(200);
  });

  it("stay where the answer is no page", async () => {
    const text: Handler = async (_request, response) => {
      response.setHeader("content-type", "text/plain");
      response.end(frameworks[1]);
    };
    expect((await get(await open(text), "/")).body).toBe(frameworks[1]);
  });
});

async function open(handle: Handler) {
  const host = browserHost(handle, {
    webUrl: new URL("http://localhost:3000"),
    publicFiles: new Set(),
    addressOf: () => undefined,
  });
  return { port: await openHost({ setting: "WEB_PORT", handle: host, broken: () => "" }) };
}
