import type { ConsentId, TppId } from "@/lib/domain/values";
import { networkOf } from "@/lib/ip-address";

const HOUR_MS = 3_600_000;
/** The first consents that a TPP reads by in an hour; a smaller number says little. */
const CONSENTS_JUDGED = 100;
/** Thousands of a mobile operator's customers share an address, and still most of a TPP's PSUs have another. */
const OF_ONE_NETWORK_MAX = 50;

export type AttendedReads = {
  readonly note: (read: AttendedRead) => void;
};

type AttendedRead = {
  readonly tppId: TppId;
  readonly consentId: ConsentId;
  /** As `PSU-IP-Address` names it. */
  readonly address: string;
};

type Hour = { readonly since: number; readonly networkBy: Map<ConsentId, string> };

/**
 * Says of a TPP, once an hour at most from each process, that its attended reads name one address for most of its PSUs:
 * nobody can prove an address false (B4), but so many PSUs are not in one place. The addresses are kept nowhere else.
 */
export function attendedReads(
  onOneAddress: (found: { readonly tppId: TppId; readonly consents: number }) => void,
  milliseconds: () => number = () => performance.now(),
): AttendedReads {
  const hours = new Map<TppId, Hour>();
  return {
    note: ({ tppId, consentId, address }) => {
      const now = milliseconds();
      const known = hours.get(tppId);
      const isOver = known === undefined || now - known.since >= HOUR_MS;
      const { networkBy }: Hour = isOver ? { since: now, networkBy: new Map() } : known;
      if (isOver) hours.set(tppId, { since: now, networkBy });
      if (networkBy.size === CONSENTS_JUDGED) return;
      networkBy.set(consentId, networkOf(address) ?? address);
      if (networkBy.size < CONSENTS_JUDGED) return;
      const consents = mostOfOne([...networkBy.values()]);
      if (consents > OF_ONE_NETWORK_MAX) onOneAddress({ tppId, consents });
    },
  };
}

function mostOfOne(networks: readonly string[]): number {
  const times = new Map<string, number>();
  for (const network of networks) times.set(network, (times.get(network) ?? 0) + 1);
  return Math.max(...times.values());
}
