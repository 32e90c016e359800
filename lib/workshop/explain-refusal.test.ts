import { beforeAll, describe, expect, it, vi } from "vitest";
import { GET } from "@/app/(xs2a)/open-banking/support/v1/requests/[requestId]/route";
import type { Explanation } from "@/lib/domain/refused-requests";
import { refusedRequestStore } from "@/lib/postgres/refused-requests";
import { fileDatabase } from "@/lib/postgres/testing";
import { refusedRequestLog } from "@/lib/xs2a/refused-request-log";
import { own, ports, run } from "@/lib/xs2a/testing/requests";
import { certificatesOf, now, signedRequest } from "@/lib/xs2a/testing/tpp";
import { explain } from "./explain";
import { explainRefusal } from "./explain-refusal";
import { presentedBy, rawText } from "./testing";

const database = fileDatabase({ max: 4 });
const means = { ...ports, now };
const state = vi.hoisted(() => ({ services: (): unknown => undefined }));
vi.mock("@/lib/services", () => ({ services: () => state.services() }));

type Answer = {
  readonly refusals: readonly ({ readonly text: string; readonly path: string } & Explanation)[];
};

describe("W1: a TPP asks why its request was refused, without the sandbox", () => {
  let production: typeof ports;
  let other: typeof own;
  beforeAll(async () => {
    const { db } = await database;
    const refusedRequests = refusedRequestStore(db);
    const store = { ...refusedRequests, keep: vi.fn(refusedRequests.keep) };
    const log = refusedRequestLog({
      store,
      explain: ({ at, ...refused }) => explainRefusal(refused, { ...ports, now: at }),
      perMinuteMax: () => 100,
      onFault: (error) => {
        throw error;
      },
    });
    production = { ...ports, sandbox: false, refusedRequests, refusedRequestLog: log };
    state.services = () => production;
    other = await certificatesOf("PSDRO-NBR-7654321", ["PSP_PI"]);
  });

  /** As it is once the refusals that were gathered have been written. */
  const asked = async (requestId: string, from = own) => {
    const request = signedRequest(from, { headers: { "x-request-id": crypto.randomUUID() } });
    const { status, body } = await GET.answer(request, { requestId });
    return { status, answer: JSON.parse(String(body)) as Answer, text: String(body) };
  };
  const refusedAs = async (request: Request) => {
    const requestId = String(request.headers.get("x-request-id"));
    const copy = request.clone();
    expect((await run(request, production)).status).toBeGreaterThanOrEqual(400);
    const found = await vi.waitFor(async () => {
      const { status, answer, text } = await asked(requestId);
      expect(status).toBe(200);
      return { answer, text };
    }, 10_000);
    const steps = await explain(presentedBy(await rawText(copy)), means);
    return { ...found, requestId, step: steps.find(({ verdict }) => verdict.kind === "failed") };
  };
  const post = (headers: Readonly<Record<string, string>> = {}) => ({
    body: '{"word":"hello"}',
    headers: {
      "x-request-id": crypto.randomUUID(),
      "tpp-redirect-uri": "https://tpp.example/back?state=1",
      ...headers,
    },
  });

  it.each([
    ["a digest", () => signedRequest(own, { ...post(), forged: { digest: "SHA-256=AAAA" } })],
    ["an old date", () => signedRequest(own, post({ date: "Fri, 20 Nov 2026 09:00:00 GMT" }))],
    ["a header not covered", () => signedRequest(own, { ...post(), signed: ["digest", "date"] })],
    ["no JSON", () => signedRequest(own, { ...post(), forged: { "content-type": "text/plain" } })],
  ])("the workshop's explanation: %s", async (_name, make) => {
    const { answer, step } = await refusedAs(make());
    const [refused, ...more] = answer.refusals;
    expect(more).toEqual([]);
    expect(refused?.check).toBe(step?.title);
    expect(refused?.facts).toEqual(step?.facts.map(({ label, value }) => ({ label, value })));
    expect(step?.verdict).toMatchObject({ refusal: { text: refused?.text } });
  });

  it("never the signature, a token, or what was signed about a PSU", async () => {
    const secrets = {
      "psu-id": "ana.popescu",
      authorization: "Bearer eyJhbGciOi.secret.token",
      "psu-ip-address": "198.51.100.77",
    };
    const signed = ["digest", "x-request-id", "date", "tpp-redirect-uri", ...Object.keys(secrets)];
    const forged = { "tpp-redirect-uri": "https://tpp.example/back?code=SECRETCODE" };
    const { answer, text } = await refusedAs(
      signedRequest(own, { ...post(secrets), signed, forged }),
    );
    expect(answer.refusals[0]?.check).toBe("Signature over the signing string");
    const { value } =
      answer.refusals[0]?.facts.find(({ label }) => label === "Signing string") ?? {};
    expect(value).toContain("psu-id: (hidden)");
    for (const secret of [...Object.values(secrets), "secret.token", "SECRETCODE"])
      expect(text).not.toContain(secret);
    const unreadable = signedRequest(own, post());
    const signature = String(unreadable.headers.get("signature")).replace("keyId", "key");
    const later = await refusedAs(signedRequest(own, { ...post(), forged: { signature } }));
    expect(later.answer.refusals[0]?.check).toBe("Signature header");
    const [, sent] = /signature="([^"]+)"/.exec(signature) ?? [];
    expect(later.text).not.toContain(sent);
  });

  it("of what only the endpoint checks, the rule and each part that is wrong", async () => {
    const wrong = { ...post(), body: '{"word":1,"iban":"RO06DRWB0001000000000101"}' };
    const { answer, text } = await refusedAs(signedRequest(own, wrong));
    expect(answer.refusals[0]).toMatchObject({
      check: "Form of the request",
      facts: [{ label: "Rule" }, { label: "word" }, { label: "iban" }],
    });
    expect(text).not.toContain("RO06DRWB");
  });

  it("another TPP's request is as unknown as none, and one asks in whatever role", async () => {
    const { requestId } = await refusedAs(signedRequest(own, { ...post(), without: ["digest"] }));
    const unknown = [
      await asked(requestId, other),
      await asked(crypto.randomUUID()),
      await asked("x"),
    ];
    expect(unknown.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(unknown.map(({ text }) => text)).size).toBe(1);
  });
});
