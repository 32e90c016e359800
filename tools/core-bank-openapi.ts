import { stringify } from "yaml";
import { z } from "zod";
import { operations, problem, problemTypes } from "@/lib/core-bank/http/contract";

/** docs/core-bank.openapi.yaml, made from the schemas that the contract is checked with; `npm run contract` prints it. */
export function coreBankOpenApi(): string {
  const schemas: Record<string, unknown> = {};
  const schemaOf = (form: z.ZodType) => {
    const { $defs, $schema, ...schema } = z.toJSONSchema(form, {
      io: "input",
      target: "draft-2020-12",
    });
    for (const [name, definition] of Object.entries($defs ?? {})) schemas[name] = definition;
    return schema;
  };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [operationId, operation] of Object.entries(operations)) {
    const { method, path, summary, answer, problems, deadlineMs } = operation;
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      ...{ name, in: "path", required: true, schema: { type: "string", maxLength: 70 } },
    }));
    const asked = schemaOf("query" in operation ? operation.query : z.strictObject({}));
    const required = asked.required ?? [];
    const inQuery = Object.entries(asked.properties ?? {}).map(([name, schema]) => ({
      ...{ name, in: "query", required: required.includes(name), schema },
    }));
    const refused = new Map<string, string>();
    for (const name of problems) {
      const status = String(problemTypes[name]);
      const before = refused.get(status);
      refused.set(status, before === undefined ? name : `${before} or ${name}`);
    }
    paths[path] ??= {};
    paths[path][method.toLowerCase()] = {
      ...{ operationId, summary, description: `Answered within ${deadlineMs} ms.` },
      parameters: [...inPath, ...inQuery, ...inHeaders],
      ...("body" in operation && {
        requestBody: {
          ...{ required: true },
          content: { "application/json": { schema: schemaOf(operation.body) } },
        },
      }),
      responses: {
        "200": {
          ...{ description: "Done." },
          content: { "application/json": { schema: schemaOf(answer) } },
        },
        ...Object.fromEntries(
          [...refused].map(([status, names]) => [status, problemAnswer(names)]),
        ),
        "400": problemAnswer("malformed-request"),
        "401": problemAnswer("not-authorised"),
        "503": problemAnswer("overloaded or unavailable"),
      },
    };
  }
  schemaOf(z.strictObject({ problem }));
  const text = JSON.stringify({
    ...{ openapi: "3.1.0", jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema" },
    info: { title: "Core bank", version: "1.0.0", description: DESCRIPTION },
    security: [{ mutualTls: [] }, { bearer: [] }, { mutualTls: [], bearer: [] }],
    ...{ paths, components: { schemas, parameters: headers, securitySchemes } },
  });
  const document: unknown = JSON.parse(text.replaceAll("#/$defs/", "#/components/schemas/"));
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 120 });
}

const DESCRIPTION = "What a core banking system answers to Drawbridge.";

const inHeader = { in: "header", schema: { type: "string", maxLength: 100 } } as const;
const headers = {
  timeout: {
    ...{ name: "request-timeout-ms", in: "header", required: true },
    ...{ schema: { type: "integer", minimum: 0 } },
    description: "Milliseconds that are left for the answer; what comes later is not read.",
  },
  trace: { name: "traceparent", ...inHeader, required: true, description: "W3C Trace Context." },
  request: {
    ...{ name: "X-Request-ID", ...inHeader, required: false },
    description: "Of the TPP's request that caused the call, where one did.",
  },
} as const;
const inHeaders = Object.keys(headers).map((name) => ({ $ref: `#/components/parameters/${name}` }));

const securitySchemes = {
  mutualTls: { type: "mutualTLS" },
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "A given token, or one of OAuth client credentials.",
  },
} as const;

function problemAnswer(description: string) {
  const schema = { $ref: "#/components/schemas/Problem" };
  return { description, content: { "application/problem+json": { schema } } };
}

if (process.argv[1] === import.meta.filename) process.stdout.write(coreBankOpenApi());
