import type { TokenRule } from "./endpoint";
import type { Refusals } from "./refusals";

/** What a rule asks of an access token; the description of the API says the same. */
export type TokenDemand =
  | { readonly bearer: "none" }
  | {
      readonly bearer: "optional" | "required";
      /** The token's scope, with the name of the id that stands in it. */
      readonly scope: string;
      readonly refuses: readonly Refusals[];
    };

type Check<Headers, Path, Grant> = (
  ...args: Parameters<TokenRule<Headers, Path, Grant>>
) => Promise<Grant>;

type Names = TokenRule<unknown, unknown, unknown>["names"];

/** A check of the access token together with what it asks for, and what it wants looked up for it. */
export function tokenRule<Headers, Path, Grant>(
  demands: TokenDemand,
  check: Check<Headers, Path, Grant>,
  names: Names = demands.bearer === "none" ? () => undefined : () => ({}),
): TokenRule<Headers, Path, Grant> {
  return Object.assign(check, { demands, names });
}
