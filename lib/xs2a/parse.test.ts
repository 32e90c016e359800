import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { IsoDate } from "@/lib/domain/iso-date";
import { circumstancesOn } from "./circumstances";
import { parse } from "./parse";
import { thrown } from "./testing/refusal";
import { portsOf } from "./testing/tpp";

const circumstances = circumstancesOn("2026-11-20" as IsoDate, await portsOf());
const sent = new Headers({ "consent-id": "1", "x-more": "2", accept: "text/plain" });
const headersBy = <Value>(form: z.ZodType<Value>) => parse("header", form, sent, circumstances);

describe("the headers of a request", () => {
  const form = z.object({ "consent-id": z.string(), "psu-id": z.string().optional() });

  it("are those that the form names and the request has", () => {
    for (const _ of [1, 2]) expect(headersBy(form)).toStrictEqual({ "consent-id": "1" });
  });

  it("that are missing are told by the name that the standard gives them", () => {
    const demanding = z.object({ "psu-ip-address": z.string(), "consent-id": z.literal("2") });
    expect(thrown(() => headersBy(demanding))).toMatchObject({
      status: 400,
      faults: [{ path: "PSU-IP-Address" }, { path: "Consent-ID" }],
    });
  });

  it("are all there for a form that judges those that it does not name", () => {
    expect(headersBy(z.looseObject({ "consent-id": z.string() }))).toMatchObject({ "x-more": "2" });
    const strict = z.strictObject({ "consent-id": z.string() });
    expect(thrown(() => headersBy(strict))).toMatchObject({
      faults: [{ path: "Accept" }, { path: "X-More" }],
    });
    expect(headersBy(form.transform(Object.keys))).toEqual(["consent-id"]);
    expect(headersBy(z.record(z.string(), z.string()))).toHaveProperty("x-more");
  });
});

describe("the query of a request", () => {
  const form = z.strictObject({ limit: z.string().optional() });
  const queryOf = (text: string) => parse("query", form, new URLSearchParams(text), circumstances);

  it("may be empty, and has no parameter that the form does not name, nor one twice", () => {
    expect(queryOf("")).toStrictEqual({});
    expect(queryOf("limit=1")).toStrictEqual({ limit: "1" });
    expect(thrown(() => queryOf("limit=1&limit=2"))).toMatchObject({ faults: [{ path: "limit" }] });
    expect(thrown(() => queryOf("constructor"))).toMatchObject({
      faults: [{ path: "constructor" }],
    });
  });
});
