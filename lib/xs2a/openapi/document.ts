import type { AspspProfile } from "@/lib/domain/bank-profile";
import type { IsoDate } from "@/lib/domain/values";
import { type Services, services } from "@/lib/services";
import { version } from "@/package.json";
import type { HeaderSchemaContext } from "../declaration";
import type { Handlers } from "../endpoint";
import type { PathItem } from "./open-api";
import {
  headersOfEveryAnswer,
  headersOfEveryCall,
  type Named,
  operationOf,
  pathInStandard,
  securitySchemes,
  tagOf,
} from "./operation";

let made: (ReturnType<typeof publishedOf> & { readonly of: AspspProfile }) | undefined;

/** The description of the API, made when it is first asked for and never while a TPP's call waits. */
export function published(routes: Routes) {
  const bank = services();
  if (made?.of !== bank.profile) made = { ...publishedOf(routes, bank), of: bank.profile };
  return made;
}

/** Beside it the same as JSON, byte for byte what everybody gets. */
function publishedOf(routes: Routes, { config, profile, sandbox, notifies, links }: Services) {
  const bank = { profile, sandbox, notifies, xs2aUrl: config.XS2A_URL, metadata: links.scaOAuth };
  const document = openApi(routes, bank);
  return { document, text: JSON.stringify(document) };
}

/** Paths of the interface, `{ids}` in braces, with the handlers of their routes. */
export type Routes = Readonly<Record<string, Handlers>>;

type Bank = Required<Pick<HeaderSchemaContext, "profile" | "sandbox" | "notifies">> & {
  readonly xs2aUrl: string;
  readonly metadata: string;
};

export type OpenApi = ReturnType<typeof openApi>;

export function openApi(routes: Routes, bank: Bank) {
  const { profile, sandbox, notifies } = bank;
  const schemaContext: HeaderSchemaContext = { ...nobodys, profile, sandbox, notifies };
  const named: Named = new Map();
  const offered = Object.entries(routes).filter(
    ([route]) => profile.features.fundsConfirmation || !route.includes("/cbpii/"),
  );
  const operations = offered.flatMap(([route, handlers]) => {
    const path = pathInStandard(route);
    return (["POST", "GET", "DELETE"] as const).flatMap((name) => {
      const { declaration: declared } = handlers[name];
      if (declared === undefined) return [];
      const method = name.toLowerCase() as Lowercase<typeof name>;
      return [{ path, method, declared, operation: operationOf(declared, schemaContext, named) }];
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
      contact: { name: profile.name, email: profile.support.developersEmail },
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
