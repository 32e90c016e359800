import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { after } from "@/lib/domain/clock";
import { own, ports } from "@/lib/xs2a/testing/echo";
import { now, signedRequest } from "@/lib/xs2a/testing/tpp";
import { explain } from "./explain";
import { readPaste } from "./read-paste";
import { refusalIn, type Step } from "./step";
import { presentedBy, rawText } from "./testing/raw";
import { withoutSecrets } from "./without-secrets";

const means = { ...ports, now };
const body = '{"word":"hello"}';
const post = { body, headers: { "tpp-redirect-uri": "https://tpp.example/back" } };

const walk = async (request: Request) => explain(presentedBy(await rawText(request)), means);
const titled = (steps: readonly Step[], title: string): Step => {
  const found = steps.find((step) => step.title === title);
  if (found === undefined) throw new Error(`no step ${title}`);
  return found;
};
const fact = (step: Step, label: string) =>
  step.facts.find((found) => found.label === label)?.value;

describe("what a person has to know to read the answer", () => {
  it("a signature covers the access token: it is hidden, and once hidden not judged", async () => {
    const signed = ["digest", "x-request-id", "date", "authorization"];
    const headers = { authorization: "Bearer ey.J.x" };
    const text = await rawText(signedRequest(own, { signed, headers }));
    const steps = await explain(presentedBy(text), means);
    expect(refusalIn(steps)).toBeUndefined();
    expect(JSON.stringify(steps)).not.toContain("ey.J.x");
    const signing = titled(steps, "Signature over the signing string");
    expect(fact(signing, "Signing string")).toMatch(/\nauthorization: Bearer \(hidden\)$/);
    const again = await explain(presentedBy(withoutSecrets(text)), means);
    expect(refusalIn(again)).toBeUndefined();
    expect(titled(again, "Signature over the signing string").verdict.kind).toBe("not judged");
  });

  it("an access token in the address is hidden", async () => {
    const steps = await explain(
      presentedBy("GET /open-banking/v3.1/aisp/v1/x?access_token=abc"),
      means,
    );
    expect(JSON.stringify(steps)).not.toContain("abc");
  });

  it("no certificate came with the request: where it may stand is told", async () => {
    const steps = await walk(signedRequest(own, { without: ["client-cert"] }));
    const none = "none, neither in the header Client-Cert nor beside the request";
    expect(fact(titled(steps, "Client certificate (QWAC)"), "Certificate")).toBe(none);
  });

  it("the body has not the bytes that were sent: both numbers are told", async () => {
    const request = signedRequest(own, { ...post, headers: { "content-length": "20" } });
    expect(fact(titled(await walk(request), "Request"), "Bytes of the body")).toBe(
      "16, where Content-Length says 20",
    );
  });

  it("the request is older than a signature is good for: it can be judged by another time", async () => {
    const text = await rawText(signedRequest(own, post));
    const late = (seconds: number) => ({ ...means, now: after(now, seconds, "second") });
    const said = async (seconds: number) =>
      fact(titled(await explain(presentedBy(text), late(seconds)), "Date"), "If it was sent then");
    expect(await said(300)).toBeUndefined();
    expect(await said(301)).toContain("say when it arrived");
  });
});

it("whatever is pasted ends in steps or in a fault, never in an error", async () => {
  const text = await rawText(signedRequest(own, post));
  const lines = text.split("\r\n");
  const line = fc.oneof(fc.constantFrom(...lines), fc.string({ unit: "binary" }), fc.string());
  const spoilt = fc.record({ at: fc.nat(text.length), with: fc.string({ unit: "binary" }) });
  const pasted = fc.oneof(
    fc.array(line, { maxLength: 14 }).map((all) => all.join("\r\n")),
    spoilt.map((one) => text.slice(0, one.at) + one.with + text.slice(one.at + 1)),
  );
  await fc.assert(
    fc.asyncProperty(pasted, fc.option(fc.string()), async (request, certificate) => {
      const paste = { request: Buffer.from(request), certificate: certificate ?? undefined };
      const read = readPaste(paste);
      if ("fault" in read) expect(read.fault.text).not.toBe("");
      else expect((await explain(read.presented, means)).length).toBeGreaterThan(1);
    }),
    { numRuns: 500 },
  );
});
