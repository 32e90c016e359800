import { guardedFetch } from "@/lib/outbound/guarded-fetch";
import type { Certificate } from "../../certificate";
import { type Revocation, type RevocationMode, revocation } from "../revocation";
import type { FetchStatus, LookUpFault } from "../status";
import { naming } from "./issuer";

type Addresses = Parameters<typeof naming>[1];

/** Asks over the network as the house does, of these places on loopback. */
export function asking(
  mode: RevocationMode,
  places: Addresses,
  millisecondsMax = 10_000,
): {
  readonly revocation: Revocation;
  readonly faults: readonly LookUpFault[];
  readonly naming: (certificate: Certificate) => Certificate;
} {
  const faults: LookUpFault[] = [];
  const urls = [...(places.ocsp ?? []), ...(places.crl ?? [])];
  const allowedOrigins = urls.map((url) => new URL(url).origin);
  const fetch: FetchStatus = guardedFetch({ allowedOrigins, millisecondsMax });
  return {
    revocation: revocation({ mode, fetch, onFault: (fault) => faults.push(fault) }),
    faults,
    naming: (certificate) => naming(certificate, places),
  };
}
