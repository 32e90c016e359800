/** The parts of OpenAPI 3.1 that the description of the API is made of; all together they are what `openApi` makes. */

export type PathItem = { readonly [Method in "get" | "post" | "put" | "delete"]?: Operation };

export type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  /** Any one of them; each with what it has to have in it, such as the role or the scope. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required: true; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
};

export type Parameter = {
  readonly name: string;
  readonly in: "header" | "path" | "query";
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
};

export type Response = {
  readonly description: string;
  readonly headers: Readonly<Record<string, Header | Reference>>;
  readonly content?: Content;
};

export type Header = {
  readonly description: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
};
type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;
export type Reference = { readonly $ref: string };
export type SecurityScheme = { readonly type: string; readonly description: string } & Readonly<
  Record<string, string>
>;

/** JSON Schema 2020-12, as far as the schemas here use it. */
export type JsonSchema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly if?: JsonSchema;
  readonly then?: JsonSchema;
  readonly contains?: JsonSchema;
  readonly enum?: readonly string[];
  readonly const?: string | number | boolean;
  readonly default?: string | number | boolean;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
};
