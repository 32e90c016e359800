import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { allSchemas, document, operations } from "./testing/described";

const text = JSON.stringify(document);

describe("the description of the API", () => {
  it("is valid OpenAPI 3.1", async () => {
    const result = await new Validator().validate(JSON.parse(text));
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
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

  it.each(operations)(
    "$operationId has one way to be granted, or none, and all to be refused",
    (operation) => {
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
      expect(certificate.every((roles) => roles === 1)).toBe(true);
      const mayHaveToken = operation.security.some((one) => "token" in one);
      expect(JSON.stringify(operation.responses["401"]).includes("TOKEN_EXPIRED")).toBe(
        mayHaveToken,
      );
    },
  );

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

  it("shows no secret, no header of our own and no address of nobody's", () => {
    expect(text).not.toMatch(/client-address|client-cert|cursorSecret|\/\/localhost/i);
  });

  it("leaves open what is said here, and nothing else", () => {
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
