import { authorityParts, makeCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { distinguishedName } from "@/lib/sandbox/issue-certificate";
import { makeEcKeys } from "@/lib/sandbox/key-pairs";
import { qsealParts, qwacParts } from "@/lib/sandbox/tpp-certificate-parts";
import type { CorpusCertificate, Made } from "./corpus-row";
import { type Issuing, issueDer, now, pem, qcExtension, request } from "./issuing";
import { notTrusted } from "./refusal";

/** Who is not issued by a believed CA learns that, and nothing of what is wrong besides. */
const stranger = (
  name: string,
  make: CorpusCertificate["make"],
  as: CorpusCertificate["as"] = "QWAC",
): CorpusCertificate => ({ name, as, make, verdict: notTrusted });

export const strangers: readonly CorpusCertificate[] = [
  stranger("C4: self-signed", selfSigned),
  stranger("C4: self-signed, and with two organisations", selfSignedAndUnfit),
  stranger("C4: of an unknown CA with the name of ours", ofNamesake),
  stranger("C4: of an unknown CA with the name of ours, and expired", ofNamesakeAndExpired),
  stranger("C4: with our CA's name and key identifier, signed with another key", forged),
  stranger("C4: signed by a TPP's certificate", leafOfLeaf),
  stranger("C4: another CA's own certificate", anotherAuthority),
  stranger("C10: with 17 000 octets in one extension", oversized),
  stranger("C10: a good one with an octet after it", async ({ qwac }) =>
    Buffer.concat([await qwac(), Buffer.of(0)]),
  ),
  stranger("C10: a good one without its last octet", async ({ qwac }) =>
    (await qwac()).subarray(0, -1),
  ),
  stranger("C10: a good one as PEM", async ({ qwac }) => Buffer.from(pem(await qwac()))),
  stranger("C10: no octets", () => new Uint8Array()),
  stranger("C10: a text", () => Buffer.from("certificate")),
  stranger("C4: a seal with our CA's name, signed with another key", sealOfStranger, "QSealC"),
];

function selfSigned({ keys }: Issuing): Promise<Made> {
  const parts = qwacParts(request, keys.publicKey);
  return issueDer({ name: parts.subject, keys }, parts);
}

function selfSignedAndUnfit({ keys }: Issuing): Promise<Made> {
  const subject = distinguishedName(["O", "A"], ["O", "B"]);
  return issueDer({ name: subject, keys }, { ...qwacParts(request, keys.publicKey), subject });
}

async function ofNamesake({ keys }: Issuing): Promise<Made> {
  return issueDer(await makeCertificateAuthority(now), qwacParts(request, keys.publicKey));
}

async function ofNamesakeAndExpired({ keys }: Issuing): Promise<Made> {
  const parts = qwacParts(request, keys.publicKey);
  return issueDer(await makeCertificateAuthority(now), { ...parts, notAfter: parts.notBefore });
}

/** Name and key identifier are the CA's; only the signature tells. */
async function forged({ authority: { name, keys: own }, keys }: Issuing): Promise<Made> {
  const { privateKey } = await makeEcKeys();
  const issuer = { name, keys: { privateKey, publicKey: own.publicKey } };
  return issueDer(issuer, qwacParts(request, keys.publicKey));
}

async function leafOfLeaf({ keys }: Issuing): Promise<Made> {
  const { subject } = qwacParts(request, keys.publicKey);
  const { publicKey } = await makeEcKeys();
  return issueDer({ name: subject, keys }, qwacParts(request, publicKey));
}

async function anotherAuthority(): Promise<Made> {
  const name = distinguishedName(["CN", "Another CA"]);
  const keys = await makeEcKeys();
  return issueDer({ name, keys }, authorityParts(name, keys, now));
}

function oversized({ qwac }: Issuing): Promise<Made> {
  return qwac({ extensions: qcExtension(Buffer.alloc(17_000, 0x30)) });
}

function sealOfStranger({ authority: { name }, keys }: Issuing): Promise<Made> {
  return issueDer({ name, keys }, qsealParts(request, keys.publicKey));
}
