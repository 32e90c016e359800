import { X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { TppId } from "@/lib/domain/identifiers";
import { arrivalsBy } from "@/lib/domain/testing/in-memory-arrivals";
import { own, ports, refusal } from "@/lib/xs2a/testing/echo";
import { certificatesOf, now, signedRequest } from "@/lib/xs2a/testing/tpp";
import { explain } from "./explain";
import type { Means } from "./means";
import { refusalIn } from "./step";
import { presentedBy, rawText } from "./testing/raw";

const TITLE = "Stop list of the bank";

/** A bank that has blocked whoever is asked for, and who that was. */
function bank() {
  const asked: string[] = [];
  const find = async (tppId: TppId) => {
    asked.push(tppId);
    return { tppId, blockedAt: now, reason: "suspected of fraud" };
  };
  const stopList = { ...ports.stopList, find };
  const arrivals = arrivalsBy({ ...ports, stopList });
  return { asked, house: { ...ports, stopList, arrivals } };
}

const walk = async (means: Means, pem = own.qwacPem) => {
  const text = await rawText(signedRequest(own, { without: ["client-cert"] }));
  return explain(presentedBy(text, new X509Certificate(pem).raw), means);
};

describe("C6: a blocked TPP's request", () => {
  it("is explained as it is answered", async () => {
    const { house } = bank();
    const steps = await walk({ ...house, now });
    const answer = await refusal(signedRequest(own), house);
    expect(answer).toMatchObject({ ...refusalIn(steps), code: "CERTIFICATE_BLOCKED" });
    expect(steps.find(({ title }) => title === TITLE)?.verdict.kind).toBe("failed");
    expect(JSON.stringify(steps)).not.toContain("fraud");
  });

  it("is not looked up for a certificate that the bank does not trust", async () => {
    const { house, asked } = bank();
    const seal = await walk({ ...house, now }, own.qsealPem);
    const stranger = await walk({ ...house, trustAnchors: [], now });
    for (const steps of [seal, stranger]) {
      expect(steps.find(({ title }) => title === TITLE)?.verdict.kind).toBe("not judged");
    }
    expect(asked).toEqual([]);
  });

  it("is looked up for the TPP of the certificate alone", async () => {
    const { house, asked } = bank();
    await walk({ ...house, now }, (await certificatesOf("PSDRO-NBR-8")).qwacPem);
    expect(asked).toEqual(["PSDRO-NBR-8"]);
  });
});

it("without the bank's list nothing is said of it", async () => {
  const { stopList: _, ...rest } = ports;
  const steps = await walk({ ...rest, now });
  expect(steps.find(({ title }) => title === TITLE)?.verdict).toEqual({
    kind: "not judged",
    because: "Only the bank knows whom it has blocked.",
  });
  expect(refusalIn(steps)).toBeUndefined();
});
