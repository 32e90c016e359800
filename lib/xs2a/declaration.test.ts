import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { IsoDate } from "@/lib/domain/values";
import { presentedQwac } from "@/lib/eidas/client-certificate";
import type { Qwac } from "@/lib/eidas/qwac-qsealc";
import {
  type FormByPath,
  headerSchemaContext,
  type SchemaContext,
  schemaContextOn,
} from "./declaration";
import { bodySchemaOf, parse, schemaOf } from "./parse";
import { certificatesOf, now, portsOf, signedRequest, thrown } from "./testing/tpp";
import { redirectHeaders } from "./wire/common";

const today = "2026-11-20" as IsoDate;
const tomorrow = "2026-11-21" as IsoDate;
const strict = { ...(await portsOf()), redirectUriDomainCheck: "strict" } as const;
const { headers } = signedRequest(await certificatesOf());
const qwac = presentedQwac(headers.get("client-cert") ?? undefined, strict.trustAnchors, now);
const holder = (...dnsNames: readonly string[]) => named("Example TPP", ...dnsNames);
const named = (commonName: string, ...dnsNames: readonly string[]): Qwac => ({
  ...qwac,
  certificate: { ...qwac.certificate, commonName, dnsNames },
});
const refusalFor = (asking: Qwac, uri: string) => {
  const schemaContext = headerSchemaContext(asking, schemaContextOn(today, strict), strict);
  const sent = new Headers({ "psu-ip-address": "192.0.2.1", "tpp-redirect-uri": uri });
  return thrown(() => parse("header", redirectHeaders, sent, schemaContext));
};

/** A form that says how often it was made. */
function counted() {
  let made = 0;
  const form = ({ today }: SchemaContext) => {
    made += 1;
    return z.literal(today);
  };
  return { form, made: () => made };
}

describe("the form of a request", () => {
  it("is made once a day, and again on the next", () => {
    const { form, made } = counted();
    const schemas = [today, today, tomorrow].map((day) =>
      schemaOf(form, schemaContextOn(day, strict)),
    );
    expect(made()).toBe(2);
    const fits = schemas.map((schema) => schema.safeParse(tomorrow).success);
    expect(fits).toEqual([false, false, true]);
  });

  it("is never shared with another form or another path", () => {
    const schemaContext = schemaContextOn(today, strict);
    const ofPath: FormByPath<string, string> = {
      forms: () => ({ a: z.literal("a"), b: z.literal("b") }),
      nameOf: (path) => path,
    };
    for (const path of ["a", "b", "a"]) {
      expect(bodySchemaOf(ofPath, schemaContext, path).safeParse(path).success).toBe(true);
    }
    expect(bodySchemaOf(ofPath, schemaContext, "a").safeParse("b").success).toBe(false);
    expect(schemaOf(() => z.literal(1), schemaContext).safeParse(1).success).toBe(true);
    expect(schemaOf(() => z.literal(2), schemaContext).safeParse(1).success).toBe(false);
  });

  it("O12: holds each TPP to the domains of its own certificate, whichever TPP called before", () => {
    const [one, two] = [holder("one.example"), holder("two.example")];
    const [first, second] = ["https://one.example/cb", "https://two.example/cb"] as const;
    expect(refusalFor(one, first)).toBeUndefined();
    expect(refusalFor(two, first)).toMatchObject({ status: 400 });
    expect(refusalFor(two, second)).toBeUndefined();
    expect(refusalFor(one, second)).toMatchObject({ status: 400 });
    expect(refusalFor(holder(), first)).toMatchObject({ status: 400 });
    expect(refusalFor(holder("one.example", "two.example"), first)).toBeUndefined();
    expect(refusalFor(holder("one.example,two.example"), first)).toMatchObject({ status: 400 });
  });

  it("they are known where the bank only warns, but in a sandbox", () => {
    const warning = { redirectUriDomainCheck: "warn" } as const;
    const one = holder("one.example");
    const contextOf = (sandbox: boolean) =>
      headerSchemaContext(one, schemaContextOn(today, { ...strict, sandbox }), warning);
    const onlyWarnsOfDomains = true;
    expect(contextOf(false)).toMatchObject({
      redirectDomains: ["one.example"],
      onlyWarnsOfDomains,
    });
    expect(contextOf(true).redirectDomains).toBeUndefined();
  });

  it("O12: the domains of a certificate are those of its SubjectAltName and of its common name", () => {
    const both = named("One.example", "two.example");
    for (const host of ["one.example", "a.one.example", "two.example"])
      expect(refusalFor(both, `https://${host}/cb`)).toBeUndefined();
    expect(refusalFor(named("*.one.example"), "https://a.one.example/cb")).toBeUndefined();
    for (const name of ["example", "Example TPP", "a one.example", "one.example/", ".example", "*"])
      expect(refusalFor(named(name), "https://one.example/cb")).toMatchObject({ status: 400 });
  });
});
