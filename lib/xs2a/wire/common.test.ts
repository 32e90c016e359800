import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { readBalances } from "@/lib/domain/account-access";
import type { Rejection } from "@/lib/domain/errors";
import { openedAccess } from "@/lib/domain/testing/journeys";
import type { IsoDate } from "@/lib/domain/values";
import { log } from "@/lib/log";
import { aspspProfile } from "@/lib/testing-profile";
import { type Form, type HeaderSchemaContext, tokenRule } from "../declaration";
import { endpoint, resource } from "../endpoint";
import { openApi } from "../openapi/document";
import { bank } from "../openapi/testing";
import { parse } from "../parse";
import { accessOf } from "../resource-calls";
import { faultsIn, paymentBank } from "../testing/requests";
import { certificatesOf, portsOf, signedRequest, thrown } from "../testing/tpp";
import { balancesRead } from "./accounts";
import {
  accessHeaders,
  INVISIBLE_CHARACTERS,
  notificationHeaders,
  notificationOf,
  notifiedHeaders,
  paymentHeaders,
  plainHeaders,
  plainText,
  redirectHeaders,
  redirectUriFault,
  served,
} from "./common";
import { fundsHeaders } from "./funds";

const own = await certificatesOf();

const outside = {
  today: "2026-11-20" as IsoDate,
  profile: aspspProfile,
  sandbox: false,
  cursorSecret: "secret",
  redirectDomains: ["tpp.example", "*.other.example"],
  notifies: true,
};

describe("W3: where and of what a TPP is notified", () => {
  const sent = (headers: Readonly<Record<string, string>>, schemaContext = outside) => {
    const always = { "psu-ip-address": "198.51.100.7", "tpp-redirect-uri": "https://tpp.example/" };
    return parse("header", notifiedHeaders, new Headers({ ...always, ...headers }), schemaContext);
  };
  const told = (headers: Readonly<Record<string, string>>, schemaContext = outside) => {
    const read = sent(headers, schemaContext);
    return [notificationHeaders(read)["aspsp-notification-support"], notificationOf(read)];
  };
  const to = (uri: string, preferred?: string) => ({
    "tpp-notification-uri": uri,
    ...(preferred !== undefined && { "tpp-notification-content-preferred": preferred }),
  });

  it("is at a URI within the domains of its QWAC, and nowhere else", () => {
    const uri = "https://api.tpp.example:8443/told?x=1";
    expect(told(to(uri))).toEqual(["true", { uri, content: ["PROCESS"] }]);
    expect(told(to(uri, "status=LAST,SCA"))).toEqual(["true", { uri, content: ["SCA", "LAST"] }]);
    for (const elsewhere of ["https://eviltpp.example/", "https://10.0.0.1/", "https://localhost/"])
      expect(told(to(elsewhere))).toEqual(["false", undefined]);
    expect(told({})).toEqual([undefined, undefined]);
  });

  it.each([
    ...["http://tpp.example/", "javascript:alert(1)", "https://u:p@tpp.example/", ""].map((uri) =>
      to(uri),
    ),
    ...["SCA", "status=", "status=ALL", "status=SCA;LAST"].map((preferred) =>
      to("https://tpp.example/", preferred),
    ),
  ])("%j is no such header", (headers) => {
    expect(() => sent(headers)).toThrow("FORMAT_ERROR");
  });

  it("is not read where the bank notifies nobody", () => {
    const quiet = { ...outside, notifies: false };
    expect(told(to("nonsense", "nonsense"), quiet)).toEqual([undefined, undefined]);
  });

  it("is told to a payment as well", async () => {
    const { bank, start } = await paymentBank();
    const { headers } = await start({ headers: to("https://tpp.example/told", "status=PROCESS") });
    expect(headers.get("aspsp-notification-content")).toBe("status=PROCESS");
    expect([...bank.authorisations.values()].map(({ notification }) => notification)).toEqual([
      { uri: "https://tpp.example/told", content: ["PROCESS"] },
    ]);
  });
});

