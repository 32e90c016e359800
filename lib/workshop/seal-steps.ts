import type { Certificate } from "@/lib/eidas/certificate";
import { CertificateFault } from "@/lib/eidas/certificate-fault";
import { checkNotRevoked } from "@/lib/eidas/not-revoked";
import { checkQseal } from "@/lib/eidas/qseal";
import type { Qwac } from "@/lib/eidas/qwac";
import { readSignatureCertificate } from "@/lib/eidas/signature-certificate";
import { certificateFacts, readOrUndefined } from "./certificate-facts";
import { claimedBy } from "./claimed";
import type { Means } from "./means";
import { type Fact, judged, notJudged, type Step } from "./step";

const TITLE = "Seal certificate (QSealC)";
const PATH = "TPP-Signature-Certificate";

type SealStep = {
  readonly step: Step;
  /** Set when it is believed. */
  readonly believed: Certificate | undefined;
  /** The certificate as it says of itself, believed or not. */
  readonly seal: Certificate | undefined;
};

/** The header TPP-Signature-Certificate, held against the QWAC of the connection. */
export async function sealStep(
  header: string | undefined,
  claimed: Qwac | undefined,
  { trustAnchors, now }: Means,
): Promise<SealStep> {
  const der = header === undefined ? undefined : derOf(header);
  const seal = der && readOrUndefined(der);
  const facts = der === undefined ? [] : certificateFacts(der);
  // Without a QWAC that says whose it is, the seal is held against itself.
  const against = claimed ?? (der && claimedBy(der));
  if (against === undefined) {
    const because = "Neither certificate says whose it is.";
    return { step: notJudged(TITLE, because, facts), believed: undefined, seal };
  }
  const whose = [...facts, organisation(claimed)];
  const { step, value } = await judged(TITLE, whose, () =>
    checkQseal(header, against, trustAnchors, now),
  );
  return { step, believed: value, seal };
}

/** The last of the checks that cost a question to somebody else. */
export async function sealRevocationStep(
  believed: Certificate | undefined,
  hard: boolean,
  means: Means,
): Promise<Step> {
  const title = "Revocation of the seal certificate";
  if (believed === undefined) {
    return notJudged(title, "Only a trusted certificate's issuer is asked.");
  }
  const asked = { certificate: believed, hard, now: means.now, path: PATH };
  return (await judged(title, [], () => checkNotRevoked(means, asked))).step;
}

function organisation(claimed: Qwac | undefined): Fact {
  const value = claimed?.tpp.id ?? "not known, so the two are not compared";
  return { label: "Organisation of the QWAC", value };
}

function derOf(header: string): Uint8Array | undefined {
  try {
    return readSignatureCertificate(header);
  } catch (error) {
    if (error instanceof CertificateFault) return undefined;
    throw error;
  }
}
