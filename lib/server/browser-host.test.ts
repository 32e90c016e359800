import fc from "fast-check";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { reportMissingPage } from "@/lib/missing-page";
import { outageRecorder } from "@/lib/outage";
import config from "@/next.config";
import { answeringOutages, browserHost, withOwnScriptsOnly } from "./browser-host";
import { brokenBrowserRequest } from "./fault-answer";
import { contentSecurityPolicy, securityHeaders } from "./security-headers";
import { echo, get, openHost, sendRaw } from "./testing";
import type { Handler } from "./tpp-host";

async function open(handle: Handler, url = "http://localhost:3000", part: "psu" | "staff" = "psu") {
  const webUrl = new URL(url);
  const publicFiles = new Set(["/mark.svg"]);
  const host = browserHost(handle, { webUrl, part, publicFiles, addressOf: () => undefined });
  const broken = brokenBrowserRequest(webUrl.protocol === "https:");
  return { port: await openHost({ setting: "WEB_PORT", handle: host, broken }) };
}

describe("the browser host", () => {
  const page: Handler = async (request, response) => {
    response.setHeader("Content-Type", "text/html");
    response.setHeader("X-Powered-By", "Next.js");
    response.setHeader("x-nextjs-cache", "HIT");
    response.setHeader("Cache-Control", "s-maxage=31536000");
    response.end(request.url);
  };

  describe("the paths of the browser host", () => {
    it.each([
      "/",
      "/auth?client_id=x",
      "/auth/abc",
      "/authorise/abc/accounts",
      "/sandbox/phone",
      "/_next/static/a.js",
    ])("%s goes to its page", async (path) => {
      expect(JSON.parse((await get(await open(echo), path)).body).url).toBe(path);
    });

    it.each([
      "/open-banking",
      "/open-banking/v3.1/aisp/v1/accounts",
      "/open-banking/unknown",
      "/%6fpen-banking/v3.1/aisp/v1/accounts",
      "//open-banking/v3.1",
      "/x/../open-banking/v3.1",
      "/token",
      "/token/revocation",
      "/%74oken",
      "/jwks",
      "/openapi.json",
      "/sandbox/api/v1/psus",
      "/staff",
      "/staff/search",
      "/%73taff",
      "/.well-known/oauth-authorization-server",
      "/_next/image?url=/open-banking/unknown",
      "/_next/data/x.json",
      "/%zz",
      "http://localhost/token",
    ])("C14: %s is a page that is not there", async (path) => {
      expect(JSON.parse((await get(await open(echo), path)).body).url).toBe("/no-such-page");
    });
  });

  describe("the paths of the staff console's host", () => {
    const asked = async (path: string) => {
      const target = await open(echo, "http://localhost:3001", "staff");
      return JSON.parse((await get(target, path)).body).url;
    };

    it.each(["/staff", "/staff/search?q=x", "/_next/static/a.js", "/mark.svg"])(
      "%s is there",
      async (path) => {
        expect(await asked(path)).toBe(path);
      },
    );

    it.each([
      "/",
      "/staffing",
      "/permissions",
      "/sign-in",
      "/auth",
      "/sandbox/phone",
      "/token",
      "/bank/v1/customers",
      "/staff/../permissions",
      "/_next/image?url=/staff",
    ])("C14: %s is not", async (path) => {
      expect(await asked(path)).toBe("/staff/not-found");
    });
  });

  it("the pages that refuse have the status of a refusal", async () => {
    const target = await open(page, "http://localhost:3001", "staff");
    const status = async (path: string) => (await get(target, path)).status;
    expect(await status("/staff")).toBe(200);
    expect(await status("/staff/forbidden")).toBe(403);
    expect(await status("/permissions")).toBe(404);
  });

  it("a page that says there is nothing here is 404, and a page asked for beside it is not", async () => {
    const target = await open(async (request, response) => {
      await new Promise(setImmediate);
      if (request.url === "/authorise/ended-request") reportMissingPage();
      await page(request, response);
    });
    const paths = ["/authorise/ended-request", "/authorise/open-request"];
    const answers = await Promise.all(paths.map((path) => get(target, path)));
    expect(answers.map(({ status }) => status)).toEqual([404, 200]);
  });

  describe("C1: a client certificate in a header", () => {
    it.each([
      "client-cert: :AAAA:",
      "Client-Cert: :AAAA:",
      "CLIENT-CERT: :AAAA:",
      "cLiEnT-cErT:   :AAAA:  ",
      "x-ssl-client-cert: AAAA",
      "X-SSL-Client-Cert: AAAA",
      "Client_Cert: :AAAA:",
      "Client-Cert-Chain: :AAAA:",
    ])("%s does not arrive", async (line) => {
      expect((await get(await open(echo), "/", [line])).body).not.toContain("AAAA");
    });
  });

  describe("the host name", () => {
    it("is ours, whatever the caller writes", async () => {
      const target = await open(echo, "https://bank.example");
      const bytes =
        "GET / HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\nConnection: close\r\n\r\n";
      const { headers } = JSON.parse((await sendRaw(target, bytes)).body);
      expect(headers.host).toBe("bank.example");
      expect(headers["x-forwarded-proto"]).toBe("https");
      expect(headers["x-forwarded-host"]).toBeUndefined();
    });
  });

  describe("the security headers", () => {
    it("are on every answer", async () => {
      const { headers } = await get(await open(page), "/auth/x");
      expect(headers.get("content-security-policy")).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      );
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("permissions-policy")).toContain("camera=()");
      expect(headers.get("permissions-policy")).toContain("publickey-credentials-get=(self)");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-powered-by")).toBeNull();
      expect(headers.get("x-nextjs-cache")).toBeNull();
    });

    it("take the place of what Next has set under their names", async () => {
      const policy = "content-security-policy";
      const other: Handler = async (_request, response) => {
        response.setHeader(policy, "default-src *");
        response.writeHead(200, { "X-Frame-Options": "SAMEORIGIN" }).end();
      };
      const { head, headers } = await get(await open(other), "/");
      expect(headers.get(policy)).toMatch(/^default-src 'none'/);
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(head.match(/^(content-security-policy|x-frame-options):/gim)).toHaveLength(2);
    });

    it("are on the answer to what is not HTTP, and when the application fails", async () => {
      const failing: Handler = async () => {
        throw new Error("secret internals");
      };
      const answers = [
        await sendRaw(await open(page), "HELLO\r\n\r\n"),
        await get(await open(failing), "/"),
      ];
      expect(answers.map(({ status }) => status)).toEqual([400, 500]);
      for (const { headers, body } of answers) {
        expect(headers.get("x-frame-options")).toBe("DENY");
        expect(headers.get("content-security-policy")).toContain("default-src 'none'");
        expect(body).not.toContain("secret");
      }
    });

    it("demand https for the future only where it is spoken", async () => {
      const secure = await get(await open(page, "https://bank.example"), "/");
      expect(secure.headers.get("strict-transport-security")).toContain("max-age=31536000");
      const plain = await get(await open(page), "/");
      expect(plain.headers.get("strict-transport-security")).toBeNull();
    });

    it.each(["/_next/static/a.js", "/mark.svg"])("let %s be kept", async (path) => {
      const answer = await get(await open(page), path);
      expect(answer.headers.get("cache-control")).toBe("s-maxage=31536000");
    });

    it("let no error page be kept, wherever it is", async () => {
      const missing: Handler = async (_request, response) => {
        response.setHeader("Cache-Control", "public, max-age=31536000");
        response.writeHead(404).end();
      };
      const answer = await get(await open(missing), "/_next/static/gone.js");
      expect(answer.headers.get("cache-control")).toBe("no-store");
    });
  });

  describe("X1: a body has an end", () => {
    it.each([
      [1024 * 1024, 200],
      [1024 * 1024 + 1, 413],
    ])("of %s bytes it is answered with %i, before it is read", async (length, status) => {
      const lines = [`Content-Length: ${length}`];
      const answer = await get(await open(page), "/sandbox/workshop", lines, "POST");
      expect(answer.status).toBe(status);
      expect(answer.headers.get("x-frame-options")).toBe("DENY");
    });
  });
});