describe("TPP-Redirect-URI and TPP-Nok-Redirect-URI", () => {
  const sandbox = { ...outside, sandbox: true, redirectDomains: undefined };

  it.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "//evil.example/cb",
    "https:evil.example",
    "/cb",
    "\\\\evil.example",
    "https://tpp.example\\@evil.example",
    "http://tpp.example/cb",
    "ftp://tpp.example",
    "https://user@tpp.example/cb",
    "https://u:p@tpp.example/",
    "https://tpp.example/cb#fragment",
    "https://tpp.example/cb#",
    "https://tpp.example/c b",
    " https://tpp.example/",
    "https://",
    "",
    "https://tpp.example/\u0000",
    "HTTPS//tpp.example",
    "https://tpp.example:99999/",
  ])("O12: %j is refused, in the sandbox as well", (uri) => {
    expect(redirectUriFault(uri, outside)).toBeDefined();
    expect(redirectUriFault(uri, sandbox)).toBeDefined();
  });

  it.each([
    "https://tpp.example/cb",
    "https://a.tpp.example/cb?x=1",
    "https://b.other.example:8443/",
  ])("%s lies within the certificate's domains", (uri) =>
    expect(redirectUriFault(uri, outside)).toBeUndefined(),
  );

  it.each([
    "https://tpp.example.evil.example/",
    "https://eviltpp.example/",
    "https://evil.example/?tpp.example",
  ])("%s lies outside the certificate's domains", (uri) => {
    expect(redirectUriFault(uri, outside)).toContain("outside the domains");
    expect(redirectUriFault(uri, sandbox)).toBeUndefined();
  });

  it("one that lies outside them is logged where the bank only warns", () => {
    const warn = vi.spyOn(log, "warn").mockImplementation(() => undefined);
    const warning = { ...outside, onlyWarnsOfDomains: true };
    expect(redirectUriFault("https://tpp.example/cb?code=1", warning)).toBeUndefined();
    expect(warn).not.toHaveBeenCalled();
    expect(redirectUriFault("https://evil.example/cb?code=1", warning)).toBeUndefined();
    const { redirectDomains: domains } = outside;
    expect(warn.mock.calls).toEqual([[{ host: "evil.example", domains }, expect.any(String)]]);
    warn.mockRestore();
  });

  it.each(["http://localhost:4000/cb", "http://127.0.0.1:4000/cb", "http://[::1]:4000/cb"])(
    "%s is accepted in the sandbox only",
    (uri) => {
      expect(redirectUriFault(uri, sandbox)).toBeUndefined();
      expect(redirectUriFault(uri, outside)).toBeDefined();
    },
  );
});

describe("a text of a payment", () => {
  const takes = (text: unknown) => plainText(5).safeParse(text).success;

  it.each(["\u0000", "\n", "\r", "\t", "\u0085", "\u2028", "\u2029", "\ud83d", "\ude00"])(
    "with an invisible character: %j is refused",
    (character) => {
      expect(takes(`a${character}`)).toBe(false);
    },
  );

  it.each(["\u202e", "\u200b", "\u2066", "\ufeff", "\u00ad", "\ue000"])(
    "P7: reads as it is written: %j is refused",
    (character) => {
      expect(takes(`a${character}`)).toBe(false);
    },
  );

  it.each(["", " ", "\u00a0 "])("is not empty: %j is refused", (text) => {
    expect(takes(text)).toBe(false);
  });

  it("has no control, format, private-use or line separator character", () => {
    const categories = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/u;
    const unseen = new RegExp(`[${INVISIBLE_CHARACTERS}]`, "u");
    const differing: string[] = [];
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const character = String.fromCodePoint(code);
      if (categories.test(character) !== unseen.test(character)) differing.push(code.toString(16));
    }
    expect(differing).toEqual([]);
  });

  it("is measured in characters, in any script", () => {
    for (const five of ["abcde", "ăâîșț", "Ελλην", "😀😀😀😀😀"]) {
      expect([five, takes(five), takes(`${five}x`)]).toEqual([five, true, false]);
    }
  });

  it("has at least what the standard lets a TPP write", () => {
    const allowed = "abcxyzABCXYZ019 /-?:().,'+";
    expect(plainText(70).safeParse(allowed).success).toBe(true);
  });

  it("is stored unchanged, or refused", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 5 }), (text) => {
        if (takes(text)) expect(Buffer.from(text).toString()).toBe(text);
        if (takes(text)) expect(text).not.toContain("\u0000");
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["creditorName", "a\u0000"],
    ["endToEndIdentification", "a\u0000"],
    ["remittanceInformationUnstructured", "a\u202eb"],
    ["debtorAccount", { iban: "RO49AAAA1B31007593840000", cashAccountType: "\u0000" }],
    ["creditorAddress", { country: "DE", townName: "\ud83d" }],
    ["creditorAddress", { country: "DE", streetName: "x".repeat(71) }],
    ["creditorAddress", { country: "DE", postCode: "x".repeat(36) }],
    ["creditorAddress", { country: "DE", buildingNumber: "" }],
  ])("in %s of %j is held to it", (name, value) => {
    expect(faultsIn({ [name]: value })).toHaveLength(1);
  });
});

