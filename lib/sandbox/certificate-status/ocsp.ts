import { createHash } from "node:crypto";
import {
  type BaseBlock,
  BitString,
  Constructed,
  Enumerated,
  fromBER,
  GeneralizedTime,
  Integer,
  ObjectIdentifier,
  OctetString,
  Primitive,
  Sequence,
} from "asn1js";
import { after } from "@/lib/domain/clock";
import { STATUS_HOURS } from "./crl";
import type { Revoked } from "./revoked-file";
import { inSeconds, type Signer, signed, subjectOf } from "./signing";

const BASIC = "1.3.6.1.5.5.7.48.1.1";
const digests: Readonly<Record<string, string>> = {
  "1.3.14.3.2.26": "sha1",
  "2.16.840.1.101.3.4.2.1": "sha256",
};
const malformedRequest = 1;

/** RFC 6960: the sandbox CA's word about each certificate that was asked about; DER in, DER out. */
export function answerOcsp(
  request: Uint8Array,
  signer: Signer,
  { revoked, now }: { readonly revoked: readonly Revoked[]; readonly now: Date },
): Uint8Array {
  const asked = certificateIds(request);
  if (asked === undefined) return failed(malformedRequest);
  const answers = asked.map((id) => singleResponse(id, { signer, revoked, now }));
  const content = new Sequence({
    value: [tagged(1, [subjectOf(signer)]), time(now), new Sequence({ value: answers })],
  });
  const response = signed(content, signer).toBER();
  const bytes = new Sequence({
    value: [new ObjectIdentifier({ value: BASIC }), new OctetString({ valueHex: response })],
  });
  const whole = new Sequence({ value: [new Enumerated({ value: 0 }), tagged(0, [bytes])] });
  return new Uint8Array(whole.toBER());
}

function failed(status: number): Uint8Array {
  return new Uint8Array(new Sequence({ value: [new Enumerated({ value: status })] }).toBER());
}

/** The CertIDs of a request; undefined when it is none. */
function certificateIds(request: Uint8Array): readonly Sequence[] | undefined {
  const list = childrenOf(childrenOf(treeOf(request))[0]).find((part) => part instanceof Sequence);
  const ids = childrenOf(list).map((single) => childrenOf(single)[0]);
  const whole = ids.filter((id) => id instanceof Sequence);
  return whole.length === 0 || whole.length !== ids.length ? undefined : whole;
}

/** The library throws at some bytes and says of others that it has not come to their end. */
function treeOf(request: Uint8Array): BaseBlock | undefined {
  try {
    const { offset, result } = fromBER(new Uint8Array(request), { parseEmbedded: false });
    return offset === request.byteLength ? result : undefined;
  } catch {
    return undefined;
  }
}

type About = { readonly signer: Signer; readonly revoked: readonly Revoked[]; readonly now: Date };

function singleResponse(id: Sequence, { signer, revoked, now }: About): Sequence {
  const found = revoked.find(({ serialNumber }) => serialNumber === serialNumberOf(id));
  return new Sequence({
    value: [
      id,
      statusOf(isOurs(id, signer), found),
      time(now),
      tagged(0, [time(after(now, STATUS_HOURS, "hour"))]),
    ],
  });
}

/** good [0], revoked [1] since when, unknown [2]: of another issuer's certificates it knows nothing. */
function statusOf(ours: boolean, revoked: Revoked | undefined): BaseBlock {
  if (!ours) return new Primitive({ idBlock: { tagClass: 3, tagNumber: 2 } });
  if (revoked === undefined) return new Primitive({ idBlock: { tagClass: 3, tagNumber: 0 } });
  return tagged(1, [time(revoked.at)]);
}

function isOurs(id: Sequence, { certificate }: Signer): boolean {
  const [algorithm, , keyHash] = childrenOf(id);
  const [name] = childrenOf(algorithm);
  const digest = name instanceof ObjectIdentifier ? digests[name.getValue()] : undefined;
  if (digest === undefined || !(keyHash instanceof OctetString)) return false;
  const { result } = fromBER(
    new Uint8Array(certificate.publicKey.export({ type: "spki", format: "der" })),
    { parseEmbedded: false },
  );
  const bits = childrenOf(result)[1];
  if (!(bits instanceof BitString)) return false;
  const own = createHash(digest).update(bits.valueBlock.valueHexView).digest();
  return own.equals(keyHash.valueBlock.valueHexView);
}

function serialNumberOf(id: Sequence): bigint | undefined {
  const serialNumber = childrenOf(id)[3];
  return serialNumber instanceof Integer ? serialNumber.toBigInt() : undefined;
}

function time(instant: Date): GeneralizedTime {
  return new GeneralizedTime({ valueDate: inSeconds(instant) });
}

function tagged(tagNumber: number, value: BaseBlock[]): Constructed {
  return new Constructed({ idBlock: { tagClass: 3, tagNumber }, value });
}

function childrenOf(value: BaseBlock | undefined): readonly BaseBlock[] {
  return value instanceof Sequence || value instanceof Constructed ? value.valueBlock.value : [];
}
