import type { AspspProfile } from "@/lib/domain/aspsp-profile";
import type { IsoDate } from "@/lib/domain/iso-date";
import { recall } from "@/lib/eidas/bounded-cache";
import type { Qwac } from "@/lib/eidas/qwac";
import type { Xs2aPorts } from "./ports";
import { redirectDomains } from "./redirect-domains";

/** What the form of a request depends on besides itself. */
export type Circumstances = {
  readonly today: IsoDate;
  readonly profile: AspspProfile;
  readonly sandbox: boolean;
  readonly cursorSecret: string;
};

/** And that of its headers: on who asks, too. */
export type HeaderCircumstances = Circumstances & {
  /** Host names of the QWAC that redirect URIs have to lie in; undefined when it is not enforced. */
  readonly redirectDomains: readonly string[] | undefined;
};

/** Of so many TPPs, each with few schemas; one that is forgotten has them made once more. */
const TPPS_MAX = 200;

const days = new WeakMap<Xs2aPorts, Circumstances>();
const tpps = new WeakMap<Circumstances, Map<string, HeaderCircumstances>>();

/** The same object all day: the schemas that are made of it are remembered with it. */
export function circumstancesOn(today: IsoDate, ports: Xs2aPorts): Circumstances {
  const known = days.get(ports);
  if (known?.today === today) return known;
  const { profile, sandbox, cursorSecret } = ports;
  const made = { today, profile, sandbox, cursorSecret };
  days.set(ports, made);
  return made;
}

/** The same object all day for the same host names. */
export function circumstancesOf(
  qwac: Qwac,
  circumstances: Circumstances,
  ports: Xs2aPorts,
): HeaderCircumstances {
  const domains = redirectDomains(qwac, ports);
  const known = tpps.get(circumstances) ?? new Map<string, HeaderCircumstances>();
  tpps.set(circumstances, known);
  const key = domains === undefined ? "any" : JSON.stringify(domains);
  return recall(known, key, TPPS_MAX, () => ({ ...circumstances, redirectDomains: domains }));
}
