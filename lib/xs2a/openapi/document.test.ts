import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { routes } from "@/app/(xs2a)/routes";
import { openApi } from "./document";
import { allSchemas, bank, document, operations } from "./testing";

describe("the description of the API", () => {
  const text = JSON.stringify(document);

  it("is valid OpenAPI 3.1", async () => {
    const result = await new Validator().validate(JSON.parse(text));
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
  });

  it.each([
    ["Account", ["Account"]],
    ["AccountReference", ["AccountReference", "AccountNamed"]],
    ["Transaction", ["Transaction", "BatchMember"]],
  ])("has no field of %s that the client's types lack", (schema, types) => {
    const source = readFileSync("clients/typescript/src/wire.ts", "utf8");
    const typed = types.flatMap((name) => {
      const [, type = ""] = new RegExp(`export type ${name} = (.*?)};?\\n`, "s").exec(source) ?? [];
      return [...type.matchAll(/readonly (\w+)\??:/g)].map(([, field]) => field);
    });
    const { properties = {} } = document.components.schemas[schema] ?? {};
    expect(Object.keys(properties).length).toBeGreaterThan(2);
    expect(Object.keys(properties).filter((field) => !typed.includes(field))).toEqual([]);
  });

  it("has each operationId once", () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted());
    expect(ids.length).toBeGreaterThanOrEqual(11);
  });

  it.each(operations)("$operationId declares exactly the parameters of its path", (operation) => {
    const inPath = [...operation.path.matchAll(/\{([\w-]+)\}/g)].map(([, name]) => name);
    const declared = operation.parameters.flatMap((parameter) =>
      "in" in parameter && parameter.in === "path" ? [parameter] : [],
    );
    expect(declared.map(({ name }) => name)).toEqual(inPath);
    expect(declared.every(({ required }) => required)).toBe(true);
  });

  it.each(operations)("$operationId has at most one success and all refusals", (operation) => {
    const statuses = Object.keys(operation.responses);
    const isGranted = operation.operationId !== "cancelPayment";
    expect(statuses.filter((status) => status < "300")).toHaveLength(isGranted ? 1 : 0);
    expect(statuses).toEqual(
      expect.arrayContaining(["400", "401", "406", "413", "415", "429", "500", "503"]),
    );
    expect(Object.keys(operation.responses["429"]?.headers ?? {})).toEqual(
      expect.arrayContaining([
        ...["Retry-After", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"],
      ]),
    );
    const certificate = operation.security.map((one) => one["certificate"]?.length);
    // The role that it takes, and none where every TPP may ask.
    const expected = operation.operationId === "explainRefusedRequest" ? 0 : 1;
    expect(certificate.every((roles) => roles === expected)).toBe(true);
    const mayHaveToken = operation.security.some((one) => "token" in one);
    expect(JSON.stringify(operation.responses["401"]).includes("TOKEN_EXPIRED")).toBe(mayHaveToken);
  });

  it("declares 403 SERVICE_BLOCKED for all account data, as of a PSU blocked in all channels, and nothing else", () => {
    const declaring = operations.filter((operation) =>
      operation.responses["403"]?.description?.includes("SERVICE_BLOCKED"),
    );
    const data = operations.filter(({ path }) => path.includes("/aisp/v1/accounts"));
    expect(data.length).toBeGreaterThan(3);
    expect(declaring).toEqual(data);
  });

  it("describes everything that can be described", () => {
    const silent = operations.flatMap(({ operationId, summary, tags, parameters, responses }) => [
      ...(summary === "" || tags.length !== 1 ? [operationId] : []),
      ...[...parameters, ...Object.values(responses)]
        .filter((part) => "description" in part && part.description.trim() === "")
        .map(() => operationId),
    ]);
    expect(silent).toEqual([]);
    const known = document.tags.map(({ name }) => name);
    expect(new Set(operations.flatMap(({ tags }) => tags))).toEqual(new Set(known));
    const unsaid = Object.entries(document.components.schemas).filter(
      ([, one]) => !one.description,
    );
    expect(unsaid).toEqual([]);
  });

  it("has no schema that nothing refers to, and refers to none that is not there", () => {
    const named = Object.keys(document.components.schemas).map(
      (name) => `#/components/schemas/${name}`,
    );
    const referred = new Set(allSchemas().flatMap(({ schema }) => schema.$ref ?? []));
    expect([...referred].toSorted()).toEqual(named.toSorted());
  });

  it("shows no secret, no internal header and no placeholder address", () => {
    expect(text).not.toMatch(/client-address|client-cert|cursorSecret|\/\/localhost/i);
  });

  it("describes notifications of status only where the bank sends them", () => {
    expect(text).toMatch(/TPP-Notification-URI.*ASPSP-Notification-Support/i);
    expect(JSON.stringify(openApi(routes, { ...bank, notifies: false }))).not.toMatch(
      /notification-(uri|content|support)/i,
    );
  });

  it("leaves open only the fields listed here", () => {
    const open = allSchemas().filter(({ schema }) => {
      const { description: _, title: __, ...rules } = schema;
      return Object.keys(rules).length === 0;
    });
    const said = open.map(({ at, schema }) => `${at}: ${schema.description}`);
    expect([...new Set(said)]).toEqual([
      // The list of trusted beneficiaries is not offered: it is read and dropped.
      "createAccountConsent/access/anyOf/additionalInformation/trustedBeneficiaries/items: Accepted in any form and ignored.",
      // Until the PSU has chosen, the access is what the TPP has sent, word for word.
      "readAccountConsent/access/anyOf/additionalProperties: As it was sent.",
      // A payment is read as it was started, word for word.
      "readPayment/debtorAccount/additionalProperties: As it was sent.",
      "readPayment/creditorAccount/additionalProperties: As it was sent.",
      "readPayment/additionalProperties: As it was sent.",
    ]);
  });
});

