import { checkNotBlocked } from "@/lib/domain/tpp/not-blocked";
import { parseClientCert } from "@/lib/eidas/client-cert";
import { checkNotRevoked } from "@/lib/eidas/not-revoked";
import { presentedQwac } from "@/lib/eidas/presented-qwac";
import { checkQwac, type Qwac } from "@/lib/eidas/qwac";
import { checkRole } from "@/lib/eidas/role";
import { certificateFacts } from "./certificate-facts";
import { claimedBy } from "./claimed";
import type { Means, Presented } from "./means";
import { headerOf } from "./raw-request";
import { roleForPath } from "./role-for-path";
import { type Fact, judged, notJudged, type Step } from "./step";
import { withoutSecrets } from "./without-secrets";

type ClientSteps = {
  readonly steps: readonly Step[];
  /** Whose request it says it is, believed or not; undefined when the certificate does not say. */
  readonly claimed: Qwac | undefined;
};

/** The TLS client certificate: the QWAC, whether it is revoked, its TPP blocked, and the role the path is open to. */
export async function clientSteps(presented: Presented, means: Means): Promise<ClientSteps> {
  const { request } = presented;
  const header = headerOf(request, "client-cert");
  const der = header === undefined ? presented.qwac : parseClientCert(header);
  const { trustAnchors, now } = means;
  const { step, value } = await judged("Client certificate (QWAC)", clientFacts(der, now), () =>
    header === undefined
      ? checkQwac(der, trustAnchors, now)
      : presentedQwac(header, trustAnchors, now),
  );
  const claimed = value ?? (der && claimedBy(der));
  return {
    steps: [
      step,
      await revocationStep(value, request.target, means),
      await stopListStep(value, means),
      await role(claimed, request.target),
    ],
    claimed,
  };
}

function clientFacts(der: Uint8Array | undefined, now: Date): readonly Fact[] {
  const clock = { label: "The bank's clock", value: now.toISOString() };
  if (der !== undefined) return [...certificateFacts(der), clock];
  // Of a request that was copied from a log the certificate stays behind, on its connection.
  const none = "none, neither in the header Client-Cert nor beside the request";
  return [{ label: "Certificate", value: none }, clock];
}

async function revocationStep(qwac: Qwac | undefined, target: string, means: Means): Promise<Step> {
  const title = "Revocation of the client certificate";
  if (qwac === undefined) return notJudged(title, "Only a trusted certificate's issuer is asked.");
  const hard = roleForPath(target) === "PSP_PI";
  const asked = { certificate: qwac.certificate, hard, now: means.now };
  return (await judged(title, [], () => checkNotRevoked(means, asked))).step;
}

/** A stranger's certificate is not looked up: nobody learns from here whom else the bank has blocked. */
async function stopListStep(qwac: Qwac | undefined, { stopList, now }: Means): Promise<Step> {
  const title = "Stop list of the bank";
  if (qwac === undefined)
    return notJudged(title, "Only the TPP of a trusted certificate is looked up.");
  if (stopList === undefined) return notJudged(title, "Only the bank knows whom it has blocked.");
  return (await judged(title, [], () => checkNotBlocked({ stopList }, qwac.tpp.id, now))).step;
}

async function role(claimed: Qwac | undefined, target: string): Promise<Step> {
  const title = "PSD2 role";
  const wanted = roleForPath(target);
  const facts = [
    { label: "Path", value: withoutSecrets(target) },
    { label: "Open to", value: wanted ?? "no service is known at this path" },
  ];
  if (wanted === undefined) return notJudged(title, "No role belongs to this path.", facts);
  if (claimed === undefined) {
    return notJudged(title, "The client certificate tells no roles.", facts);
  }
  const roles = { label: "The certificate has", value: claimed.tpp.roles.join(", ") };
  return (await judged(title, [...facts, roles], () => checkRole(claimed.tpp, wanted))).step;
}