describe("a header that changes nothing", () => {
  const ofResource = [plainHeaders, accessHeaders];
  const ofPayment = [notifiedHeaders, paymentHeaders];
  const ofCreation = [redirectHeaders, ...ofPayment];
  const uuid = "99435c7e-ad88-49ec-a2ad-99ddcb1f5555";
  const needed = {
    "consent-id": "1",
    "psu-ip-address": "198.51.100.7",
    "tpp-redirect-uri": "https://tpp.example/",
  };
  const faultsOf = (form: Form<unknown, HeaderSchemaContext>, name: string, value: string) => {
    const sent = new Headers({ ...needed, [name]: value });
    const refusal = thrown(() => parse("header", form, sent, outside));
    return (refusal as Rejection | undefined)?.faults.map(({ code, path }) => `${code} ${path}`);
  };

  it.each([
    ["PSU-Http-Method", [...ofResource, ...ofCreation], ["GET", "PATCH"], ["get", "HEAD", ""]],
    ["PSU-Device-ID", [...ofResource, ...ofCreation], [uuid], [uuid.slice(1), `{${uuid}}`, ""]],
    [
      "PSU-Geo-Location",
      [...ofResource, ...ofCreation],
      ["GEO:52.506931;13.144558", "GEO:-9.000000;-179.999999"],
      ["GEO:52.5;13.1", "geo:52.506931;13.144558", "GEO:52.506931;13.144558;", ""],
    ],
    ["TPP-Redirect-Preferred", ofCreation, ["true", "false"], ["True", "1", ""]],
    ["TPP-Decoupled-Preferred", ofPayment, ["true", "false"], ["yes", "true, false", ""]],
  ] as const)("has the form that the standard gives it: %s", (name, forms, values, others) => {
    for (const form of forms) {
      for (const value of values) expect(faultsOf(form, name, value)).toBeUndefined();
      for (const other of others)
        expect(faultsOf(form, name, other)).toEqual([`FORMAT_ERROR ${name}`]);
    }
  });

  it.each([
    ["TPP-Explicit-Authorisation-Preferred", paymentHeaders],
    ["TPP-Decoupled-Preferred", redirectHeaders],
    ["PSU-Device-ID", fundsHeaders],
  ])("is not read where the standard has none, or lets the bank ignore it: %s", (name, form) => {
    expect(faultsOf(form, name, "?")).toBeUndefined();
  });
});

describe("each answer of an unattended access tells the rest of its budget", () => {
  /** The balances of one account, with the answer's headers as the TPP gets them. */
  async function balances(budget: number, headers: Readonly<Record<string, string>> = {}) {
    const memory = await openedAccess();
    memory.bank.budget = budget;
    const read = endpoint({
      operationId: "read",
      summary: "Read",
      role: "PSP_AI",
      token: tokenRule({ bearer: "none" }, async () => memory.consent),
      headers: accessHeaders,
      handle: async (call, ports) =>
        readBalances(ports, await accessOf(call, ports), memory.resourceId),
      reply: served(balancesRead),
    });
    const request = signedRequest(own, { headers: { "consent-id": "1", ...headers } });
    const answer = await read(request, {}, { ...(await portsOf()), ...memory.ports });
    const told = [...Object.keys(served(balancesRead).answers.headers ?? {}), "Retry-After"];
    const { paths } = openApi({ "/read": resource({ GET: read }) }, bank);
    const documented = Object.keys(paths["/read"]?.get?.responses[answer.status]?.headers ?? {});
    const sent = told.filter((name) => answer.headers[name.toLowerCase()] !== undefined);
    expect(documented).toEqual(expect.arrayContaining(sent));
    return [answer.status, ...told.map((name) => answer.headers[name.toLowerCase()] ?? null)];
  }

  it("in RateLimit-Limit, RateLimit-Remaining and, in seconds, RateLimit-Reset", async () => {
    expect(await balances(4)).toEqual([200, "4", "3", "91", null, null]);
    expect(await balances(1)).toEqual([200, "4", "0", "91", null, null]);
  });

  it("and when it is refused with 429, Retry-After as well", async () => {
    expect(await balances(0)).toEqual([429, "4", "0", "91", null, "91"]);
  });

  it("but an attended access uses no budget and has no RateLimit headers", async () => {
    const attended = { "psu-ip-address": "198.51.100.7" };
    expect(await balances(0, attended)).toEqual([200, null, null, null, null, null]);
  });

  it("B4: and the reason why an address that no PSU can have is ignored", async () => {
    const unspecified = { "psu-ip-address": "0.0.0.0" };
    expect(await balances(4, unspecified)).toEqual([200, "4", "3", "91", "reserved", null]);
    expect(await balances(0, unspecified)).toEqual([429, "4", "0", "91", "reserved", "91"]);
  });
});
