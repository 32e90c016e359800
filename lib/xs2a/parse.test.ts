import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import type { Rejection } from "@/lib/domain/errors";
import { now } from "@/lib/domain/testing/samples";
import type { IsoDate } from "@/lib/domain/values";
import { type Form, type HeaderSchemaContext, schemaContextOn } from "./declaration";
import { orMissing, parse } from "./parse";
import { portsOf, thrown } from "./testing/tpp";
import { redirectHeaders } from "./wire/common";
import { accountConsentRequest } from "./wire/consents";

const schemaContext = schemaContextOn("2026-11-20" as IsoDate, await portsOf());

const ports = await portsOf();

describe("parse", () => {
  const sent = new Headers({ "consent-id": "1", "x-more": "2", accept: "text/plain" });
  const headersBy = <Value>(form: z.ZodType<Value>) => parse("header", form, sent, schemaContext);

  describe("the headers of a request", () => {
    const form = z.object({ "consent-id": z.string(), "psu-id": z.string().optional() });

    it("are those that the form names and the request has", () => {
      expect(headersBy(form)).toStrictEqual({ "consent-id": "1" });
    });

    it("that are missing are named as the standard spells them", () => {
      const demanding = z.object({ "psu-ip-address": z.string(), "consent-id": z.literal("2") });
      expect(thrown(() => headersBy(demanding))).toMatchObject({
        status: 400,
        faults: [{ path: "PSU-IP-Address" }, { path: "Consent-ID" }],
      });
    });
  });

  describe("the query of a request", () => {
    const form = z.strictObject({ limit: z.string().optional() });
    const queryOf = (text: string) =>
      parse("query", form, new URLSearchParams(text), schemaContext);

    it("may be empty, and has no parameter that the form does not name, nor one twice", () => {
      expect(queryOf("")).toStrictEqual({});
      expect(queryOf("limit=1")).toStrictEqual({ limit: "1" });
      expect(thrown(() => queryOf("limit=1&limit=2"))).toMatchObject({
        faults: [{ path: "limit" }],
      });
      expect(thrown(() => queryOf("constructor"))).toMatchObject({
        faults: [{ path: "constructor" }],
      });
    });

    it("X14: is read once, however many parameters there are", () => {
      const lenient = z.object({ limit: z.string().optional() });
      const names = Array.from({ length: 4_000 }, (_, at) => at.toString(36));
      const sent = new URLSearchParams(names.join("&"));
      const looksForOne = vi.spyOn(sent, "getAll");
      parse("query", lenient, sent, schemaContext);
      expect(looksForOne).not.toHaveBeenCalled();
    });
  });
});

describe("a 400 says which part is wrong, what is needed and what was sent", () => {
  const today = now.toISOString().slice(0, 10) as never;
  const schemaContext = { ...ports, today, redirectDomains: undefined };

  /** The error texts of the answer, one for each fault. */
  function faultTexts(
    part: "header" | "body",
    form: Form<unknown, HeaderSchemaContext>,
    sent: unknown,
  ) {
    try {
      parse(part, form, sent, schemaContext);
    } catch (error) {
      return (error as Rejection).faults.map(({ text }) => text);
    }
    return [];
  }

  const consent = { access: {}, recurringIndicator: true, validUntil: "2026-12-01" };
  const whole = { ...consent, frequencyPerDay: 4, combinedServiceIndicator: false };
  const ofBody = (body: unknown) => faultTexts("body", accountConsentRequest, body);

  it.each<readonly [sent: Readonly<Record<string, unknown>>, text: string]>([
    [{ recurringIndicator: "true" }, 'recurringIndicator is not a boolean; "true" was sent'],
    [{ frequencyPerDay: 5 }, "frequencyPerDay is at most 4; 5 was sent"],
    [{ frequencyPerDay: null }, "frequencyPerDay is not a whole number; null was sent"],
    [{ validUntil: "01.12.2026" }, 'validUntil is not a date YYYY-MM-DD; "01.12.2026" was sent'],
    [{ validUntil: ["x"] }, "validUntil is not a date YYYY-MM-DD; a list was sent"],
    [{ access: "all" }, 'access is not an object; "all" was sent'],
    [{ access: undefined }, "access is missing"],
    [{ access: { accounts: {} } }, "access.accounts is not a list; an object was sent"],
    [
      { access: { accounts: [{ iban: 12 }] } },
      "access.accounts[0].iban is not an IBAN; 12 was sent",
    ],
    [{ access: { acounts: [] } }, "acounts is not supported"],
    [{ "a\u0000b\ud800": 1 }, "a?b? is not supported"],
    [{ ["x".repeat(71)]: 1 }, `${"x".repeat(70)}… is not supported`],
  ])("of %j", (sent, text) => {
    expect(ofBody({ ...whole, ...sent })).toEqual([text]);
  });

  it("of a long text its length: it may be the number of an account or a card", () => {
    const iban = "RO49 AAAA 1B31 0075 9384 0000";
    const text = "access.accounts[0].iban is not an IBAN; a text of 29 characters was sent";
    expect(ofBody({ ...whole, access: { accounts: [{ iban }] } })).toEqual([text]);
  });

  it("of a rule about several parts no more than the rule", () => {
    const form = z
      .object({ one: z.object({}), two: z.object({}) })
      .refine(() => false, { path: ["two"], error: "is the same as one" });
    expect(faultTexts("body", form, { one: {}, two: {} })).toEqual(["two is the same as one"]);
  });

  it("of a rule without its own text what the schema says", () => {
    const form = z.object({ code: z.string().min(3), list: z.array(z.string()).max(1) });
    expect(faultTexts("body", form, { code: "a", list: ["b", "c"] })).toEqual([
      expect.stringMatching(/^code is not accepted: Too small.*; "a" was sent$/),
      "list has more than 1 entries; a list was sent",
    ]);
  });

  it.each<readonly [form: z.ZodType, sent: unknown, text: string]>([
    [z.enum(["booked", "pending"]), "x", 'is one of booked, pending; "x" was sent'],
    [z.enum(["booked", "pending"]), undefined, "is missing"],
    [z.int(), 1.5, "is not a whole number; 1.5 was sent"],
    [z.int().min(1), 0, "is at least 1; 0 was sent"],
    [z.int().max(31), 32, "is at most 31; 32 was sent"],
    [z.uuid(), "x", 'is not a UUID; "x" was sent'],
    [z.iso.date(), "x", 'is not a date YYYY-MM-DD; "x" was sent'],
  ])("of a common rule without its own text words of this interface: %#", (form, sent, text) => {
    expect(faultTexts("body", z.object({ part: form }), { part: sent })).toEqual([`part ${text}`]);
  });

  it("of headers by the names that the standard writes", () => {
    const headers = { "psu-ip-address": "999.1.1.1", "tpp-redirect-uri": "/cb" };
    expect(
      faultTexts("header", redirectHeaders, new Headers({ ...headers, "psu-id": "x".repeat(300) })),
    ).toEqual([
      'PSU-IP-Address is not an IP address; "999.1.1.1" was sent',
      "PSU-ID has more than 200 characters; a text of 300 characters was sent",
      'TPP-Redirect-URI is not an absolute https URI; "/cb" was sent',
    ]);
  });

  it("of what is not there that it is missing, the body too", () => {
    const form = z.object({ name: z.string(orMissing("is not a text")) });
    expect(faultTexts("body", form, {})).toEqual(["name is missing"]);
    expect(ofBody(undefined)).toEqual(["the body is missing: a JSON object is needed"]);
    expect(ofBody([])).toEqual(["the body is not a JSON object"]);
  });
});
