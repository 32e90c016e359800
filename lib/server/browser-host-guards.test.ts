import { describe, expect, it } from "vitest";
import { browserHost } from "./browser-host";
import { echo, openHost } from "./testing/host";
import { get } from "./testing/raw-request";
import type { Handler } from "./tpp-host";

async function open(handle: Handler) {
  const webUrl = new URL("http://localhost:3000");
  const host = browserHost(handle, { webUrl, publicFiles: new Set(), addressOf: () => undefined });
  return { port: await openHost({ setting: "WEB_PORT", handle: host, broken: () => "" }) };
}

const page: Handler = async (_request, response) => {
  response.setHeader("Content-Type", "text/html");
  response.setHeader("Cache-Control", "s-maxage=31536000");
  response.end("ana");
};

function answering(type: string, status: number): Handler {
  return async (_request, response) => {
    const kept = { "cache-control": "public, max-age=60", vary: "rsc", "x-frame-options": "ALLOW" };
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

  it("reaches the sandbox's desk alone; other forms go where they are sent", async () => {
    const desk = await get(await open(echo), "/sandbox/workshop", form, "POST");
    expect(JSON.parse(desk.body).url).toBe("/sandbox/workshop");
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

  it.each(answers)("P14: let nobody keep %s, whatever it says of itself", async (_what, handle) => {
    const { headers } = await get(await open(handle), "/permissions/permissions.csv");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("vary")).toBeNull();
  });
});
