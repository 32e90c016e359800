import { and, eq, type SQL, sql } from "drizzle-orm";
import { authorisation } from "@/drizzle/schema";
import { isUuid } from "@/lib/domain/identifiers";
import type { Authorisation } from "@/lib/domain/sca/authorisation";
import type { AuthorisationStore } from "@/lib/domain/sca/authorisation-store";
import { toAuthorisation } from "./authorisation-row";
import type { Database } from "./client";
import { isOpen } from "./is-open";

type Finding = Pick<AuthorisationStore, "find" | "findByResource" | "redirectUrisOf">;

const { id, kind, resourceId, tppId, redirectUri, nokRedirectUri } = authorisation;
const given = (name: "uuid" | "kind" | "tppId" | "now") => sql.placeholder(name);

/** An id that is no UUID names no authorisation: it is answered like any other unknown one. */
export function findingAuthorisations(db: Database): Finding {
  const one = (name: string, where: SQL | undefined) => {
    const statement = db.select().from(authorisation).where(where).prepare(name);
    return async (
      uuid: string,
      more: { readonly kind?: string } = {},
    ): Promise<Authorisation | undefined> => {
      if (!isUuid(uuid)) return undefined;
      const [row] = await statement.execute({ uuid, ...more });
      return row && toAuthorisation(row);
    };
  };
  const ofKind = and(eq(kind, given("kind")), eq(resourceId, given("uuid")));
  const ofResource = one("authorisation_of_resource", ofKind);
  const redirectUris = redirectUrisStatement(db);
  return {
    find: one("authorisation_by_id", eq(id, given("uuid"))),
    findByResource: (resourceKind, resource) => ofResource(resource, { kind: resourceKind }),
    redirectUrisOf: async (tpp, now) => {
      const rows = await redirectUris.execute({ tppId: tpp, now: now.toISOString() });
      return rows.map(({ uri }) => uri).filter((uri) => uri !== null);
    },
  };
}

function redirectUrisStatement(db: Database) {
  const open = isOpen("failed", sql`${given("now")}::timestamptz`);
  return db
    .selectDistinct({ uri: sql<string | null>`unnest(array[${redirectUri}, ${nokRedirectUri}])` })
    .from(authorisation)
    .where(and(eq(tppId, given("tppId")), open))
    .prepare("redirect_uris_of_tpp");
}
