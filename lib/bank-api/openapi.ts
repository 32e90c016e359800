import { services } from "@/lib/services";
import type { Operation, PathItem } from "@/lib/xs2a/openapi/open-api";
import { describedOperation, type Named } from "@/lib/xs2a/openapi/operation";
import { version } from "@/package.json";
import type { Declaration, Operations } from "./endpoint";
import { type ProblemType, problemSent, problemTypes } from "./problems";
import { scopes } from "./scopes";

let made: string | undefined;

/** The description as JSON, made when it is first asked for. */
export function published(operations: Operations): string {
  const { config, profile } = services();
  made ??= JSON.stringify(
    openApi(operations, { name: profile.name, issuer: config.BANK_API_ISSUER }),
  );
  return made;
}

type Bank = { readonly name: string; readonly issuer: string | undefined };

/** OpenAPI 3.1, from the schemas that the traffic is checked with. */
export function openApi(operations: Operations, { name, issuer }: Bank) {
  const named: Named = new Map();
  const paths: Record<string, PathItem> = {};
  for (const [folder, methods] of Object.entries(operations)) {
    const path = folder.replace(/\[(\w+)\]/g, "{$1}");
    for (const [method, { declaration }] of Object.entries(methods)) {
      paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(declaration, named) };
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: `${name}: the bank API of Drawbridge`,
      version,
      summary: "For the bank's own systems: permissions, payments, TPPs and events.",
    },
    servers: [{ url: "/" }],
    tags: [{ name: TAG }],
    paths,
    components: {
      schemas: Object.fromEntries(named),
      securitySchemes: {
        certificate: {
          type: "mutualTLS",
          description:
            "A certificate of the authority and with a common name that the bank has set.",
        },
        token: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: `An access token (RFC 9068) of ${issuer ?? "the bank's provider"}. Scopes: ${described(scopes)}`,
        },
      },
    },
  };
}

const TAG = "Bank";

const described = (named: Readonly<Record<string, string>>) =>
  Object.entries(named)
    .map(([scope, what]) => `${scope}: ${what}`)
    .join(" ");

const ofEveryCall: readonly ProblemType[] = [
  "malformed-request",
  "unauthenticated",
  "insufficient-scope",
  "not-acceptable",
  "body-too-large",
  "unsupported-media-type",
  "internal-error",
  "unavailable",
];

function operationOf({ scope, refuses = [], ...declared }: Declaration, named: Named): Operation {
  const own = {
    ...declared,
    tags: [TAG],
    security: [{ certificate: [scope] }, { token: [scope] }],
    refusals: [...ofEveryCall, ...refuses].map(
      (type) => [problemTypes[type].status, `${problemTypes[type].title}: ${type}.`] as const,
    ),
    refusal: { type: "application/problem+json", form: problemSent },
  };
  return describedOperation(own, named);
}
