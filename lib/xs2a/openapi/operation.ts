import * as z from "zod";
import type { Psd2Role } from "@/lib/domain/tpp";
import {
  type AnswerHeader,
  type AnswerHeaders,
  type Answers,
  type Declaration,
  type Form,
  type HeaderSchemaContext,
  headersOfNotifications,
  type TokenDemand,
} from "../declaration";
import { headerName } from "../http";
import { ofEveryCall, problemSent, type Refusals, refusalSent, together } from "../refusals";
import { noBody, noPath, noQuery, schemaShown } from "../wire/common";
import type {
  Header,
  JsonSchema,
  Operation,
  Parameter,
  Reference,
  Response,
  SecurityScheme,
} from "./open-api";

export function operationOf(
  declared: Declaration,
  schemaContext: HeaderSchemaContext,
  named: Named,
): Operation {
  const { operationId, summary, role, refuses } = declared;
  const token = declared.token.demands;
  const { answers } = declared.reply;
  const body = bodyOf(declared, schemaContext, named);
  const ofToken = token.bearer === "none" ? [] : token.refuses;
  return {
    operationId,
    summary,
    tags: [tagOf[role].name],
    security: securityOf(role, token),
    parameters: [
      ...parametersOf(declared, schemaContext, named),
      ...headersOfEveryCall.map(({ name }) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(body !== undefined && {
      requestBody: { required: true, content: { "application/json": { schema: body } } },
    }),
    responses: {
      ...(answers !== undefined && { [answers.status]: granted(answers, schemaContext, named) }),
      ...refused([ofEveryCall, ...ofToken, refuses], named, answers?.headersOfRefusals),
    },
  };
}

/** The areas of the interface by the role that opens them. */
export const tagOf: Readonly<
  Record<Psd2Role | "any", { readonly name: string; readonly description: string }>
> = {
  PSP_AI: { name: "Account information", description: "For TPPs with the role PSP_AI." },
  PSP_PI: { name: "Payment initiation", description: "For TPPs with the role PSP_PI." },
  PSP_IC: { name: "Confirmation of funds", description: "For TPPs with the role PSP_IC." },
  PSP_AS: { name: "Account servicing", description: "For banks." },
  any: { name: "Support", description: "For every TPP." },
};

/** Where the path decides, any of the forms, each under what the path names. */
function bodyOf(
  { body }: Declaration,
  schemaContext: HeaderSchemaContext,
  named: Named,
): JsonSchema | undefined {
  if (body === noBody) return undefined;
  if (body instanceof z.ZodType || typeof body === "function") {
    return jsonSchemaOf(schemaFor(body, schemaContext), "input", named);
  }
  const anyOf = Object.entries(body.forms(schemaContext)).map(([title, form]): JsonSchema => {
    return { title, ...jsonSchemaOf(form, "input", named) };
  });
  return { anyOf };
}

function schemaFor(
  form: Form<unknown, HeaderSchemaContext>,
  schemaContext: HeaderSchemaContext,
): z.ZodType {
  return typeof form === "function" ? form(schemaContext) : form;
}

/** What a call says in its path, its query and its headers besides what every call says. */
function parametersOf(
  { path, query, headers }: Pick<Declaration, "path" | "query" | "headers">,
  schemaContext: HeaderSchemaContext,
  named: Named,
): readonly Parameter[] {
  const members = (form: Form<unknown, HeaderSchemaContext>) => {
    return membersOf(jsonSchemaOf(schemaFor(form, schemaContext), "input", named));
  };
  return [
    ...(path === noPath ? [] : members(path)).map((one) => parameter("path", one, nameInPath)),
    ...(query === noQuery ? [] : members(query)).map((one) => parameter("query", one)),
    ...members(headers).map((one) => parameter("header", one, headerName)),
  ];
}

type Member = { readonly name: string; readonly required: boolean; readonly schema: JsonSchema };

/** The members of an object, or of the several that it has to be at once. */
export function membersOf(object: JsonSchema): readonly Member[] {
  const { properties, required = [], allOf = [], ...rest } = object;
  if (properties === undefined && allOf.length === 0) {
    throw new Error(`parameters are the members of an object, not ${JSON.stringify(rest)}`);
  }
  const own = Object.entries(properties ?? {}).map(([name, schema]): Member => {
    return { name, schema, required: required.includes(name) };
  });
  return [...own, ...allOf.flatMap(membersOf)];
}

/** Names that the standard writes with a hyphen, which no property of ours has. */
const hyphened: Readonly<Record<string, string>> = {
  accountId: "account-id",
  paymentProduct: "payment-product",
  paymentService: "payment-service",
  requestId: "X-Request-ID",
};

function parameter(
  place: Parameter["in"],
  { name, required, schema }: Member,
  nameOf = (own: string) => own,
): Parameter {
  const { description, ...rule } = schema;
  if (description === undefined) throw new Error(`the ${place} parameter ${name} says nothing`);
  return { name: nameOf(name), in: place, required, description, schema: rule };
}

type OwnOperation = Pick<Operation, "operationId" | "summary" | "tags" | "security"> & {
  readonly description: string;
  readonly path?: z.ZodType | undefined;
  readonly query?: z.ZodType | undefined;
  readonly body?: z.ZodType | undefined;
  readonly answer: z.ZodType;
  /** Statuses with what they say; all have the same form. */
  readonly refusals: readonly (readonly [status: number, description: string])[];
  readonly refusal: { readonly type: string; readonly form: z.ZodType };
};

/** An operation of an API that is the bank's own, without the headers and the names of the standard. */
export function describedOperation(own: OwnOperation, named: Named): Operation {
  const { operationId, summary, tags, security, path, query, body, refusal } = own;
  const parametersIn = (place: "path" | "query", form: z.ZodType | undefined) =>
    form === undefined
      ? []
      : membersOf(jsonSchemaOf(form, "input", named)).map((one) => parameter(place, one));
  const content = (form: z.ZodType, io: "input" | "output", type = "application/json") => ({
    [type]: { schema: jsonSchemaOf(form, io, named) },
  });
  const refused = own.refusals.map(([status, description]) => [
    status,
    { description, headers: {}, content: content(refusal.form, "output", refusal.type) },
  ]);
  return {
    ...{ operationId, summary, tags, security },
    parameters: [...parametersIn("path", path), ...parametersIn("query", query)],
    ...(body && { requestBody: { required: true, content: content(body, "input") } }),
    responses: {
      200: { description: own.description, headers: {}, content: content(own.answer, "output") },
      ...Object.fromEntries(refused),
    },
  };
}

/** A parameter of a path, by its name in the standard. */
function nameInPath(name: string): string {
  return hyphened[name] ?? name;
}

/** `/accounts/{accountId}` as `/accounts/{account-id}`. */
export function pathInStandard(path: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => `{${nameInPath(name)}}`);
}

const uuid = { type: "string", format: "uuid" } as const;

/** What comes with any answer. */
export const headersOfEveryAnswer: Readonly<Record<string, Header>> = {
  "X-Request-ID": {
    description: "The call's own; a new one when it had none that is a UUID.",
    required: true,
    schema: uuid,
  },
  "X-FAPI-Interaction-ID": {
    description: "The call's own, or a new one.",
    required: true,
    schema: uuid,
  },
};

const everyAnswers = Object.fromEntries(
  Object.keys(headersOfEveryAnswer).map((name): [string, Reference] => {
    return [name, { $ref: `#/components/headers/${name}` }];
  }),
);

function granted(
  { description, headers = {}, body }: Answers,
  { notifies }: HeaderSchemaContext,
  named: Named,
): Response {
  const sent = Object.entries(headers).filter(
    ([name]) => notifies === true || !Object.hasOwn(headersOfNotifications, name),
  );
  const content = body && {
    "application/json": { schema: jsonSchemaOf(body, "output", named) },
  };
  return {
    description,
    headers: { ...everyAnswers, ...described(Object.fromEntries(sent)) },
    ...(content !== undefined && { content }),
  };
}

/** What a call can be refused with: each status with its codes. */
function refused(
  refusals: readonly Refusals[],
  named: Named,
  headers: Answers["headersOfRefusals"] = {},
): Readonly<Record<string, Response>> {
  const forms = [refusalSent, problemSent].map((form) => jsonSchemaOf(form, "output", named));
  const [refusal = {}, problem = {}] = forms;
  const responses = together(...refusals).map(([status, codes]): [string, Response] => [
    status,
    {
      description: `${meaningOf[status] ?? "Refused"}: ${codes.join(", ")}.`,
      headers: {
        ...everyAnswers,
        ...described({ ...headersOf[status], ...headers[Number(status)] }),
      },
      content: {
        "application/json": { schema: { ...refusal, properties: entriesWith(codes) } },
        "application/problem+json": { schema: { ...problem, properties: { code: oneOf(codes) } } },
      },
    },
  ]);
  return Object.fromEntries(responses);
}

function described(headers: AnswerHeaders = {}): Readonly<Record<string, Header>> {
  const each = Object.entries(headers).map(([name, said]) => [name, { ...said, schema: text }]);
  return Object.fromEntries(each);
}

const meaningOf: Readonly<Record<string, string>> = {
  400: "The call is not in order",
  401: "What was presented does not open this",
  403: "Not for this TPP",
  404: "Not there",
  405: "Not offered",
  406: "No answer in the form that was asked for",
  409: "Not in this state",
  413: "Too much",
  415: "Not JSON",
  429: "Too often",
  500: "A fault of the bank's own",
  503: "Not now",
};

const sometimes = (description: string): AnswerHeader => ({ description, required: false });

const headersOf: Readonly<Record<string, AnswerHeaders>> = {
  401: { "WWW-Authenticate": sometimes("With a code of the token (RFC 6750).") },
  405: {
    Allow: {
      description: "The methods that can be granted here (RFC 9110 15.5.6).",
      required: true,
    },
  },
  429: {
    "Retry-After": sometimes("Seconds until there is one more call."),
    "RateLimit-Limit": sometimes("How many there are, where calls are counted in a window."),
    "RateLimit-Remaining": sometimes("How many of them are left."),
    "RateLimit-Reset": sometimes("Seconds until there is one more."),
  },
  503: { "Retry-After": sometimes("Seconds after which to try again.") },
};

function entriesWith(codes: readonly string[]): Readonly<Record<string, JsonSchema>> {
  const entry = { type: "object", properties: { code: oneOf(codes) } };
  return { tppMessages: { type: "array", items: entry } };
}

function oneOf(codes: readonly string[]): JsonSchema {
  return { type: "string", enum: codes };
}

const text = { type: "string" } as const;

function header(name: string, description: string, schema: Parameter["schema"]): Parameter {
  return { name, in: "header", required: true, description, schema };
}

/** What the pipeline asks of any call; no schema reads them, so that this is their description. */
export const headersOfEveryCall: readonly Parameter[] = [
  header("X-Request-ID", "The TPP's id of the call. It comes back with the answer.", uuid),
  header("Date", "When the call was signed (RFC 7231).", {
    type: "string",
    pattern:
      "^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$",
  }),
  header(
    "Digest",
    "SHA-256 or SHA-512 over the bytes of the body, also when there are none (RFC 3230).",
    { type: "string", pattern: "^(SHA-256|SHA-512)=" },
  ),
  header(
    "TPP-Signature-Certificate",
    "The QSealC that the signature verifies with: base64 of its DER.",
    text,
  ),
];

/** Tokens come from the authorisation server, which describes itself: that is not said here again. */
export function securitySchemes(metadata: string): Readonly<Record<string, SecurityScheme>> {
  return {
    certificate: {
      type: "mutualTLS",
      description: "A QWAC (ETSI TS 119 495) with the PSD2 role that the call names.",
    },
    signature: {
      type: "apiKey",
      in: "header",
      name: "Signature",
      description:
        "By a QSealC of the same organisation, over digest, x-request-id and date, and over psu-id, psu-corporate-id and tpp-redirect-uri where they are sent, and over tpp-nok-redirect-uri where it leads to another host than tpp-redirect-uri.",
    },
    token: {
      type: "http",
      scheme: "bearer",
      bearerFormat: "JWT",
      description: `An access token of the scope that the call names, bound to the QWAC (RFC 8705). The authorisation server says at ${metadata} (RFC 8414) where to get one.`,
    },
  };
}

/** Certificate and signature always; a token as its rule demands it. */
function securityOf(role: Psd2Role | "any", token: TokenDemand): Operation["security"] {
  const always = { certificate: role === "any" ? [] : [role], signature: [] };
  if (token.bearer === "none") return [always];
  const withToken = { ...always, token: [token.scope] };
  return token.bearer === "required" ? [withToken] : [always, withToken];
}

/** The schemas that have a name of their own, as they are come across. */
export type Named = Map<string, JsonSchema>;

/**
 * A schema of the traffic as JSON Schema: of a request as it comes in, of an answer as it leaves.
 * Throws for a rule that has no such form, unless `shownAs` names another schema for it.
 */
export function jsonSchemaOf(
  form: z.core.$ZodType,
  io: "input" | "output",
  named: Named,
): JsonSchema {
  const made = z.toJSONSchema(form, {
    target: "draft-2020-12",
    io,
    override: ({ zodSchema, jsonSchema }) => {
      const shown = schemaShown(zodSchema);
      if (shown !== undefined && shown !== zodSchema) {
        Object.assign(jsonSchema, jsonSchemaOf(shown, io, named));
      }
    },
  });
  const { $schema: _, $defs = {}, ...schema } = made;
  for (const [name, definition] of Object.entries($defs)) add(named, name, tidy(definition));
  return tidy(schema);
}

function add(named: Named, name: string, schema: JsonSchema): void {
  const known = named.get(name);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
    throw new Error(`two schemas have the name ${name}`);
  }
  named.set(name, schema);
}

/**
 * References as OpenAPI has them, and without two things that zod says and nobody needs to read: the
 * bounds of a double, and the members that an object may not have anyway.
 */
function tidy(schema: unknown): JsonSchema {
  const text = JSON.stringify(schema, (key, value: unknown) => {
    if (key === "$ref") return String(value).replace("#/$defs/", "#/components/schemas/");
    if (key === "maximum" && value === Number.MAX_SAFE_INTEGER) return undefined;
    if (key === "minimum" && value === Number.MIN_SAFE_INTEGER) return undefined;
    return key === "properties" ? possible(value as Record<string, JsonSchema>) : value;
  });
  return JSON.parse(text) as JsonSchema;
}

/** A member named `properties` would be an object of schemas as well, and is looked at in the same way. */
function possible(properties: Readonly<Record<string, JsonSchema>>) {
  const entries = Object.entries(properties);
  return Object.fromEntries(entries.filter(([, { not }]) => JSON.stringify(not) !== "{}"));
}
