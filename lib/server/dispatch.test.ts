import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { getRouteMatcher } from "next/dist/shared/lib/router/utils/route-matcher";
import { getRouteRegex } from "next/dist/shared/lib/router/utils/route-regex";
import { getSortedRoutes } from "next/dist/shared/lib/router/utils/sorted-routes";
import { describe, expect, it } from "vitest";
import type { HttpRequest } from "@/lib/xs2a/http";
import {
  dispatcher,
  lightRequest,
  type RouteFiles,
  type RouteHandler,
  routeFinder,
} from "./dispatch";
import { expectFault, get, openTppHost, sendRaw } from "./testing";

describe("the dispatcher", () => {
  const origin = "https://bank.example";

  /** Answers with what it was given, by `Request` and without. */
  const web: RouteHandler = async (request, { params }) => {
    const said = { url: request.url, method: request.method, body: await request.text() };
    const headers = { "content-type": "application/json" };
    const answer = new Response(JSON.stringify({ ...said, ...(await params) }), { headers });
    for (const cookie of ["a=1", "b=2"]) answer.headers.append("set-cookie", cookie);
    return answer;
  };
  const light: RouteHandler = Object.assign(
    () => Promise.reject(new Error("not asked in these words")),
    {
      answer: async (request: HttpRequest, segments: object) => {
        const { url, method, headers } = request;
        const names = ["x-one", "constructor", "__proto__", "x-none"];
        const seen = names.map((name) => [headers.get(name), headers.has(name)]);
        const said = { url, method, seen, body: await bodyOf(request), ...segments };
        return {
          status: 201,
          headers: { "content-type": "application/json", location: "/1" },
          body: JSON.stringify(said),
        };
      },
    },
  );

  async function bodyOf({ body }: HttpRequest): Promise<string | null> {
    if (body === null) return null;
    const reader = body.getReader();
    return text(
      (async function* () {
        for (let part = await reader.read(); !part.done; part = await reader.read()) {
          yield part.value;
        }
      })(),
    );
  }

  const path = "/open-banking/things/1";
  const files: RouteFiles = {
    "/open-banking/things/[id]": { GET: light, HEAD: light, POST: light },
    "/token": { POST: web },
  };
  const open = () => openTppHost(dispatcher(files, origin));
  const post = (target: string, ...lines: readonly string[]) =>
    `POST ${target} HTTP/1.1\r\nHost: evil\r\nConnection: close\r\n${lines.join("\r\n")}`;

  describe("a request that no framework leads", () => {
    it("comes to its route file with path, headers and body as they were sent", async () => {
      const bytes = post(`${path}?a=%20b`, "X-One: 1", "Content-Length: 4", "", "ab\r\n");
      const answer = await sendRaw(await open(), bytes);
      expect(answer.status).toBe(201);
      expect(JSON.parse(answer.body)).toEqual({
        url: `${origin}${path}?a=%20b`,
        method: "POST",
        // What every object has is no header that a caller has sent.
        seen: [["1", true], ...Array(3).fill([null, false])],
        body: "ab\r\n",
        id: "1",
      });
      expect(answer.headers.get("location")).toBe("/1");
      expect(answer.headers.get("content-length")).toBe(String(answer.body.length));
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    });

    it("may send its body in chunks", async () => {
      const chunks = ["Transfer-Encoding: chunked", "", "2", "ab", "1", "c", "0", "", ""];
      const answer = await sendRaw(await open(), post(path, ...chunks));
      expect(JSON.parse(answer.body).body).toBe("abc");
    });

    it("has no body where a Web request can have none", async () => {
      const get = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\nab`;
      const nothing = post(path, "Content-Length: 0", "", "");
      for (const bytes of [get, nothing]) {
        const answer = await sendRaw(await open(), bytes);
        expect([answer.status, JSON.parse(answer.body).body]).toEqual([201, null]);
      }
    });

    it("is answered without a body when it is a HEAD", async () => {
      const answer = await get(await open(), path, [], "HEAD");
      expect([answer.status, answer.body]).toEqual([201, ""]);
      expect(answer.headers.has("content-length")).toBe(false);
    });

    it("is put in the words of the Web for a route file that has no others", async () => {
      const answer = await sendRaw(await open(), post("/token", "Content-Length: 3", "", "a=1"));
      const said = { url: `${origin}/token`, method: "POST", body: "a=1" };
      expect(JSON.parse(answer.body)).toEqual(said);
      expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    });

    it.each([
      ["a path that no route file has", "GET", "/open-banking/other", 404, "RESOURCE_UNKNOWN"],
      ["a method that its route file has not", "DELETE", path, 405, "SERVICE_INVALID"],
    ])("is refused in the standard's form: %s", async (_what, method, target, status, code) => {
      expectFault(await get(await open(), target, [], method), status, code);
    });

    it("is told which methods its route file has, and not what else the file exports", async () => {
      const exported = { GET: web, dynamic: "force-dynamic" } as unknown as { GET: RouteHandler };
      const host = await openTppHost(dispatcher({ "/openapi.json": exported }, origin));
      const { status, headers } = await get(host, "/openapi.json", [], "PUT");
      expect([status, headers.get("allow")]).toEqual([405, "GET"]);
    });

    it("is answered as GET without the body when it is a HEAD that the route file has not", async () => {
      const host = await openTppHost(dispatcher({ "/openapi.json": { GET: web } }, origin));
      const { status, headers, body } = await get(host, "/openapi.json", [], "HEAD");
      expect([status, headers.get("content-type"), body]).toEqual([200, "application/json", ""]);
    });

    it("X8: is answered 500 without a reason when a route file throws", async () => {
      const failing: RouteHandler = () => Promise.reject(new Error("secret internals"));
      const broken = dispatcher({ "/jwks": { GET: failing } }, origin);
      const answer = await get(await openTppHost(broken), "/jwks");
      expectFault(answer, 500, "INTERNAL_SERVER_ERROR");
      expect(answer.body).not.toContain("secret");
    });

    it("whose body nobody read to its end leaves the connection to the next one", async () => {
      const early: RouteHandler = Object.assign(async () => new Response(), {
        answer: async (request: HttpRequest) => {
          await request.body?.getReader().read();
          return { status: 413, headers: { "content-type": "application/json" }, body: "{}" };
        },
      });
      const host = dispatcher(
        { "/open-banking/x": { POST: early }, "/jwks": { GET: web } },
        origin,
      );
      const large = "x".repeat(300_000);
      const one = `POST /open-banking/x HTTP/1.1\r\nHost: x\r\nContent-Length: ${large.length}\r\n\r\n${large}`;
      const next = "GET /jwks HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
      const { body } = await sendRaw(await openTppHost(host), `${one}${next}`);
      expect(body).toContain(`"url":"${origin}/jwks"`);
    });
  });
});

describe("the routes", () => {
  const folders = [
    "/open-banking/[...unknown]",
    "/open-banking/accounts",
    "/open-banking/accounts/[accountId]",
    "/open-banking/accounts/[accountId]/balances",
    "/open-banking/accounts/[accountId]/transactions/[transactionId]",
    "/open-banking/[service]/[product]",
    "/open-banking/[service]/[product]/[...unknown]",
    "/open-banking/[service]/[product]/[paymentId]/status",
    "/open-banking/signing-baskets/[[...unknown]]",
    "/token",
    "/token/revocation",
  ];
  const find = routeFinder(folders);

  /** Next's own reading of the same folders: what is fixed at once, and then the rest in its order. */
  function nexts(path: string) {
    const plain = path.length > 1 ? path.replace(/\/$/, "") : path;
    if (folders.includes(plain) && !plain.includes("[")) return { target: plain, segments: {} };
    for (const target of getSortedRoutes(folders)) {
      const segments = getRouteMatcher(getRouteRegex(target))(plain);
      if (segments !== false) return { target, segments: { ...segments } };
    }
    return undefined;
  }

  describe("the route of a path", () => {
    it.each([
      ["/token/revocation", "/token/revocation", {}],
      ["/open-banking/accounts", "/open-banking/accounts", {}],
      ["/open-banking/accounts/7", "/open-banking/accounts/[accountId]", { accountId: "7" }],
      ["/open-banking/accounts/a%20b", "/open-banking/accounts/[accountId]", { accountId: "a b" }],
      ["/open-banking/signing-baskets", "/open-banking/signing-baskets/[[...unknown]]", {}],
      ["/open-banking/x", "/open-banking/[...unknown]", { unknown: ["x"] }],
      ["/open-banking/%61ccounts", "/open-banking/[...unknown]", { unknown: ["accounts"] }],
    ])("%s is %s", (path, target, segments) => {
      expect(find(path)).toEqual({ target, segments });
    });

    it.each([
      ["%00", "\0"],
      ["a%0Ab", "a\nb"],
      ["a%2Fb", "a/b"],
      ["%2E%2E", ".."],
      ["%zz", "%zz"],
      ["%ff", "%ff"],
    ])("an id may have any characters, broken escapes stay: %s", (sent, accountId) => {
      const target = "/open-banking/accounts/[accountId]/balances";
      const segments = { accountId };
      expect(find(`/open-banking/accounts/${sent}/balances`)).toEqual({ target, segments });
    });

    it.each(["/open-banking/../token", "/open-banking/..%2ftoken", "/open-banking/%2e%2e/token"])(
      "C14: %s leads nowhere else",
      (path) => expect(find(path)?.target).toMatch(/^\/open-banking\//),
    );

    it.each(["/", "/open-banking", "/tokens", "/Token", "/auth"])("%s has none", (path) => {
      expect(find(path)).toBeUndefined();
    });

    it("is the one that Next finds", () => {
      const words = ["open-banking", "accounts", "balances", "transactions", "signing-baskets"];
      const part = fc.constantFrom(
        ...words,
        "status",
        "token",
        "revocation",
        "x",
        "%C8%9B",
        "%61ccounts",
      );
      const end = fc.constantFrom("", "/");
      const rest = fc.array(part, { maxLength: 6 });
      fc.assert(
        fc.property(
          fc.constantFrom("/open-banking", "/token", ""),
          rest,
          end,
          (begin, all, slash) => {
            const path = [begin, ...all].join("/") + slash;
            expect(find(path)).toEqual(nexts(path));
          },
        ),
        { numRuns: 1_000 },
      );
    });
  });
});

describe("the body of a request", () => {
  const origin = "https://bank.example";

  /** A POST of which nothing has come but its headers. */
  function posted(): IncomingMessage {
    const request = new IncomingMessage(new Socket());
    request.method = "POST";
    request.headers["transfer-encoding"] = "chunked";
    return request;
  }

  function end(request: IncomingMessage): void {
    request.push(null);
    request.complete = true;
  }

  const readerOf = (request: IncomingMessage) => {
    const reader = lightRequest(request, origin).body?.getReader();
    if (reader === undefined) throw new Error("there is no body");
    return reader;
  };

  async function readOut(request: IncomingMessage): Promise<readonly string[]> {
    const parts: string[] = [];
    const reader = readerOf(request);
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(String(part.value));
    }
    return parts;
  }

  describe("a body", () => {
    it("that has come whole is read as one, without anybody listening for more", async () => {
      const request = posted();
      request.push("one,");
      request.push("two");
      end(request);
      expect(await readOut(request)).toEqual(["one,two"]);
      expect(request.eventNames()).toEqual([]);
    });

    it("that comes while it is read is read to its end", async () => {
      const request = posted();
      request.push("one,");
      const read = readOut(request);
      setTimeout(() => request.push("two,"), 5);
      setTimeout(() => request.push("three"), 10);
      setTimeout(() => end(request), 15);
      expect((await read).join("")).toBe("one,two,three");
    });

    it("that is at its end between two looks is not read twice, nor cut short", async () => {
      const request = posted();
      request.push("one,");
      const reader = readerOf(request);
      expect(String((await reader.read()).value)).toBe("one,");
      request.push("two");
      end(request);
      expect(String((await reader.read()).value)).toBe("two");
      expect(await reader.read()).toMatchObject({ done: true });
    });

    it("whose connection breaks is none, however much of it has come", async () => {
      const cut = posted();
      cut.push("one,");
      const read = readOut(cut);
      setTimeout(() => cut.destroy(), 5);
      await expect(read).rejects.toThrow();
      const late = posted();
      late.push("one");
      end(late);
      late.destroy();
      await expect(readOut(late)).rejects.toThrow();
    });

    it("of no bytes is none", async () => {
      const request = posted();
      end(request);
      expect(await readOut(request)).toEqual([]);
      const declared = new IncomingMessage(new Socket());
      declared.method = "POST";
      declared.headers["content-length"] = "0";
      expect(lightRequest(declared, origin).body).toBeNull();
    });
  });
});
