import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { messageCodes } from "@/lib/domain/message-codes";
import { Rejection } from "@/lib/domain/rejection";
import { problemSent, refusalSent } from "../refusal-forms";
import { faults, IBAN, sound } from "../testing/consent-request";
import { own, refusal } from "../testing/echo";
import { signedRequest } from "../testing/tpp";
import { problemDocument, tppMessages } from "../tpp-messages";
import { headersOfEveryCall } from "./every-call";
import { document } from "./testing/described";

const consents = "/paths/~1open-banking~1v3.1~1aisp~1v1~1consents/post";
const ajv = new Ajv2020({ strict: false });
addFormats(ajv);
ajv.addSchema(document, "bank");
const fits = ajv.getSchema(`bank#${consents}/requestBody/content/application~1json/schema`);

describe("the description of a request", () => {
  it("has what the bank takes", () => {
    const bodies = [
      sound,
      { ...sound, access: { accounts: [{ iban: IBAN.toLowerCase(), currency: "RON" }] } },
      { ...sound, access: { allPsd2: "allAccountsWithOwnerName", restrictedTo: ["CACC"] } },
      { ...sound, access: { additionalInformation: { trustedBeneficiaries: [1, { a: [] }] } } },
    ];
    for (const body of bodies) expect(fits?.(body), JSON.stringify(fits?.errors)).toBe(true);
    expect(bodies.slice(0, 3).flatMap(faults)).toEqual([]);
  });

  it.each([
    ...Object.keys(sound).map((name) => ({ ...sound, [name]: undefined })),
    { ...sound, access: { accounts: [{ bban: "1" }] } },
    { ...sound, access: { accounts: Array(51).fill({ iban: IBAN }) } },
    { ...sound, access: { allPsd2: "some" } },
    { ...sound, access: "all" },
    { ...sound, frequencyPerDay: 5 },
    { ...sound, frequencyPerDay: 1.5 },
    { ...sound, validUntil: "2027-02-30" },
    { ...sound, recurringIndicator: "yes" },
    { ...sound, surprise: 1 },
    [],
    "text",
  ])("refuses nothing that the bank would take: %j", (body) => {
    const sent: unknown = JSON.parse(JSON.stringify(body));
    expect(fits?.(sent)).toBe(false);
    expect(faults(sent)).not.toEqual([]);
  });

  it.each(headersOfEveryCall)("demands $name, as the pipeline does", async ({ name, required }) => {
    expect(required).toBe(true);
    const { status } = await refusal(signedRequest(own, { without: [name.toLowerCase()] }));
    expect([400, 401]).toContain(status);
  });
});

describe("the description of a refusal", () => {
  it("has every refusal that can be written, in both forms", () => {
    const faulty = Object.keys(messageCodes).map((name) => {
      return { code: name as keyof typeof messageCodes, text: "x".repeat(900), path: "a[0].b" };
    });
    const [first, ...others] = faulty;
    if (first === undefined) throw new Error("there are no codes");
    const written = { ...tppMessages(faulty) };
    expect(refusalSent.parse(written)).toEqual(written);
    const problem = problemDocument(new Rejection(400, [first, ...others]));
    expect(problemSent.parse(problem)).toEqual(problem);
  });
});
