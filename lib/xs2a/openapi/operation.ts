import type { z } from "zod";
import type { Psd2Role } from "@/lib/domain/tpp/tpp";
import type { HeaderCircumstances } from "../circumstances";
import type { Declaration } from "../declaration";
import { ofEveryCall } from "../refusals";
import { noBody } from "../wire/path";
import { headersOfEveryCall } from "./every-call";
import { jsonSchemaOf, type Named } from "./json-schema";
import type { JsonSchema, Operation } from "./open-api";
import { parametersOf } from "./parameters";
import { granted, refused } from "./responses";
import { securityOf } from "./security";

/** One endpoint, from its own declaration. */
export function operationOf(
  declared: Declaration,
  circumstances: HeaderCircumstances,
  named: Named,
): Operation {
  const { operationId, summary, role, token, refuses, answers } = declared;
  const body = bodyOf(declared, circumstances, named);
  const ofToken = token.bearer === "none" ? [] : token.refuses;
  return {
    operationId,
    summary,
    tags: [tagOf[role].name],
    security: securityOf(role, token),
    parameters: [
      ...parametersOf(declared, circumstances, named),
      ...headersOfEveryCall.map(({ name }) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(body !== undefined && {
      requestBody: { required: true, content: { "application/json": { schema: body } } },
    }),
    responses: {
      ...(answers !== undefined && { [answers.status]: granted(answers, named) }),
      ...refused([ofEveryCall, ...ofToken, refuses], named, answers?.headersOfRefusals),
    },
  };
}

/** The areas of the interface by the role that opens them. */
export const tagOf: Readonly<
  Record<Psd2Role, { readonly name: string; readonly description: string }>
> = {
  PSP_AI: { name: "Account information", description: "For TPPs with the role PSP_AI." },
  PSP_PI: { name: "Payment initiation", description: "For TPPs with the role PSP_PI." },
  PSP_IC: { name: "Confirmation of funds", description: "For TPPs with the role PSP_IC." },
  PSP_AS: { name: "Account servicing", description: "For banks." },
};

/** Where the path decides, any of the forms, each under what the path names. */
function bodyOf(
  { bodies }: Declaration,
  circumstances: HeaderCircumstances,
  named: Named,
): JsonSchema | undefined {
  const forms = bodies(circumstances);
  if (forms === noBody) return undefined;
  if (isSchema(forms)) return jsonSchemaOf(forms, "input", named);
  const anyOf = Object.entries(forms).map(([title, form]): JsonSchema => {
    return { title, ...jsonSchemaOf(form, "input", named) };
  });
  return { anyOf };
}

function isSchema(forms: ReturnType<Declaration["bodies"]>): forms is z.ZodType {
  return "_zod" in forms;
}
