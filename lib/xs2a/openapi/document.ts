import type { IsoDate } from "@/lib/domain/values";
import { services } from "@/lib/services";
import { version } from "@/package.json";
import type { Declaration, HeaderSchemaContext } from "../declaration";
import type { Method, OpenApi, PathItem } from "./open-api";
import {
  headersOfEveryAnswer,
  headersOfEveryCall,
  type Named,
  operationOf,
  pathInStandard,
  securitySchemes,
  tagOf,
} from "./operation";

type Published = {
  readonly document: OpenApi;
  /** The same as JSON, byte for byte what everybody gets. */
  readonly text: string;
};

let made: Published | undefined;

/** The description of the API, made when it is first asked for and never while a TPP's call waits. */
export function published(routes: Routes): Published {
  made ??= publish(routes);
  return made;
}

function publish(routes: Routes): Published {
  const { config, profile, sandbox, links } = services();
  const bank = { profile, sandbox, xs2aUrl: config.XS2A_URL, metadata: links.scaOAuth };
  const document = openApi(routes, bank);
  return { document, text: JSON.stringify(document) };
}

/** Paths of the interface, `{ids}` in braces, with the handlers of their routes. */
export type Routes = Readonly<Record<string, Handlers>>;
type Handlers = Readonly<Record<string, unknown>>;

type Bank = Pick<HeaderSchemaContext, "profile" | "sandbox"> & {
  readonly xs2aUrl: string;
  readonly metadata: string;
};

/** The API as its endpoints declare it. */
export function openApi(routes: Routes, bank: Bank): OpenApi {
  const { profile, sandbox } = bank;
  const schemaContext: HeaderSchemaContext = { ...nobodys, profile, sandbox };
  const named: Named = new Map();
  const operations = Object.entries(routes).flatMap(([route, handlers]) => {
    const path = pathInStandard(route);
    return declaring(handlers).map(([method, declared]) => {
      return { path, method, declared, operation: operationOf(declared, schemaContext, named) };
    });
  });
  const paths: Record<string, PathItem> = {};
  for (const { path, method, operation } of operations) {
    paths[path] = { ...paths[path], [method]: operation };
  }
  const roles = new Set(operations.map(({ declared }) => declared.role));
  return {
    openapi: "3.1.0",
    info: {
      title: `${profile.name}: access to accounts`,
      version,
      summary: "The interface for third party providers under PSD2.",
      description: ABOUT,
    },
    externalDocs: {
      url: bank.metadata,
      description: "The authorisation server's metadata (RFC 8414)",
    },
    servers: [{ url: bank.xs2aUrl, description: sandbox ? "The sandbox" : "The bank" }],
    tags: [...roles].map((role) => tagOf[role]),
    paths,
    components: {
      schemas: Object.fromEntries(named),
      parameters: Object.fromEntries(headersOfEveryCall.map((header) => [header.name, header])),
      headers: headersOfEveryAnswer,
      securitySchemes: securitySchemes(bank.metadata),
    },
  };
}

const ABOUT =
  "NextGenPSD2 XS2A 1.3.12 by the redirect approach. Made from the schemas that the traffic is checked with.";

/** What forms depend on besides the bank, and no description can show. */
const nobodys = {
  today: "2000-01-01" as IsoDate,
  cursorSecret: "",
  redirectDomains: undefined,
};

const METHODS = { POST: "post", GET: "get", DELETE: "delete" } as const satisfies Record<
  string,
  Method
>;

/** The handlers that say how they are to be called, those among them that refuse every call. */
function declaring(handlers: Handlers): readonly (readonly [Method, Declaration])[] {
  return Object.entries(METHODS).flatMap(([name, method]) => {
    const declared = declarationOf(handlers[name]);
    return declared === undefined ? [] : [[method, declared] as const];
  });
}

function declarationOf(handler: unknown): Declaration | undefined {
  const declares = typeof handler === "function" && "declaration" in handler;
  return declares ? (handler.declaration as Declaration) : undefined;
}