describe("forms and headers of the browser host", () => {
  const page: Handler = async (_request, response) => {
    response.setHeader("Content-Type", "text/html");
    response.setHeader("Cache-Control", "s-maxage=31536000");
    response.end("ana");
  };

  function answering(type: string, status: number): Handler {
    return async (_request, response) => {
      const kept = {
        "cache-control": "public, max-age=60",
        vary: "rsc",
        "x-frame-options": "ALLOW",
      };
      response.writeHead(status, { "content-type": type, ...kept }).end("ana");
    };
  }

  describe("P2: a call of a server action", () => {
    const form = ["Content-Type: multipart/form-data; boundary=x", "Content-Length: 0"];

    it.each(["/permissions", "/sign-in?to=/permissions", "/authorise/x", "/", "/%zz"])(
      "reaches no page of the PSU's: %s",
      async (path) => {
        for (const lines of [form, ["content-type:  MULTIPART/form-data;boundary=x"]]) {
          const answer = await get(await open(echo), path, lines, "POST");
          expect(answer.status).toBe(415);
          expect(answer.body).not.toContain("url");
          expect(answer.headers.get("x-frame-options")).toBe("DENY");
        }
      },
    );

    it("reaches the sandbox's workshop alone; other forms arrive everywhere", async () => {
      const workshop = await get(await open(echo), "/sandbox/workshop", form, "POST");
      expect(JSON.parse(workshop.body).url).toBe("/sandbox/workshop");
      const plain = ["Content-Type: application/x-www-form-urlencoded", "Content-Length: 0"];
      const sent = await get(await open(echo), "/sign-in/code", plain, "POST");
      expect(JSON.parse(sent.body).url).toBe("/sign-in/code");
    });

    it.each(["next-action: 7f", "RSC: 1", "Next-Router-Prefetch: 1", "Next-Router-State-Tree: x"])(
      "nor does %s arrive",
      async (line) => {
        const { headers } = JSON.parse((await get(await open(echo), "/permissions", [line])).body);
        expect(headers).not.toHaveProperty(String(line.split(":")[0]).toLowerCase());
      },
    );
  });

  describe("the headers of an answer", () => {
    const answers: readonly (readonly [string, Handler])[] = [
      ["a page", page],
      ["a download", answering("text/csv; charset=utf-8", 200)],
      ["an answer to a script", answering("application/json", 200)],
      ["a redirect", answering("text/html", 303)],
      ["a page that is not there", answering("text/html", 404)],
      ["a fault", answering("text/plain", 500)],
    ];

    it.each(answers)("P3: let nobody put %s into a page of theirs", async (_what, handle) => {
      const { headers } = await get(await open(handle), "/permissions");
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("x-frame-options")).toBe("DENY");
    });

    it.each(answers)(
      "P14: let nobody keep %s, whatever it says of itself",
      async (_what, handle) => {
        const { headers } = await get(await open(handle), "/permissions/permissions.csv");
        expect(headers.get("cache-control")).toBe("no-store");
        expect(headers.get("vary")).toBeNull();
      },
    );
  });
});