const FOLDER = join(import.meta.dirname, "../../../../shared/standard");

// Elsewhere the standard's files are not at hand.
if (existsSync(FOLDER))
  describe("every name is the standard's", () => {
    const FILES = ["xs2a-1.3.12.openapi.yaml", "funds-consent-2.0.openapi.yaml"];

    type Parameter = { readonly $ref?: string; readonly name?: string };
    type Described = {
      readonly parameters?: readonly Parameter[];
      readonly responses: Readonly<Record<string, unknown>>;
    };
    type File = {
      readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
      readonly components: {
        readonly parameters: Readonly<Record<string, { readonly name: string }>>;
      };
    };

    /** What is the bank's own, with its reason. */
    const OWN = {
      // The specification writes it so, and the standard allPsd2: both are taken.
      fields: [
        "allPSD2",
        // Why a request was refused is asked at an endpoint of the bank's own.
        ...["refusals", "refusedAt", "method", "check", "facts", "label", "value"],
        // A further link, as `_links` allows (RFC 8288, the relation type `help`): to the page of the code.
        "help",
      ],
      // The place in a list that `_links.next` leads to.
      query: ["cursor"],
      // The standard does not say how to refuse a body that is too large (RFC 9110, 15.5.14).
      statuses: ["413"],
      // When the call was signed: the standard's signature covers it.
      headers: ["date"],
    };

    const files = FILES.filter((name) => existsSync(join(FOLDER, name))).map(
      (name) => parse(readFileSync(join(FOLDER, name), "utf8")) as File,
    );
    const offered = files.flatMap((file) =>
      Object.entries(file.paths).flatMap(([path, item]) =>
        Object.entries(item).map(([method, one]) => ({
          call: `${method} ${path.trim()}`,
          one,
          file,
        })),
      ),
    );
    /** The bank's areas have prefixes of their own, and that file its version in the server's address. */
    const inStandard = (path: string) =>
      path.replace(/^\/open-banking\/v3\.1\/(cbpii\/v2|aisp|pisp|cbpii)\//, "/");
    // The list of authorisations of a consent for funds is offered as that of any other consent is.
    const known = operations.filter(
      ({ path }) => !/cbpii\/v2\/.*authorisations|\/support\//.test(path),
    );

    it("paths, parameters and statuses", () => {
      const own = known.flatMap(({ method, path, parameters, responses }) => {
        const call = `${method} ${inStandard(path)}`;
        const [found] = offered.filter((one) => one.call === call);
        if (found === undefined) return [call];
        const { one, file } = found;
        const names = [...(one.parameters ?? []), ...besideMethods(file, call)].map((parameter) =>
          nameOf(file, parameter),
        );
        const allowed = [...names, ...OWN.query, ...OWN.headers].map((name) => name?.toLowerCase());
        const statuses = [...Object.keys(one.responses), ...OWN.statuses];
        const ours = parameters.flatMap((parameter) =>
          "name" in parameter ? [parameter.name] : [],
        );
        return [
          ...ours.filter((name) => !allowed.includes(name.toLowerCase())),
          ...Object.keys(responses).filter((status) => !statuses.includes(status)),
        ].map((what) => `${call}: ${what}`);
      });
      expect(known.length).toBeGreaterThan(18);
      expect(own).toEqual([]);
    });

    it("fields of requests and answers", () => {
      const names = new Set(files.flatMap((file) => propertiesIn(file)));
      const ours = allSchemas().flatMap(({ schema }) => Object.keys(schema.properties ?? {}));
      const own = [...new Set(ours)].filter(
        (name) => !names.has(name) && !OWN.fields.includes(name),
      );
      expect(own).toEqual([]);
    });

    function nameOf({ components }: File, { $ref, name }: Parameter): string | undefined {
      return name ?? components.parameters[String($ref).replace(/^.*\//, "")]?.name;
    }

    /** Parameters that stand beside the methods of a path. */
    function besideMethods({ paths }: File, call: string): readonly Parameter[] {
      const path = Object.keys(paths).find((one) => call.endsWith(` ${one.trim()}`));
      const beside = path === undefined ? undefined : paths[path]?.["parameters"];
      return Array.isArray(beside) ? beside : [];
    }

    function propertiesIn(value: unknown): readonly string[] {
      if (typeof value !== "object" || value === null) return [];
      const own =
        "properties" in value && typeof value.properties === "object" ? value.properties : {};
      return [...Object.keys(own ?? {}), ...Object.values(value).flatMap(propertiesIn)];
    }
  });
