import { after } from "@/lib/domain/clock";
import type { Certificate } from "../../certificate";
import { type RevocationMode, revocation } from "../revocation";
import type { FetchStatus, LookUpFault } from "../status";
import { naming, startIssuer, type TestIssuer } from "./issuer";
import { ocspAnswer, revokedStatus, unknownStatus } from "./ocsp-answer";
import { signedList } from "./signed-list";

export const OCSP = "http://ocsp.example/";
export const LIST = "http://lists.example/ca.crl";

export const nothing = () => Promise.reject(new Error("no answer"));

/** An issuer, two certificates that name the same two places, and what those places can say. */
export async function startStubs(now: Date) {
  const issuer = await startIssuer(now);
  const { signer } = issuer;
  const places = { ocsp: [OCSP], crl: [LIST] };
  const certificate = async () => naming(await issuer.tpp(), places);
  const issued = (one: Certificate) => ({ certificate: one, issuer: issuer.certificate });
  return {
    issuer,
    issued,
    tpp: await certificate(),
    other: await certificate(),
    goodOf: (one: Certificate, when: Date, seconds = 3_600) => {
      const answer = { issued: issued(one), nextUpdate: after(when, seconds, "second") };
      return async () => ocspAnswer(signer, { answers: [answer], now: when });
    },
    revokedOf: (one: Certificate) => async () => {
      const answer = { issued: issued(one), status: revokedStatus(now) };
      return ocspAnswer(signer, { answers: [answer], now });
    },
    unknownOf: (one: Certificate) => async () => {
      const answer = { issued: issued(one), status: unknownStatus() };
      return ocspAnswer(signer, { answers: [answer], now });
    },
    listOf: (when: Date, ...serialNumbers: readonly bigint[]) => {
      const entries = serialNumbers.map((serialNumber) => ({ serialNumber }));
      return async () => signedList(signer, { now: when, entries });
    },
    house: (mode: RevocationMode = "hard") => house(issuer, mode, now),
  };
}

/** A bank that asks these places, each of which answers as it is told to at the time. */
function house(issuer: TestIssuer, mode: RevocationMode, now: Date) {
  const asked: string[] = [];
  const faults: LookUpFault[] = [];
  const answers: Record<string, () => Promise<Uint8Array>> = {};
  const fetch: FetchStatus = async ({ url }) => {
    asked.push(url);
    return (answers[url] ?? nothing)();
  };
  const { check } = revocation({ mode, fetch, onFault: (fault) => faults.push(fault) });
  return {
    asked,
    faults,
    answers,
    check,
    told: (certificate: Certificate, when = now, hard = false) =>
      check({ certificate, issuer: issuer.certificate }, { hard, now: when }),
  };
}
