import { afterAll, describe, expect, it } from "vitest";
import { testBank } from "@/lib/oauth/testing";
import type { SandboxApiServices } from "@/lib/sandbox/api/declaration";
import { serveSandboxApi } from "@/lib/sandbox/api/serve";
import { newEcho, ports } from "@/lib/xs2a/testing/requests";
import { certificatesOf, signedRequest } from "@/lib/xs2a/testing/tpp";
import { dispatcher, type RouteHandler } from "./dispatch";
import { brokenTppRequest } from "./fault-answer";
import { observingRequests, type SeenRequest } from "./requests-seen";
import { openHost } from "./testing";

const bank = await testBank();
afterAll(() => bank.close());

const echo = newEcho();
const ofStandard: RouteHandler = Object.assign(
  () => Promise.reject(new Error("not asked in these words")),
  { answer: (request: Parameters<typeof echo>[0]) => echo(request, {}, ports) },
);
// What this test sends is refused before either is asked.
const ofNamespaces = { namespaces: {}, sandboxClock: {} } as SandboxApiServices;
const inSandbox = { ...ports, ...ofNamespaces };

const routes = {
  "/echo": { POST: ofStandard },
  "/sandbox/api/v1/[...path]": { POST: (asked: Request) => serveSandboxApi(inSandbox, asked) },
  "/token": { POST: (asked: Request) => bank.server.serve(asked) },
};

/** What is seen of one request. */
async function seen(path: string, request: RequestInit): Promise<SeenRequest | undefined> {
  const all: SeenRequest[] = [];
  const handle = observingRequests(dispatcher(routes, "https://xs2a.bank.example"), [
    (one) => void all.push(one),
  ]);
  const port = await openHost({ handle, broken: brokenTppRequest });
  await (await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", ...request })).text();
  await expect.poll(() => all).toHaveLength(1);
  return all[0];
}

describe("the class of a TPP is that of its certificate as it was accepted", () => {
  it.each([
    [["PSP_AI"], "ais", 200],
    [["PSP_PI"], "pis", 401],
    [["PSP_IC"], "cbpii", 401],
    [["PSP_AI", "PSP_PI"], "several", 200],
    [["PSP_AS", "PSP_PI", "PSP_AI", "PSP_IC"], "several", 200],
    [["PSP_AS"], "several", 401],
  ] as const)("%j: %s, whatever is answered", async (roles, tpp, status) => {
    const body = '{"word":"yes"}';
    const { headers } = signedRequest(await certificatesOf("PSDRO-NBR-3", roles), { body });
    expect(await seen("/echo", { body, headers })).toMatchObject({ tpp, status });
  });

  it("without an accepted certificate there is none", async () => {
    const { headers } = signedRequest(await certificatesOf());
    const unknown = (await bank.tpp("PSDRO-NBR-4")).clientCert;
    headers.set("client-cert", unknown);
    expect(await seen("/echo", { headers })).toMatchObject({ tpp: "none", status: 401 });
    expect(await seen("/echo", {})).toMatchObject({ tpp: "none", status: 401 });
    expect(await seen("/nowhere", {})).toMatchObject({ tpp: "none", status: 404 });
  });

  it("at the token endpoint and in the sandbox's own interface too, and where nothing is offered", async () => {
    const { clientCert } = await bank.tpp("PSDRO-NBR-5", ["PSP_PI"]);
    const body = new URLSearchParams({ grant_type: "password" });
    const headers = { "client-cert": clientCert };
    expect(await seen("/token", { body, headers })).toMatchObject({ tpp: "pis", status: 400 });
    expect(await seen("/token", { body })).toMatchObject({ tpp: "none", status: 401 });
    const known = signedRequest(await certificatesOf("PSDRO-NBR-6", ["PSP_IC"])).headers;
    const sandbox = "/sandbox/api/v1";
    const call = { body: "{", headers: known };
    const tpp = "cbpii";
    expect(await seen(`${sandbox}/psus`, call)).toMatchObject({ tpp, status: 415 });
    expect(await seen(`${sandbox}/nothing`, call)).toMatchObject({ tpp, status: 404 });
    expect(await seen(`${sandbox}/clock`, call)).toMatchObject({ tpp, status: 405 });
  });
});
