import { and, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import { authorisation } from "@/drizzle/schema/drawbridge";
import { isUuid } from "@/lib/domain/identifiers";
import type { Authorisation } from "@/lib/domain/sca/authorisation";
import type { AuthorisationStore } from "@/lib/domain/sca/authorisation-store";
import { toAuthorisation } from "./authorisation-row";
import type { Database } from "./client";

type Finding = Pick<
  AuthorisationStore,
  "find" | "findByResource" | "findByRequest" | "isOpenRedirectUri"
>;

const { id, kind, resourceId, tppId, requestId, redirectUri, decidedAt, expiresAt } = authorisation;
const given = (name: "uuid" | "kind" | "tppId" | "redirectUri" | "now") => sql.placeholder(name);

/** An id that is no UUID names no authorisation: it is answered like any other unknown one. */
export function findingAuthorisations(db: Database): Finding {
  const one = (name: string, where: SQL | undefined) => {
    const statement = db.select().from(authorisation).where(where).prepare(name);
    return async (
      uuid: string,
      more: { readonly kind?: string; readonly tppId?: string } = {},
    ): Promise<Authorisation | undefined> => {
      if (!isUuid(uuid)) return undefined;
      const [row] = await statement.execute({ uuid, ...more });
      return row && toAuthorisation(row);
    };
  };
  const ofKind = and(eq(kind, given("kind")), eq(resourceId, given("uuid")));
  const ofResource = one("authorisation_of_resource", ofKind);
  const ofTpp = and(eq(kind, given("kind")), eq(tppId, given("tppId")));
  const ofRequest = one("authorisation_of_request", and(ofTpp, eq(requestId, given("uuid"))));
  const openRedirectUri = openRedirectUriStatement(db);
  return {
    find: one("authorisation_by_id", eq(id, given("uuid"))),
    findByResource: (resourceKind, resource) => ofResource(resource, { kind: resourceKind }),
    findByRequest: (resourceKind, tpp, request) =>
      ofRequest(request, { kind: resourceKind, tppId: tpp }),
    isOpenRedirectUri: async (tpp, uri, now) => {
      const asked = { tppId: tpp, redirectUri: uri, now: now.toISOString() };
      return (await openRedirectUri.execute(asked)).length > 0;
    },
  };
}

function openRedirectUriStatement(db: Database) {
  const isItsOwn = and(eq(tppId, given("tppId")), eq(redirectUri, given("redirectUri")));
  const isOpen = and(isNull(decidedAt), gt(expiresAt, sql`${given("now")}::timestamptz`));
  return db
    .select({ id })
    .from(authorisation)
    .where(and(isItsOwn, isOpen))
    .limit(1)
    .prepare("open_redirect_uri");
}