describe("the scripts of a page", () => {
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
});

describe("an outage during a request", () => {
  const html = "<!doctype html><title>Not now</title>";

  /** A page that handles an outage at `/outage` itself, and redirects. */
  const pages: Handler = async (request, response) => {
    const note = outageRecorder();
    await new Promise(setImmediate);
    if (request.url === "/outage") note();
    response.setHeader("set-cookie", "outcome=fault");
    response.writeHead(303, { location: "/done", "content-type": "text/html" });
    response.end("<p>See other</p>");
  };

  const open = async () => ({
    port: await openHost({
      handle: answeringOutages(pages, { html: () => html, https: true }),
      broken: () => "",
    }),
  });

  it("after an outage a request is 503 with Retry-After and the page that says to try again", async () => {
    const answer = await get(await open(), "/outage", ["Accept: text/html,*/*"]);
    expect([answer.status, answer.body]).toEqual([503, html]);
    expect(answer.headers.get("retry-after")).toBe("2");
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-security-policy")).toMatch(/default-src 'none'/);
    expect(answer.headers.get("strict-transport-security")).toMatch(/max-age/);
    for (const name of ["location", "set-cookie"]) expect(answer.headers.get(name)).toBeNull();
  });

  it("as JSON unless HTML is accepted", async () => {
    const answer = await get(await open(), "/outage");
    expect(answer.status).toBe(503);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(JSON.parse(answer.body)).toEqual({
      error: "the bank cannot answer at the moment, try again",
    });
  });

  it("a concurrent request without an outage is answered as it is", async () => {
    const host = await open();
    const both = await Promise.all([get(host, "/outage"), get(host, "/", ["Accept: text/html"])]);
    expect(both.map(({ status }) => status)).toEqual([503, 303]);
    expect(both[1]?.headers.get("location")).toBe("/done");
  });
});

describe("the configuration of Next", () => {
  it("P3: what Next serves by itself has the security headers of the browser host", async () => {
    const rules = await config.headers?.();
    const [rule] = rules ?? [];
    expect(rules?.map(({ source }) => source)).toEqual(["/:path*"]);
    const given = rule?.headers.map(({ key, value }) => [key, value]) ?? [];
    expect(Object.fromEntries(given)).toEqual(securityHeaders(contentSecurityPolicy, false));
  });
});
