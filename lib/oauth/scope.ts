import { isUuid } from "@/lib/domain/identifiers";
import type { ResourceKind } from "@/lib/domain/sca/authorisation";

/** The one resource that an authorisation, and every token from it, is for. */
export type ResourceScope = { readonly kind: ResourceKind; readonly resourceId: string };

const BLANK_AFTER_COLON = /(?<![^ ])(AIS|PIIS|PIS): (?=[^ ])/i;
const RESOURCE = /^(AIS|PIIS|PIS):([^ ]+)$/i;

/**
 * The resource named by a `scope` parameter, undefined unless it is exactly one. Clients in the
 * field write the prefix in lower case, put a blank after the colon, or add `offline_access`; all
 * three are read as what they mean.
 */
export function parseScope(text: string | null | undefined): ResourceScope | undefined {
  const tokens = text?.replace(BLANK_AFTER_COLON, "$1:").split(" ") ?? [];
  const named = tokens.filter((token) => token !== "offline_access");
  const [, prefix, resourceId] = RESOURCE.exec(named.join(" ")) ?? [];
  if (prefix === undefined || resourceId === undefined || !isUuid(resourceId)) return undefined;
  return { kind: prefix.toUpperCase() as ResourceKind, resourceId: resourceId.toLowerCase() };
}

/** As it is issued: upper case and no blank, which would make two scopes of one. */
export function formatScope({ kind, resourceId }: ResourceScope): string {
  return `${kind}:${resourceId}`;
}
