import { type AskedFor, type AskingPorts, askForProof } from "./ask-for-proof";
import type { Authorisation } from "./authorisation";
import type { CodeWording } from "./code-message";
import { offerAccounts } from "./offer-accounts";
import { isDecided } from "./sca-status";

export type Selection =
  | AskedFor
  | { readonly outcome: "nothing-selected" }
  | { readonly outcome: "not-offered" };

type Choice = {
  readonly authorisation: Authorisation;
  readonly selected: readonly string[];
  readonly wording: CodeWording;
  readonly now: Date;
};

/**
 * The PSU's choice of accounts. It must lie within the PSU's own payment accounts as they are now;
 * what a form says beyond that is refused whole. Then the PSU is asked for a proof.
 */
export async function selectAccounts(
  ports: AskingPorts,
  { authorisation, selected, wording, now }: Choice,
): Promise<Selection> {
  const { kind, scaStatus, psuId } = authorisation;
  if (kind !== "AIS" || isDecided(scaStatus) || psuId === undefined) return { outcome: "ended" };
  if (selected.length === 0) return { outcome: "nothing-selected" };
  const offered = await offerAccounts(ports, { authorisation, psuId });
  const chosen = offered.map(({ account }) => account.id).filter((id) => selected.includes(id));
  if (chosen.length !== new Set(selected).size) return { outcome: "not-offered" };
  return askForProof(ports, { authorisation, selection: chosen, wording, now });
}
